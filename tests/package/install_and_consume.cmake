# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# usage: cmake -D build=... -D config=... -D readme=... -D consumer=... -D work=... -D compiler=... -D generator=... -P this
# Installs the build, moves the installed tree (nothing in it may remember where it was made), builds the program that
# stands in the README with nothing but that tree, runs it and compares with the output that stands below it.
file(GLOB inside "${work}/*")
if(inside AND NOT EXISTS "${work}/consumer/main.cpp" AND NOT EXISTS "${work}/installed")
    message(FATAL_ERROR "${work}: expected a new or empty folder, or one of an earlier run")
endif()
file(REMOVE_RECURSE "${work}")

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        message(NOTICE "${output}")
        message(FATAL_ERROR "exit status ${status}: ${ARGN}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# The first block of `text` fenced as `language`, and what follows it.
function(take_block text language block rest)
    string(FIND "${text}" "\n```${language}\n" begin)
    if(begin EQUAL -1)
        message(FATAL_ERROR "${readme}: expected a block of ${language}, found none")
    endif()
    string(LENGTH "\n```${language}\n" mark)
    math(EXPR begin "${begin} + ${mark}")
    string(SUBSTRING "${text}" ${begin} -1 text)
    string(FIND "${text}" "\n```\n" end)
    math(EXPR end "${end} + 1")
    string(SUBSTRING "${text}" 0 ${end} inside)
    string(SUBSTRING "${text}" ${end} -1 text)
    set(${block} "${inside}" PARENT_SCOPE)
    set(${rest} "${text}" PARENT_SCOPE)
endfunction()

file(READ "${readme}" text)
take_block("${text}" cpp program text)
take_block("${text}" text expected text)

run("${CMAKE_COMMAND}" --install "${build}" --config "${config}" --prefix "${work}/installed")
file(GLOB top RELATIVE "${work}/installed" "${work}/installed/*")
if(NOT top MATCHES "^bin;include;lib(64)?;share$")
    message(FATAL_ERROR "installed: expected bin, include, lib and share, found ${top}")
endif()
foreach(document LICENSE README.md report/analysis/README.md report/analysis/ANSWERS.md report/rooms.svg tools/python/README.md)
    if(NOT EXISTS "${work}/installed/share/doc/tilemeter/${document}")
        message(FATAL_ERROR "installed: no share/doc/tilemeter/${document}")
    endif()
endforeach()
file(RENAME "${work}/installed" "${work}/moved here")
file(COPY "${consumer}/" DESTINATION "${work}/consumer")
file(WRITE "${work}/consumer/main.cpp" "${program}")
run("${CMAKE_COMMAND}" -S "${work}/consumer" -B "${work}/consumer/build" -G "${generator}"
    "-DCMAKE_BUILD_TYPE=${config}" "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_PREFIX_PATH=${work}/moved here"
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run("${CMAKE_COMMAND}" --build "${work}/consumer/build")
run("${work}/consumer/build/consumer")
if(NOT output STREQUAL expected)
    message(NOTICE "found:\n${output}expected, as in ${readme}:\n${expected}")
    message(FATAL_ERROR "the README's program does not print what stands below it")
endif()
