# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# find_package(TT-NN): what TT-NN's clients link, under its names, as tilemeter's model of it.
find_package(TT-Metalium QUIET REQUIRED CONFIG PATHS ${CMAKE_CURRENT_LIST_DIR}/../tt-metalium NO_DEFAULT_PATH)
foreach(_tilemeter_name TTNN::TTNN TTNN::CPP TT::NN Metalium::TTNN)
    if(NOT TARGET ${_tilemeter_name})
        add_library(${_tilemeter_name} INTERFACE IMPORTED)
        target_link_libraries(${_tilemeter_name} INTERFACE tilemeter::ttnn)
    endif()
endforeach()
unset(_tilemeter_name)
set(TT-NN_FOUND TRUE)
