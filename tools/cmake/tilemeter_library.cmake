# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# GCC looks for garbage whenever it has 128 MiB more; with 512 MiB it takes 5 to 10 % less time for a source. Only where
# the machine has 1.5 GiB for each of ninja's jobs, two more than there are cores.
cmake_host_system_information(RESULT tilemeter_cores QUERY NUMBER_OF_LOGICAL_CORES)
cmake_host_system_information(RESULT tilemeter_memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR tilemeter_memory_wanted_mib "(${tilemeter_cores} + 2) * 1536")
set(tilemeter_compiler_memory "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND tilemeter_memory_mib GREATER_EQUAL tilemeter_memory_wanted_mib)
    set(tilemeter_compiler_memory "SHELL:--param ggc-min-heapsize=524288")
endif()

# The flags of every target of this project. Never global: who embeds tilemeter keeps his own.
function(tilemeter_flags target)
    # Names that a shared object offers say so themselves; all else would be found before, or in place of, another object's.
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    if(TILEMETER_DEVELOPER_MODE)
        target_compile_options(${target} PRIVATE
            -Werror -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
            # GCC 12 sees overlapping copies where std::string appends a literal (its bug 105651).
            $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
    endif()
    # CMake's Release is -O3, which takes half as much again to compile; what gains by it has another level of its own.
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> ${tilemeter_compiler_memory})
    if(TILEMETER_BUILD_FUZZERS)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)  # a fuzzer is led by what it reaches
    endif()
    if(TILEMETER_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Its documentation says so: with sanitizers this warning has false positives.
        target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
        if(TILEMETER_SANITIZE STREQUAL "thread")
            # Boost.Asio fences around what its pool runs; the sanitizer does not see fences, but sees the pool's mutex.
            target_compile_options(${target} PRIVATE -Wno-tsan)
        endif()
    endif()
    if(TILEMETER_SANITIZE)
        target_compile_options(${target} PUBLIC -fsanitize=${TILEMETER_SANITIZE} -fno-sanitize-recover=all
                                                -fno-omit-frame-pointer)
        target_link_options(${target} PUBLIC -fsanitize=${TILEMETER_SANITIZE})
    endif()
endfunction()

# Another level for a target in Release: -O3 where code runs in users' loops and tests/bench shows a gain, -Og, a tenth to a
# fifth less to compile than -O1, where it runs once for each of a user's questions.
function(tilemeter_optimize target level)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
    tilemeter_parses_its_headers(own_headers ${level})
    if(own_headers)
        set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
    endif()
endfunction()

# What is of a folder, in whatever target its sources are; before the target names them. LEVEL: another level in Release, as
# tilemeter_optimize(). APART: its sources are compiled without those of other folders, for what is internal to them has names
# that those have, too. PLAIN: so, and without precompiled headers; GCC takes the level of functions after a
# `#pragma GCC target`, which headers of intrinsics have, from them.
#     tilemeter_room(runtime/compute LEVEL -O3 APART)
function(tilemeter_room room)
    cmake_parse_arguments(ARG "APART;PLAIN" "LEVEL" "" ${ARGN})
    if(ARG_PLAIN)
        set(ARG_APART ON)
    endif()
    foreach(what LEVEL APART PLAIN)
        set_property(GLOBAL PROPERTY TILEMETER_${what}_${room} ${ARG_${what}})
    endforeach()
endfunction()

# Sources of one target are compiled together, so that what they include is parsed, and what they instantiate is compiled,
# once for all of them. OFF is better for many small changes in a few sources, and shows a missing include, which the
# source before may hide; the preset `debug` has it OFF.
option(TILEMETER_UNITY_BUILD "Compile the sources of a target together, TILEMETER_UNITY_SIZE at a time." ${PROJECT_IS_TOP_LEVEL})
# 24 together take a fifth less of processor time than 8, but the machine has to be without work for more of its cores.
# 32 are four times the same 8: what compiles in the larger units compiles in the smaller ones.
set(tilemeter_unity_size 8)
if(tilemeter_cores LESS_EQUAL 4)
    set(tilemeter_unity_size 32)
endif()
set(TILEMETER_UNITY_SIZE ${tilemeter_unity_size} CACHE STRING "Sources of a target that are compiled together at most.")

# The file that CMake makes of the sources of a group, whose properties are those of the compilation.
function(tilemeter_unit result target group)
    get_target_property(folder ${target} BINARY_DIR)
    set(${result} ${folder}/CMakeFiles/${target}.dir/Unity/unity_${group}_cxx.cxx PARENT_SCOPE)
endfunction()

# Sources of a target, in their order: tilemeter_unite(target a.cpp b.cpp). More may follow in another call. What is said of
# their folders holds without unity builds, too.
function(tilemeter_unite target)
    foreach(source IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE room)
        cmake_path(GET room PARENT_PATH room)
        cmake_path(RELATIVE_PATH room BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
        string(REGEX REPLACE "/internal$" "" room ${room})
        foreach(what LEVEL APART PLAIN)
            get_property(${what} GLOBAL PROPERTY TILEMETER_${what}_${room})
        endforeach()
        # CMake compiles a source that has options of its own alone.
        get_source_file_property(own ${source} TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
        set(compiled ${source})
        if(TILEMETER_UNITY_BUILD AND NOT own)
            set(kind united${LEVEL})
            if(APART)
                set(kind ${room})
            endif()
            string(MAKE_C_IDENTIFIER ${kind} kind)
            get_property(before GLOBAL PROPERTY TILEMETER_SOURCES_OF_${target}_${kind})
            if(NOT before)
                set(before 0)
            endif()
            math(EXPR group "${before} / ${TILEMETER_UNITY_SIZE}")
            math(EXPR before "${before} + 1")
            set_property(GLOBAL PROPERTY TILEMETER_SOURCES_OF_${target}_${kind} ${before})
            set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${kind}_${group})
            tilemeter_unit(compiled ${target} ${kind}_${group})
        endif()
        if(LEVEL)
            set(options $<$<CONFIG:Release>:${LEVEL}>)
            if(own)
                list(PREPEND options ${own})
            endif()
            set_source_files_properties(${compiled} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${options}")
        endif()
        tilemeter_parses_its_headers(own_headers "${LEVEL}")
        if(PLAIN OR own_headers)
            set_source_files_properties(${source} ${compiled} TARGET_DIRECTORY ${target} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
        endif()
    endforeach()
    if(NOT TILEMETER_UNITY_BUILD)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # GCC takes the included sources for headers, whose unnamed namespaces would be one for each that includes them.
    # GCC 12 takes an empty std::optional that it has inlined deeply for one that is read (its bug 80635).
    target_compile_options(${target} PRIVATE
        $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
        $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-maybe-uninitialized>)
endfunction()

# Sources that a library has named, compiled together as one unit of their own, without precompiled headers.
function(tilemeter_unite_apart target group)
    tilemeter_unit(unit ${target} ${group})
    set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
    set_source_files_properties(${ARGN} ${unit} TARGET_DIRECTORY ${target} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# All that `cmake --install` installs, without a test.
add_custom_target(tilemeter_installed)

# One library per folder: tilemeter_library(record SOURCES a.cpp HEADERS a.hpp LINK tilemeter::x PRIVATE_LINK y)
# makes the target tilemeter_record, known as tilemeter::record here and after find_package(tilemeter).
# HEADERS are the public ones; they are installed under include/tilemeter/ with their path in the repository.
# BASE: sources that are a library of their own as well, tilemeter_record_base. Targets of this project that need no more
# link it instead, so that they are built without the rest. The installed package does not have it. BASE_LINK: what it
# links in place of LINK.
function(tilemeter_library name)
    cmake_parse_arguments(ARG "" "" "BASE;SOURCES;HEADERS;LINK;BASE_LINK;PRIVATE_LINK" ${ARGN})
    set(target tilemeter_${name})
    set(targets ${target})
    add_library(${target} STATIC ${ARG_SOURCES})
    if(ARG_BASE)
        list(APPEND targets ${target}_base)
        add_library(${target}_base STATIC ${ARG_BASE})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_base>)
        if(NOT ARG_BASE_LINK)
            set(ARG_BASE_LINK ${ARG_LINK})
        endif()
        target_link_libraries(${target}_base PUBLIC ${ARG_BASE_LINK} PRIVATE ${ARG_PRIVATE_LINK})
        tilemeter_unite(${target}_base ${ARG_BASE})
    endif()
    tilemeter_unite(${target} ${ARG_SOURCES})
    add_library(tilemeter::${name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    target_link_libraries(${target} PUBLIC ${ARG_LINK} PRIVATE ${ARG_PRIVATE_LINK})
    target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ARG_HEADERS})
    foreach(each IN LISTS targets)
        target_include_directories(${each} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tilemeter>)
        target_compile_features(${each} PUBLIC cxx_std_20)
        tilemeter_flags(${each})
    endforeach()
    install(TARGETS ${target} EXPORT tilemeter-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
            FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tilemeter)
    add_dependencies(tilemeter_installed ${target})
endfunction()

# Files of a part of such a library, in the part's own CMakeLists.txt: paths from there.
#     tilemeter_sources(runtime BASE a.cpp SOURCES b.cpp HEADERS a.hpp b.hpp)
function(tilemeter_sources name)
    cmake_parse_arguments(ARG "" "" "BASE;SOURCES;HEADERS" ${ARGN})
    foreach(list BASE SOURCES HEADERS)
        list(TRANSFORM ARG_${list} PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    endforeach()
    if(ARG_BASE)
        target_sources(tilemeter_${name}_base PRIVATE ${ARG_BASE})
        tilemeter_unite(tilemeter_${name}_base ${ARG_BASE})
    endif()
    tilemeter_unite(tilemeter_${name} ${ARG_SOURCES})
    target_sources(tilemeter_${name} PRIVATE ${ARG_SOURCES}
                   PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ARG_HEADERS})
endfunction()

# One program: tilemeter_program(graph_report SOURCES main.cpp LINK tilemeter::visualizer_import [INSTALL])
function(tilemeter_program name)
    cmake_parse_arguments(ARG "INSTALL" "" "SOURCES;LINK" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE ${ARG_LINK})
    tilemeter_flags(${name})
    tilemeter_optimize(${name} -Og)
    if(ARG_INSTALL)
        install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
        add_dependencies(tilemeter_installed ${name})
    endif()
endfunction()
