# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# usage: cmake -D build=... -D config=... -D readme=... -D consumer=... -D client=... -D examples=... -D work=... -D compiler=... -D generator=... -D sanitize=... -P this
# Installs the build, moves the installed tree (nothing in it may remember where it was made), builds the program that
# stands in the README with nothing but that tree, runs it and compares with the output that stands below it. The examples in
# C++ likewise; one is built and run by `tilemeter run-cpp`. A client that looks for TT-NN by its own names is built as it is.
file(GLOB inside "${work}/*")
if(inside AND NOT EXISTS "${work}/consumer/main.cpp" AND NOT EXISTS "${work}/installed")
    message(FATAL_ERROR "${work}: expected a new or empty folder, or one of an earlier run")
endif()
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}/here")
set(here "${work}/here")

function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${here}" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
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
if(NOT top MATCHES "^bin;include;lib(64)?;libexec;share$")
    message(FATAL_ERROR "installed: expected bin, include, lib, libexec and share, found ${top}")
endif()
foreach(document LICENSE README.md report/analysis/README.md report/analysis/ANSWERS.md report/rooms.svg tools/python/README.md)
    if(NOT EXISTS "${work}/installed/share/doc/tilemeter/${document}")
        message(FATAL_ERROR "installed: no share/doc/tilemeter/${document}")
    endif()
endforeach()
file(RENAME "${work}/installed" "${work}/moved here")
# A verb that the small program does not have.
run("${work}/moved here/bin/tilemeter" sizes --help)

# Builds the project in `source` and runs its program, which has to print what `document` says.
function(build_and_run source program document expected)
    run("${CMAKE_COMMAND}" -S "${source}" -B "${work}/${program}/build" -G "${generator}"
        "-DCMAKE_BUILD_TYPE=${config}" "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_PREFIX_PATH=${work}/moved here"
        -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
    run("${CMAKE_COMMAND}" --build "${work}/${program}/build")
    run("${work}/${program}/build/${program}")
    # Blanks at the ends of lines are not kept in documents.
    string(REGEX REPLACE " +\n" "\n" output "${output}")
    if(NOT output STREQUAL expected)
        message(NOTICE "found:\n${output}expected, as in ${document}:\n${expected}")
        message(FATAL_ERROR "${program} does not print what the document says")
    endif()
endfunction()

file(COPY "${consumer}/" DESTINATION "${work}/consumer")
file(WRITE "${work}/consumer/main.cpp" "${program}")
build_and_run("${work}/consumer" consumer "${readme}" "${expected}")

set(readme "${examples}/README.md")
file(READ "${readme}" text)
take_block("${text}" text expected text)
build_and_run("${examples}" capture_peak "${readme}" "${expected}")
if(EXISTS "${work}/capture_peak/build/peak_test")
    run("${work}/capture_peak/build/peak_test")
    if(NOT output MATCHES "PASSED +. 2 tests")
        message(FATAL_ERROR "peak_test: expected two tests that pass, found\n${output}")
    endif()
endif()

take_block("${text}" text expected text)
run("${work}/moved here/bin/tilemeter" run-cpp --report "${work}/classifier.json" --build "${work}/run-cpp"
    "${examples}/classifier.cpp")
string(REPLACE "report: ${work}/" "report: " output "${output}")
if(NOT output STREQUAL expected OR NOT EXISTS "${work}/classifier.json")
    message(NOTICE "found:\n${output}expected, as in ${readme}:\n${expected}")
    message(FATAL_ERROR "run-cpp does not print what the document says")
endif()

file(COPY "${client}/" DESTINATION "${work}/client project")
build_and_run("${work}/client project" client "tests/package/client" "2\n")
# A program that knows nothing of TT-NN is not linked with the sanitizer's runtime, which has to be there before the plugin is.
set(preloaded)
if("${sanitize}" MATCHES address)
    run("${compiler}" -print-file-name=libasan.so)
    string(STRIP "${output}" runtime)
    set(preloaded "LD_PRELOAD=${runtime}")
endif()
foreach(program client_precompiled client_of_plugin)
    run("${CMAKE_COMMAND}" -E env ${preloaded} "${work}/client/build/${program}")
    if(NOT output STREQUAL "2\n")
        message(FATAL_ERROR "${program}: expected 2, found ${output}")
    endif()
endforeach()
