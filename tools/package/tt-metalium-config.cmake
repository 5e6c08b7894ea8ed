# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# find_package(TT-Metalium): what TT-Metalium's clients link, under its names, as tilemeter's model of it. The package
# beside this one, wherever another tilemeter may be.
if(NOT TARGET tilemeter::ttnn)
    find_package(tilemeter QUIET REQUIRED COMPONENTS ttnn CONFIG
                 PATHS ${CMAKE_CURRENT_LIST_DIR}/../tilemeter NO_DEFAULT_PATH)
endif()
foreach(_tilemeter_name TT::Metalium TT::STL TT::Metalium::HostDevCommon Metalium::Metal)
    if(NOT TARGET ${_tilemeter_name})
        add_library(${_tilemeter_name} INTERFACE IMPORTED)
        target_link_libraries(${_tilemeter_name} INTERFACE tilemeter::ttnn)
    endif()
endforeach()
unset(_tilemeter_name)
set(TT-Metalium_FOUND TRUE)
