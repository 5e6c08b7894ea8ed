# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# find_package(xtensor), which clients of TT-NN look for because its headers take xtensor. tilemeter's do not: where there is
# no xtensor, this package says so and has a target without headers.
if(_tilemeter_looks_for_xtensor)
    set(xtensor_FOUND FALSE)
    return()
endif()
set(_tilemeter_looks_for_xtensor TRUE)
set(_tilemeter_ignored "${CMAKE_IGNORE_PATH}")
list(APPEND CMAKE_IGNORE_PATH ${CMAKE_CURRENT_LIST_DIR})
unset(xtensor_DIR CACHE)
unset(xtensor_DIR)
find_package(xtensor ${xtensor_FIND_VERSION} QUIET CONFIG)
set(CMAKE_IGNORE_PATH "${_tilemeter_ignored}")
unset(_tilemeter_ignored)
unset(_tilemeter_looks_for_xtensor)
if(NOT xtensor_FOUND)
    if(NOT TARGET xtensor)
        message(STATUS "xtensor: none here, and TT-NN's headers as tilemeter has them need none")
        add_library(xtensor INTERFACE IMPORTED)
    endif()
    set(xtensor_FOUND TRUE)
endif()
