// How things fail: a value or an Error, never an exception across a module, never a printed message.
#pragma once

#include <cassert>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace thalweg {

enum class ErrorCode {
  input,      ///< bad usage, recipe, parameter or file: exit status 2
  machine,    ///< disk full, no permission, out of memory, missing device: exit status 3
  cancelled,  ///< interrupted by the user: exit status 130
};

/// One line for the user: where (file:line:column, option or step; may be empty) and what would be right.
struct Error {
  ErrorCode code = ErrorCode::input;
  std::string message;
  std::string place;

  /// One line, whatever names and values of the user's it quotes.
  std::string text() const {
    std::string line = place.empty() ? message : place + ": " + message;
    for (char& c : line)
      if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
    return line;
  }
  /// The same error told from further out; an inner place stays in the message.
  Error at(std::string outer) && {
    if (!place.empty()) message = place + ": " + message;
    place = std::move(outer);
    return std::move(*this);
  }
};

inline Error input_error(std::string message, std::string place = {}) {
  return {ErrorCode::input, std::move(message), std::move(place)};
}
inline Error machine_error(std::string message, std::string place = {}) {
  return {ErrorCode::machine, std::move(message), std::move(place)};
}
inline Error cancelled_error() {
  return {ErrorCode::cancelled, "interrupted", {}};
}

/// Either a T or an Error. Test with `if (!r)`, then `r.error()`; else `*r` or `r->`.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return value_.has_value(); }
  bool ok() const { return value_.has_value(); }
  T& operator*() & { return assert(ok()), *value_; }
  const T& operator*() const& { return assert(ok()), *value_; }
  T&& operator*() && { return assert(ok()), std::move(*value_); }
  T* operator->() { return assert(ok()), &*value_; }
  const T* operator->() const { return assert(ok()), &*value_; }
  const Error& error() const& { return assert(!ok()), error_; }
  Error&& error() && { return assert(!ok()), std::move(error_); }

 private:
  std::optional<T> value_;
  Error error_;
};

/// Success without a value, or an Error: `return {};` is success.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return !error_.has_value(); }
  bool ok() const { return !error_.has_value(); }
  const Error& error() const& { return assert(!ok()), *error_; }
  Error&& error() && { return assert(!ok()), std::move(*error_); }

 private:
  std::optional<Error> error_;
};
using Status = Result<void>;

/// Runs `f` (which returns a Result) and turns running out of memory into an Error.
template <class F>
auto guard_memory(F&& f) -> std::invoke_result_t<F> {
  try {
    return std::forward<F>(f)();
  } catch (const std::bad_alloc&) {
    return machine_error("out of memory");
  }
}

/// Leaves the enclosing function with the error of `expr` (a Status or Result) if it has one.
#define THALWEG_TRY(expr) THALWEG_TRY_AS(expr, THALWEG_JOIN(thalweg_status_, __LINE__))
#define THALWEG_JOIN(a, b) THALWEG_JOIN_AGAIN(a, b)
#define THALWEG_JOIN_AGAIN(a, b) a##b
// A declared name cannot stand in parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define THALWEG_TRY_AS(expr, name)                                      \
  do {                                                                  \
    if (auto name = (expr); !name.ok()) return std::move(name).error(); \
  } while (false)
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace thalweg
