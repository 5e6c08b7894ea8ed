#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""`tilemeter run-cpp`: programs of one file and of folders, whatever way they end, and what it refuses.

    usage: run_cpp_test.py PROGRAM_FOLDER [unittest arguments]

PROGRAM_FOLDER lies in a build that has tilemeter_ttnn_captured.
"""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path()

# Ends as its first argument says.
PROGRAM = """
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include "ttnn/device.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"

int main(int count, char** arguments) {
    const std::string how = count > 1 ? arguments[1] : "well";
    const ttnn::MemoryConfig l1{ttnn::TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::L1, std::nullopt};
    const ttnn::Shape shape({how == "large" ? 65536U : 64U, 1024});
    ttnn::Tensor host = ttnn::ones(shape, ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, std::nullopt, std::nullopt);
    if (how == "host") return 0;
    auto device = ttnn::MeshDevice::create_unit_mesh(0, 1 << 16, 0);
    ttnn::Tensor a = ttnn::to_device(host, device.get(), l1);
    ttnn::Tensor sum = ttnn::add(a, a, std::nullopt, l1);
    std::printf("printed %d %s\\n", count, count > 2 ? arguments[2] : "");
    std::fflush(stdout);
    if (how == "signal") std::raise(SIGSEGV);
    if (how == "kill") std::raise(SIGKILL);
    if (how == "exception") throw std::logic_error("thrown by the program");
    if (how == "exit") std::exit(3);
    if (how == "_exit") _exit(4);
    return how == "five" ? 5 : 0;
}
"""

HELPER = """
#include "ttnn-precompiled.hpp"
ttnn::Tensor doubled(ttnn::Tensor value) {
    return ttnn::add(value, value, std::nullopt, std::nullopt);
}
"""
MAIN = """
#include "ttnn-precompiled.hpp"
#include <cstdio>
ttnn::Tensor doubled(ttnn::Tensor value);
int32_t main() {
    if (std::FILE* file = std::fopen("beside.txt", "r"))  // programs of a folder run in it
        std::fclose(file);
    else
        return 1;
    ttnn::Tensor host = ttnn::ones(ttnn::Shape({32, 64}), ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, std::nullopt, std::nullopt);
    ttnn::Tensor value = ttnn::to_device(host, device(), std::nullopt);
    return doubled(value).logical_shape()[1] == 64 ? 0 : 1;
}
"""
HEADER = """
#pragma once
#include "ttnn/device.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
inline ttnn::MeshDevice* device() {
    static thread_local std::shared_ptr<ttnn::MeshDevice> opened = ttnn::MeshDevice::create_unit_mesh(0, 1 << 16, 0);
    return opened.get();
}
"""
BY_PACKAGE = """
cmake_minimum_required(VERSION 3.16)
project(ttnn-standalone CXX)
set(CMAKE_CXX_STANDARD 20)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE "Release" CACHE STRING "" FORCE)
endif()
find_package(xtensor REQUIRED)
find_package(TT-NN REQUIRED)
add_executable(ttnn-standalone ttnn-standalone.cpp helper.cpp)
set_property(TARGET ttnn-standalone PROPERTY EXCLUDE_FROM_ALL TRUE)
target_link_libraries(ttnn-standalone PRIVATE TTNN::TTNN)
target_precompile_headers(ttnn-standalone PRIVATE ttnn-precompiled.hpp)
"""
BY_BUILD_OF_TTNN = """
cmake_minimum_required(VERSION 3.16)
project(ttnn-standalone CXX)
set(CMAKE_CXX_STANDARD 20)
if(NOT DEFINED ENV{TT_METAL_RUNTIME_ROOT})
    message(WARNING "TT_METAL_RUNTIME_ROOT is not set")
    return()
endif()
set(METAL_SRC_DIR "$ENV{TT_METAL_RUNTIME_ROOT}" CACHE PATH "")
set(METAL_LIB_DIR "$ENV{TT_METAL_RUNTIME_ROOT}/build/lib" CACHE PATH "")
add_library(beside SHARED does_not_compile.cpp)
set_property(TARGET beside PROPERTY EXCLUDE_FROM_ALL TRUE)
add_executable(ttnn-standalone ttnn-standalone.cpp helper.cpp)
set_property(TARGET ttnn-standalone PROPERTY EXCLUDE_FROM_ALL TRUE)
target_include_directories(ttnn-standalone PRIVATE ${METAL_SRC_DIR}/ttnn/cpp ${METAL_SRC_DIR}/tt_metal/api)
target_link_directories(ttnn-standalone PRIVATE ${METAL_LIB_DIR})
target_link_libraries(ttnn-standalone PRIVATE tt_metal tt_stl device ${METAL_LIB_DIR}/_ttnncpp.so)
target_precompile_headers(ttnn-standalone PRIVATE ttnn-precompiled.hpp)
"""


class RunCpp(unittest.TestCase):
    folder: pathlib.Path

    @classmethod
    def setUpClass(cls) -> None:
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name).resolve()
        (cls.folder / "ends.cpp").write_text(PROGRAM)

    def call(self, *arguments: object) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(BIN / "tilemeter"), "run-cpp", *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=900, env={**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}, check=False,
        )

    def answer(self, *arguments: object) -> "tuple[int, dict]":
        done = self.call("--json", *arguments)
        self.assertIn(done.returncode, (0, 3, 4), done.stderr)
        return done.returncode, json.loads(done.stdout)

    def names(self, report: str) -> list[str]:
        nodes = json.loads((self.folder / report).read_text())["graph"]
        return [node["params"]["name"] for node in nodes if node["node_type"] == "function_start"]

    def refused(self, status: int, *arguments: object) -> str:
        done = self.call(*arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (status, "", 1), done.stderr)
        self.assertTrue(done.stderr.startswith("tilemeter: "), done.stderr)
        return done.stderr

    def test_plans_a_file_and_keeps_its_report(self) -> None:
        done = self.call("ends.cpp", "well", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "printed 3 --json")
        self.assertTrue(lines[1].startswith("fits"), lines)
        self.assertRegex(done.stdout, r"(?m)^  L1 per core    peak .*BinaryNgDeviceOperation")
        self.assertEqual(lines[-1], f"report: {self.folder / 'ends.json'}")
        self.assertIn("BinaryNgDeviceOperation", self.names("ends.json"))

    def test_answers_as_its_schema_says(self) -> None:
        status, answer = self.answer("--mode", "NORMAL", "--report", "normal.json", "--device", "p150", "ends.cpp", "five")
        self.assertEqual((status, answer["schema"], answer["verdict"], answer["device"], answer["mode"]), (4, "tilemeter.run-cpp/1", "unknown", "BLACKHOLE 13x10", "NORMAL"))
        self.assertEqual([(each["kind"], each["detail"]) for each in answer["reasons"]], [("program_failed", "ended with exit status 5")])
        self.assertEqual(answer["program"], {"exit_status": 5, "signal": None, "death": None, "opens_device": True})
        self.assertEqual(answer["file"], str(self.folder / "normal.json"))
        addresses = [node["params"]["address"] for node in json.loads((self.folder / "normal.json").read_text())["graph"] if node["node_type"] == "buffer_allocate"]
        self.assertTrue(addresses and all(int(each) > 0 for each in addresses), addresses)
        try:
            import jsonschema
            import referencing
        except ImportError:
            return
        folder = pathlib.Path(__file__).resolve().parents[1] / "data" / "schemas"
        found = [json.loads(path.read_text()) for path in folder.glob("*.schema.json")]
        registry = referencing.Registry().with_resources((each["$id"], referencing.Resource.from_contents(each)) for each in found)
        [schema] = [each for each in found if each["$id"] == "run-cpp.schema.json"]
        jsonschema.Draft202012Validator(schema, registry=registry).validate(answer)

    def test_runs_what_emit_writes_of_a_compiled_program(self) -> None:
        def buffers(name: str) -> list[tuple[str, ...]]:
            nodes = json.loads((self.folder / name).read_text())["graph"]
            return [(node["node_type"], *(str(node["params"][key]) for key in ("type", "size", "address")))
                    for node in nodes if node["node_type"].startswith("buffer_")]  # fmt: skip

        module = pathlib.Path(__file__).resolve().parents[1] / "data/compiled/attention_o0.mlir"  # with math fidelities
        for words in (["emit", module, "--cpp", "--output", "emitted.cpp"], ["plan", module, "--board", "p150", "--output", "planned.json"]):
            done = subprocess.run([str(BIN / "tilemeter"), *map(str, words)], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.answer("--mode", "NORMAL", "--device", "p150", "emitted.cpp", "own.json")
        self.assertGreater(len(buffers("planned.json")), 40)
        self.assertEqual(buffers("own.json"), buffers("planned.json"))

    def test_a_program_that_says_it_failed_does_not_fit_for_sure(self) -> None:
        (self.folder / "ends.python_io.json").write_text("[]")  # of an earlier run of a Python script of that name
        for mode in ("NO_DISPATCH", "NORMAL"):
            status, answer = self.answer("--mode", mode, "ends.cpp", "exit")
            self.assertEqual((status, answer["verdict"], answer["reasons"][0]["kind"]), (4, "unknown", "program_failed"), mode)
        self.assertFalse((self.folder / "ends.python_io.json").exists())

    def test_judges_what_finds_no_room(self) -> None:
        for mode in ("NO_DISPATCH", "NORMAL"):
            status, answer = self.answer("--mode", mode, "ends.cpp", "large")
            self.assertEqual((status, answer["verdict"]), (3, "does_not_fit"), mode)

    def test_keeps_the_report_of_a_program_that_ends_otherwise(self) -> None:
        for how, ended in (
            ("signal", {"exit_status": None, "signal": "SIGSEGV"}), ("kill", {"exit_status": None, "signal": "SIGKILL"}),
            ("exception", {"exit_status": None, "signal": "SIGABRT"}), ("exit", {"exit_status": 3, "signal": None}),
            ("_exit", {"exit_status": 4, "signal": None}),
        ):
            with self.subTest(how=how):
                _, answer = self.answer("--report", f"{how}.json", "ends.cpp", how)
                self.assertLessEqual(ended.items(), answer["program"].items())
                self.assertIn("BinaryNgDeviceOperation", self.names(f"{how}.json"))
                if how == "exception":
                    self.assertIn("thrown by the program", answer["program"]["death"])
                done = self.call("--report", f"{how}.json", "ends.cpp", how)
                said = [line for line in done.stdout.splitlines() if line.startswith("the program ended ")]
                self.assertEqual(len(said), 1, done.stdout)
                self.assertIn(ended["signal"] or f"exit status {ended['exit_status']}", said[0])
                self.assertRegex(done.stdout, "(?m)^(fits|cannot be judged|unknown|failed)")
        self.assertEqual(signal.SIGSEGV, 11)
        self.assertFalse([path for path in self.folder.rglob("recording-*")] + [path for path in self.folder.rglob("report-*")])

    def test_says_that_a_program_opens_no_device(self) -> None:
        done = self.call("ends.cpp", "host")
        self.assertEqual(done.stdout.count("the program opened no device\n"), 1, done.stdout)
        self.assertEqual(done.returncode, 4)
        answer = self.answer("ends.cpp", "host")[1]
        self.assertEqual((answer["verdict"], answer["program"]["opens_device"]), ("unknown", False))

    def project(self, name: str, **files: str) -> pathlib.Path:
        folder = self.folder / name
        folder.mkdir()
        (folder / "beside.txt").write_text("")
        for file, text in {"ttnn-standalone.cpp": MAIN, "helper.cpp": HELPER, "ttnn-precompiled.hpp": HEADER, **files}.items():
            (folder / file).write_text(text)
        return folder

    def test_builds_a_folder_by_its_cmakelists(self) -> None:
        for name, text in (("by package", BY_PACKAGE), ("by build", BY_BUILD_OF_TTNN)):
            with self.subTest(name):
                folder = self.project(name, **{"CMakeLists.txt": text, "does_not_compile.cpp": "no C++\n"})
                before = sorted(folder.iterdir())
                status, answer = self.answer(folder)
                self.assertEqual((status, answer["verdict"], answer["program"]["exit_status"]), (0, "fits", 0))
                self.assertEqual(sorted(folder.iterdir()), before)  # nothing is left in it
                self.assertIn("BinaryNgDeviceOperation", self.names(f"{name}.json"))

    def test_builds_a_folder_without_one(self) -> None:
        status, answer = self.answer(self.project("plain"))
        self.assertEqual((status, answer["program"]["exit_status"]), (0, 0))

    def test_shows_the_first_error_of_the_compiler(self) -> None:
        broken = self.folder / "broken.cpp"
        broken.write_text('#include "ttnn/device.hpp"\nint main() {\n    return ttnn::no_such_function();\n}\nint other() { return nothing; }\n')
        line = self.refused(1, "broken.cpp")
        self.assertRegex(line, f"run-cpp: {broken}:3:[0-9]+: error: .*no_such_function")
        self.assertFalse((self.folder / "broken.json").exists())
        broken.write_text("int absent();\nint main() { return absent(); }\n")
        self.assertRegex(self.refused(1, "broken.cpp"), "broken.cpp:.*undefined reference to .*absent")
        broken.write_text("int forward() { return 0; }\n")
        self.assertRegex(self.refused(1, "broken.cpp"), "run-cpp: the program has no main")
        folder = self.project("refused", **{"CMakeLists.txt": BY_PACKAGE + "find_package(NoSuchPackage REQUIRED)\n"})
        self.assertRegex(self.refused(1, folder), r"CMakeLists.txt:\d+: .*NoSuchPackage")

    def test_refuses_what_it_cannot_build_in_one_line(self) -> None:
        (self.folder / "text.txt").write_text("text\n")
        (self.folder / "empty").mkdir()
        several = self.folder / "several"
        several.mkdir()
        (several / "one.cpp").write_text("int main() {}\n")
        (several / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nadd_executable(a one.cpp)\nadd_executable(b one.cpp)\n")
        for status, said, arguments in (
            (1, "absent.cpp: expected a C[+][+] file or a folder, found nothing", ["absent.cpp"]),
            (1, "text.txt: expected a C[+][+] file", ["text.txt"]),
            (1, "empty: expected a .cpp file or a CMakeLists.txt in it", ["empty"]),
            (1, "expected one program .*, found a, b", ["several"]),
            (2, "expected a program c, found a, b", ["--target", "c", "several"]),
            (1, "empty: expected a folder that tilemeter is installed in", ["--package", "empty", "ends.cpp"]),
            (1, "/proc/no.json", ["--report", "/proc/no.json", "ends.cpp"]),
            (2, "no_such_board", ["--device", "no_such_board", "ends.cpp"]),
            (2, "mode", ["--mode", "SOMETIMES", "ends.cpp"]),
            (2, "required", []),
        ):
            with self.subTest(said):
                self.assertRegex(self.refused(status, *arguments), said)


if __name__ == "__main__":
    BIN = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
