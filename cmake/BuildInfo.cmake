# thalweg_build_info(TARGET): gives TARGET an include folder with a header "thalweg_build_info.h" that defines
#   THALWEG_VERSION "0.1.0", THALWEG_COMMIT "abcdef012345" ("-changed" appended where files differ; "unknown" without
#   git), THALWEG_COMPILER, THALWEG_BUILD_TYPE
# The commit is looked up at every build; the header is rewritten only when it changed, so nothing recompiles needlessly.
include_guard(GLOBAL)
set(THALWEG_BUILD_INFO_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/WriteBuildInfo.cmake)

function(thalweg_build_info target)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/build_info)
  add_custom_target(
    ${target}_build_info
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${folder}/thalweg_build_info.h
            -DVERSION=${PROJECT_VERSION} -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
            "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" -P ${THALWEG_BUILD_INFO_SCRIPT}
    BYPRODUCTS ${folder}/thalweg_build_info.h
    COMMENT ""
    VERBATIM)
  add_dependencies(${target} ${target}_build_info)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
