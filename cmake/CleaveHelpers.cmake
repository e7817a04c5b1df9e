# How Cleave's targets are made: every folder's sources form its target, so a
# new file needs no list edited.

# All generated headers; every target that compiles waits for it.
add_custom_target(cleave-headers)

function(_cleave_options name)
  # libMLIR is built with RTTI and without exceptions.
  llvm_update_compile_flags(${name})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter)
  # Only where assertions are on is there anything in it.
  target_compile_options(${name} PRIVATE
    $<$<CONFIG:Debug>:SHELL:-include ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/StatisticAbi.h>)
  if(CLEAVE_SANITIZE)
    target_compile_options(${name} PRIVATE -fsanitize=address,undefined
                           -fno-sanitize=vptr -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC -fsanitize=address,undefined)
  elseif(CLEAVE_SANITIZE_THREAD)
    target_compile_options(${name} PRIVATE -fsanitize=thread)
    target_link_options(${name} PUBLIC -fsanitize=thread)
  endif()
endfunction()

# Headers of LLVM and MLIR are parsed once for all libraries: those of Precompiled.h,
# or with PRECOMPILED Codegen or Lib those of PrecompiledCodegen.h or PrecompiledLib.h.
function(cleave_use_precompiled_headers name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "" ${ARGN})
  set(set "${ARG_PRECOMPILED}")
  set(owner cleave-precompiled${set})
  if(NOT TARGET ${owner})
    set(dir ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
    add_library(${owner} OBJECT ${dir}/Precompiled.cpp)
    _cleave_options(${owner})
    add_dependencies(${owner} cleave-headers)
    target_precompile_headers(${owner} PRIVATE ${dir}/Precompiled${set}.h)
    # Equal headers make an equal file, so that ccache can know it again.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      target_compile_options(${owner} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
  endif()
  target_precompile_headers(${name} REUSE_FROM ${owner})
endfunction()

# The *.cpp in the folder and in those of its parts.
macro(_cleave_sources variable)
  set(patterns ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(folder ${ARGN})
    list(APPEND patterns ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  endforeach()
  file(GLOB ${variable} CONFIGURE_DEPENDS ${patterns})
endmacro()

# cleave_add_library(NAME [FOLDERS parts...] [PRECOMPILED set] [LINK libs...]
# [DEPENDS targets...]): a static library of the *.cpp in the folder and in those
# of its parts.
function(cleave_add_library name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "FOLDERS;LINK;DEPENDS" ${ARGN})
  _cleave_sources(sources ${ARG_FOLDERS})
  add_library(${name} STATIC ${sources})
  set_property(GLOBAL APPEND PROPERTY CLEAVE_LIBRARIES ${name})
  _cleave_options(${name})
  if(ARG_LINK)
    target_link_libraries(${name} PUBLIC ${ARG_LINK})
  endif()
  if("MLIR" IN_LIST ARG_LINK OR ARG_PRECOMPILED)
    cleave_use_precompiled_headers(${name} PRECOMPILED ${ARG_PRECOMPILED})
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  add_dependencies(${name} cleave-headers)
endfunction()

# cleave_add_tool(NAME [FOLDERS parts...] [PRECOMPILED set] LINK libs...): an
# executable of such *.cpp.
function(cleave_add_tool name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "FOLDERS;LINK" ${ARGN})
  _cleave_sources(sources ${ARG_FOLDERS})
  add_executable(${name} ${sources})
  _cleave_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  cleave_use_precompiled_headers(${name} PRECOMPILED ${ARG_PRECOMPILED})
  add_dependencies(${name} cleave-headers)
endfunction()

# cleave_add_plugin(NAME OUTPUT FILE LINK libs...): a library of the folder's
# *.cpp for a host that has MLIR and LLVM already, so only what the host lacks is
# in it, and nothing but the two entry points is visible.
function(cleave_add_plugin name)
  cmake_parse_arguments(ARG "" "OUTPUT" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${name} MODULE ${sources})
  _cleave_options(${name})
  set_target_properties(${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${ARG_OUTPUT} CXX_VISIBILITY_PRESET hidden)
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL)
  add_dependencies(${name} cleave-headers)
endfunction()

# cleave_add_unittest(NAME [PRECOMPILED [set]] LINK libs...): a googletest program
# of the folder's *.cpp, run by lit (test/Unit); PRECOMPILED if it uses MLIR.
function(cleave_add_unittest name)
  if(NOT GTest_FOUND)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "PRECOMPILED;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_executable(${name} ${sources})
  _cleave_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  if("PRECOMPILED" IN_LIST ARGN)
    cleave_use_precompiled_headers(${name} PRECOMPILED ${ARG_PRECOMPILED})
  endif()
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unittests)
  set_property(GLOBAL APPEND PROPERTY CLEAVE_UNITTESTS ${name})
  add_dependencies(${name} cleave-headers)
endfunction()

# cleave_tablegen(TD OUT GENERATOR...): one generated header of the folder;
# every compiler target waits for all of them.
function(cleave_tablegen td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest out generator)
    separate_arguments(generator)
    mlir_tablegen(${out} ${generator} EXTRA_INCLUDES ${CMAKE_SOURCE_DIR})
  endwhile()
  file(RELATIVE_PATH dir ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(MAKE_C_IDENTIFIER "cleave-tablegen-${dir}-${td}" target)
  add_public_tablegen_target(${target})
  add_dependencies(cleave-headers ${target})
endfunction()
