#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What a client's source pays for TT-NN's headers, in text that a compiler has to parse: seconds depend on the machine.

    usage: header_costs_test.py COMPILER INCLUDE_FOLDER... [-- unittest arguments]
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
import unittest

COMPILER = ""
FOLDERS: list[str] = []
# Headers of the standard library, or of others, that cost a tenth of a second or more each, and are left to who uses them.
DEAR = {"algorithm", "functional", "iostream", "json.hpp", "map", "mutex", "ranges", "regex", "sstream", "thread", "unordered_map"}
ONE_OPERATION = [
    "ttnn/operations/eltwise/binary/binary.hpp", "ttnn/operations/matmul/matmul.hpp", "ttnn/operations/normalization/softmax/softmax.hpp",
    "ttnn/operations/data_movement/concat/concat.hpp", "ttnn/operations/conv/conv2d/conv2d.hpp", "ttnn/tensor/tensor_spec.hpp",
]
# Characters without blank lines: GCC 12 takes 0.5 to 0.7 s for a million and a half.
MOST_OF_ONE = 1_800_000
MOST_OF_ALL = 2_600_000


def preprocessed(header: str) -> tuple[int, set[str]]:
    """Its size, and the names of all files that it includes."""
    command = [COMPILER, "-std=c++20", "-E", "-x", "c++", "-", *(f"-I{folder}" for folder in FOLDERS)]
    text = subprocess.run(command, input=f'#include "{header}"\n', capture_output=True, text=True, check=True).stdout
    files = set(re.findall(r'^# \d+ "([^"<]+)"', text, re.MULTILINE))
    size = sum(len(line) + 1 for line in text.splitlines() if line and not line.startswith("#"))
    return size, {pathlib.Path(each).name for each in files}


class HeaderCosts(unittest.TestCase):
    def test_of_one_operation(self) -> None:
        for header in ONE_OPERATION:
            with self.subTest(header):
                size, files = preprocessed(header)
                self.assertLessEqual(size, MOST_OF_ONE)
                self.assertEqual(files & DEAR, set())

    def test_of_all_that_generated_programs_include(self) -> None:
        size, files = preprocessed("tilemeter_ttnn/precompiled.hpp")
        self.assertGreater(size, 1_000_000)
        self.assertLessEqual(size, MOST_OF_ALL)
        self.assertIn("matmul.hpp", files)
        self.assertNotIn("json.hpp", files)


if __name__ == "__main__":
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    COMPILER, *FOLDERS = words[:end]
    unittest.main(argv=[sys.argv[0], *words[end + 1:]])
