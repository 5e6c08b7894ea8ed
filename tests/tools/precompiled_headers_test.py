#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Precompiled headers and one compiler cache in two clones, whose headers differ in a comment and then in nothing."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

MODULES = pathlib.Path(__file__).resolve().parents[2] / "tools" / "cmake"
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(clone CXX)
function(tilemeter_flags target)
    target_include_directories(${{target}} PRIVATE ${{PROJECT_SOURCE_DIR}})
endfunction()
function(tilemeter_optimize target level)
endfunction()
include({modules}/tilemeter_precompile.cmake)
tilemeter_precompiled_headers(own HEADERS <part.hpp>)
add_library(part OBJECT part.cpp)
tilemeter_flags(part)
target_compile_features(part PUBLIC cxx_std_20)
tilemeter_precompile(part own)
"""


@unittest.skipUnless(shutil.which("ccache") and shutil.which("g++"), "needs ccache and GCC")
class PrecompiledHeaders(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()

    def build(self, clone: str, comment: str, result: int) -> str:
        """The messages of a clone's compiler, and the hits of the cache that all clones have in common."""
        source = self.root / clone
        source.mkdir(exist_ok=True)
        files = {
            "CMakeLists.txt": PROJECT.format(modules=MODULES),
            "part.hpp": f"#pragma once\n// {comment}\nstruct Part {{ int size; }};\n",
            "part.cpp": f'#include "part.hpp"\nint part() {{ return Part{{{result}}}.size; }}\n',
        }
        for name, text in files.items():
            (source / name).write_text(text, encoding="utf-8")
        environment = {
            **os.environ,
            "CCACHE_DIR": str(self.root / "cache"),
            "CCACHE_BASEDIR": str(source),
            "CCACHE_NOHASHDIR": "1",
            "CCACHE_SLOPPINESS": "pch_defines,time_macros",
        }
        environment.pop("CCACHE_DISABLE", None)
        said = ""
        for command in (
            ["cmake", "-G", "Ninja", "-S", ".", "-B", "build", "-DCMAKE_CXX_COMPILER=g++", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"],
            ["cmake", "--build", "build", "--target", "part"],
            ["ccache", "--print-stats"],
        ):
            done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, check=False)
            said = done.stdout + done.stderr
            self.assertEqual(done.returncode, 0, said)
        return said

    def test_a_changed_comment_is_another_header(self) -> None:
        self.build("first", "long ago", 1)
        self.build("second", "recently", 2)  # its own source, so that it is compiled and not taken from the cache

    def test_equal_clones_share_one(self) -> None:
        self.build("first", "the same", 1)
        statistics = dict(line.split() for line in self.build("second", "the same", 1).splitlines())
        # The header and the empty program behind it at least.
        self.assertGreaterEqual(int(statistics["direct_cache_hit"]), 2, statistics)


if __name__ == "__main__":
    sys.exit(unittest.main())
