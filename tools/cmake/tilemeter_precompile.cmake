# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# Precompiled headers, by kinds of targets: what many sources of one kind include is parsed once for all of them.
#
#     tilemeter_precompiled_headers(test PROGRAM HEADERS <vector> <gtest/gtest.h> LINK GTest::gtest OPTIONS -O1)
#     tilemeter_precompile(shape_test test)
#
# A source still includes what it uses: a build with -DTILEMETER_PRECOMPILE_HEADERS=OFF shows where one does not.
option(TILEMETER_PRECOMPILE_HEADERS "Parse the headers that many sources include once (GCC only)." ${PROJECT_IS_TOP_LEVEL})

if(TILEMETER_PRECOMPILE_HEADERS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(tilemeter_precompiles ON)
else()
    set(tilemeter_precompiles OFF)
endif()

# GCC 13 and later refuse precompiled headers of another level of optimisation, where that sets options of the processor
# (-mvzeroupper, -munroll-only-small-loops): what is compiled at -O2 or more parses its headers itself.
set(tilemeter_precompiles_one_level OFF)
if(tilemeter_precompiles AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    set(tilemeter_precompiles_one_level ON)
endif()

# True if a level for Release is none that precompiled headers are for.
function(tilemeter_parses_its_headers result level)
    set(${result} OFF PARENT_SCOPE)
    if(tilemeter_precompiles_one_level AND CMAKE_BUILD_TYPE STREQUAL "Release" AND level MATCHES "^-O[23]$")
        set(${result} ON PARENT_SCOPE)
    endif()
endfunction()

# Declares a kind: its headers, the libraries that these need, and the options that all targets of the kind have
# beside those of tilemeter_flags. GCC refuses precompiled headers of other options. PROGRAM: executables, whose code
# is position-independent in another way than that of libraries.
function(tilemeter_precompiled_headers kind)
    cmake_parse_arguments(ARG "PROGRAM" "" "HEADERS;LINK;OPTIONS" ${ARGN})
    if(NOT tilemeter_precompiles)
        return()
    endif()
    set(target tilemeter_precompiled_${kind})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
    if(ARG_PROGRAM)
        add_executable(${target} EXCLUDE_FROM_ALL ${source})
        set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    else()
        add_library(${target} OBJECT EXCLUDE_FROM_ALL ${source})
    endif()
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_link_libraries(${target} PRIVATE ${ARG_LINK})
    tilemeter_flags(${target})
    # GCC 12 takes some of the level from here: a source at -O3 is slower with headers of -O2. One at -O2 takes the same time
    # with headers of -O3.
    if(NOT tilemeter_precompiles_one_level)
        tilemeter_optimize(${target} -O3)
    endif()
    target_compile_options(${target} PRIVATE ${ARG_OPTIONS})
    tilemeter_precompile_own(${target} ${ARG_HEADERS})
endfunction()

# Compiles a target with precompiled headers of its own: tilemeter_precompile_own(target HEADER...)
function(tilemeter_precompile_own target)
    if(NOT tilemeter_precompiles)
        return()
    endif()
    tilemeter_precompile_options(${target})
    target_precompile_headers(${target} PRIVATE ${ARGN})
    # ccache compares preprocessed text, which has no comments: it would give back a header as it was before one changed,
    # and GCC, which tells by the bytes what `#pragma once` has seen, would read that header twice. In depend mode ccache
    # compares the bytes of all files that are read.
    if("${CMAKE_CXX_COMPILER_LAUNCHER}" MATCHES "ccache$")
        set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
                              "${CMAKE_COMMAND};-E;env;CCACHE_DEPEND=1;${CMAKE_CXX_COMPILER_LAUNCHER}")
    endif()
endfunction()

function(tilemeter_precompile_options target)
    target_compile_options(${target} PRIVATE -fpch-preprocess  # ccache needs it
        # GCC 12 takes precompiled system headers for the user's, and sees overflows where std::string grows (its bug 105651).
        "$<$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>:-Wno-stringop-overflow;-Wno-array-bounds>")
endfunction()

# Compiles a target with the precompiled headers of its kind.
function(tilemeter_precompile target kind)
    if(NOT tilemeter_precompiles)
        return()
    endif()
    tilemeter_precompile_options(${target})
    target_precompile_headers(${target} REUSE_FROM tilemeter_precompiled_${kind})
endfunction()
