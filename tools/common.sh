# Shell functions that ./thalweg and ./test share. Sourced by bash; needs `root` (the repository) and `program` (the
# name put before messages). Nothing here writes to standard output.
# shellcheck shell=bash
: "${root:?}" "${program:?}"

say() { printf '%s: %s\n' "$program" "$*" >&2; }
die() {  # the machine failed: one line, status 3 (the command line's own convention)
  say "$*"
  exit 3
}

# Packages of the given kinds, one a line.
packages_of() {
  local kind name wanted=" $* "
  while read -r kind name _; do
    if [[ -n $kind && $kind != '#'* && $wanted == *" $kind "* ]]; then printf '%s\n' "$name"; fi
  done < "$root/dependencies.txt"
}

# Those that are not installed, one a line; one dpkg-query for all.
packages_missing() {
  local -A have=()
  local names status name
  mapfile -t names < <(packages_of "$@")
  while IFS=$'\t' read -r status name; do
    [[ $status == ?i* ]] && have[$name]=1
  done < <(dpkg-query -W -f '${db:Status-Abbrev}\t${Package}\n' "${names[@]}" 2>/dev/null || true)
  for name in "${names[@]}"; do
    [[ -n ${have[$name]:-} ]] || printf '%s\n' "$name"
  done
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo -- "$@"; fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@" \
    < /dev/null >&2
}

# Asks on the terminal, if there is one, whether to install; CI=true, assume_yes=1 or no terminal mean yes.
may_install() {
  local answer
  if [[ ${CI:-} == true || ${assume_yes:-0} == 1 ]] || ! { : < /dev/tty > /dev/tty; } 2> /dev/null; then return 0; fi
  printf '%s: install them with apt-get now? [Y/n] ' "$program" > /dev/tty
  read -r answer < /dev/tty || return 1
  [[ -z $answer || $answer == [Yy]* ]]
}

# Installs what is missing of the given kinds, saying what. THALWEG_SKIP_PACKAGES=1 leaves packages alone.
install_packages() {
  [[ ${THALWEG_SKIP_PACKAGES:-} == 1 ]] && return 0
  if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
    say "this is not a Debian or Ubuntu system, so nothing is installed; the build needs what Debian calls" \
      "$(packages_of "$@" | paste -sd ' ')"
    return 0
  fi
  local missing
  mapfile -t missing < <(packages_missing "$@")
  ((${#missing[@]})) || return 0
  say "packages that are missing: ${missing[*]}"
  if ((EUID != 0)) && ! command -v sudo > /dev/null; then
    die "installing needs root and there is no sudo; have an administrator run: apt-get install ${missing[*]}"
  fi
  may_install || die "nothing installed; by hand: apt-get install ${missing[*]}"
  # Package lists are fetched only when there are none or they are too old to serve.
  if compgen -G '/var/lib/apt/lists/*_Packages*' > /dev/null && apt_install "${missing[@]}"; then return 0; fi
  as_root apt-get -q -o DPkg::Lock::Timeout=300 update < /dev/null >&2 || say "apt-get update failed"
  apt_install "${missing[@]}" || die "apt-get could not install ${missing[*]}; its messages stand above"
}

# Parallel compilations: one a processor, and 2 GB of free memory each.
build_jobs() {
  local jobs kilobytes
  jobs=$(nproc 2> /dev/null || echo 2)
  kilobytes=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo 2> /dev/null || true)
  if [[ -n $kilobytes ]] && ((kilobytes / 2000000 < jobs)); then jobs=$((kilobytes / 2000000)); fi
  echo $((jobs > 1 ? jobs : 1))
}

# Compiler launcher for CMake: ccache where it is installed and can write.
launcher_option() {
  local folder
  if [[ -n ${CMAKE_CXX_COMPILER_LAUNCHER:-} ]] || ! command -v ccache > /dev/null; then return 0; fi
  folder=$(ccache --get-config cache_dir 2> /dev/null) || return 0
  if mkdir -p -- "$folder" 2> /dev/null && [[ -w $folder ]]; then echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
}

# configure PRESET LOG [OPTION...]: when there is no build system yet, when presets or packages changed, when a folder
# with a CMakeLists.txt came or went, or when the whole was moved. Ninja sees to changed CMakeLists.txt files itself.
configure() {
  local preset=$1 log=$2 folder="$root/build/$1" fresh=() launcher=() state
  shift 2
  state="$root $*
$(cd -- "$root" && find . -path ./build -prune -o -name CMakeLists.txt -print | sort)"
  if [[ -f $folder/build.ninja && $(cat -- "$folder/.configured" 2> /dev/null) == "$state" &&
    ! $root/CMakePresets.json -nt $folder/.configured && ! $root/dependencies.txt -nt $folder/.configured ]]; then
    return 0
  fi
  [[ -f $folder/CMakeCache.txt ]] && fresh=(--fresh)
  mapfile -t launcher < <(launcher_option)
  (cd -- "$root" && cmake --preset "$preset" "${fresh[@]}" "${launcher[@]}" "$@") >> "$log" 2>&1 || return 1
  printf '%s\n' "$state" > "$folder/.configured"
}
