# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# Makes build_info.cpp: version, build type and commit of this build, which reports carry. Without git, or in a copy
# of the sources that is no repository of its own, the commit stays unknown. A new commit configures again.
set(TILEMETER_GIT_SHA "")
set(TILEMETER_GIT_DIRTY false)
find_package(Git QUIET)
if(Git_FOUND)
    function(tilemeter_git result)
        execute_process(COMMAND ${GIT_EXECUTABLE} ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                        OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        set(${result} "${output}" PARENT_SCOPE)
    endfunction()
    tilemeter_git(top rev-parse --show-toplevel)
    file(REAL_PATH "${PROJECT_SOURCE_DIR}" here)
    if(top STREQUAL here)
        tilemeter_git(TILEMETER_GIT_SHA rev-parse --verify HEAD)
        tilemeter_git(changes status --porcelain --untracked-files=no)
        if(changes)
            set(TILEMETER_GIT_DIRTY true)
        endif()
        tilemeter_git(log rev-parse --path-format=absolute --git-path logs/HEAD)
        if(EXISTS "${log}")
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${log}")
        endif()
    endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/internal/build_info.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/build_info.cpp
               @ONLY)
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/build_info.cpp PROPERTIES COMPILE_DEFINITIONS
                            TILEMETER_BUILD_TYPE="$<CONFIG>")
