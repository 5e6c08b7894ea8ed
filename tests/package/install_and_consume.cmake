# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# usage: cmake -D build=... -D config=... -D consumer=... -D work=... -D compiler=... -D generator=... -P this
# The installed tree is moved before it is used: nothing in it may remember where it was made.
file(REMOVE_RECURSE "${work}")

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        message(NOTICE "${output}")
        message(FATAL_ERROR "exit status ${status}: ${ARGN}")
    endif()
endfunction()

run("${CMAKE_COMMAND}" --install "${build}" --config "${config}" --prefix "${work}/installed")
file(RENAME "${work}/installed" "${work}/moved here")
run("${CMAKE_COMMAND}" -S "${consumer}" -B "${work}/consumer" -G "${generator}" "-DCMAKE_BUILD_TYPE=${config}"
    "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_PREFIX_PATH=${work}/moved here"
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run("${CMAKE_COMMAND}" --build "${work}/consumer")
run("${work}/consumer/consumer")
