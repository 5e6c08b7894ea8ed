#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""tools/check_includes against small trees that keep or break the rule."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_includes"


def check(files: dict[str, str]) -> tuple[int, list[str]]:
    """Exit status and lines of the check over a tree of these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, str(CHECK), folder], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout.splitlines()


class IncludeRule(unittest.TestCase):
    def test_a_tree_that_keeps_the_staircase_passes(self) -> None:
        status, lines = check(
            {
                "capture/events/event.hpp": "#include <cstdint>\n#include <sys/mman.h>\n",
                "capture/graph/node.hpp": '#include "capture/events/event.hpp"\n#include <nlohmann/json.hpp>\n',
                "runtime/compute/products.cpp": '#include <dnnl.hpp>\n#include "capture/events/event.hpp"\n',
                "report/reader.hpp": '#include "capture/graph/node.hpp"\n',
                "visualizer_import/tables.cpp": '#include <sqlite3.h>\n#include "report/reader.hpp"\n',
                "tools/command/arguments.cpp": "#include <CLI/CLI.hpp>\n",
                "tools/main.cpp": '#include <nanobind/nanobind.h>\n#include "runtime/device.hpp"\n',
                "runtime/device.hpp": "",
                "tests/any_test.cpp": '#include <gtest/gtest.h>\n#include "runtime/device.hpp"\n',
            }
        )
        self.assertEqual((status, lines), (0, []))

    def test_a_step_upwards_is_named_with_its_line_and_what_is_allowed(self) -> None:
        status, lines = check(
            {"report/reader.hpp": "", "capture/graph/node.cpp": '\n#include "report/reader.hpp"\n'}
        )
        self.assertEqual(status, 1)
        self.assertEqual(
            lines,
            [
                'capture/graph/node.cpp:2: found "report/reader.hpp", '
                "allowed in capture/graph: capture/graph, capture/record, capture/events, capture/log"
            ],
        )

    def test_a_family_includes_only_families_below_it(self) -> None:
        status, lines = check(
            {
                "runtime/operations/matmul/matmul.hpp": "",
                "runtime/operations/core/launch.hpp": "",
                "runtime/operations/eltwise/unary.cpp": '#include "runtime/operations/core/launch.hpp"\n'
                '#include "runtime/operations/matmul/matmul.hpp"\n',
            }
        )
        self.assertEqual((status, len(lines)), (1, 1))
        self.assertIn('unary.cpp:2: found "runtime/operations/matmul/matmul.hpp"', lines[0])

    def test_what_is_internal_to_a_folder_is_closed_to_its_neighbours(self) -> None:
        internal = "runtime/operations/core/internal/dispatch.hpp"
        status, lines = check(
            {
                internal: "",
                "runtime/operations/core/launch.cpp": f'#include "{internal}"\n',
                "tests/dispatch_test.cpp": f'#include "{internal}"\n',
                "runtime/operations/matmul/matmul.cpp": f'#include "{internal}"\n',
            }
        )
        self.assertEqual(
            (status, lines),
            (1, [f'runtime/operations/matmul/matmul.cpp:1: found "{internal}", allowed only below runtime/operations/core']),
        )

    def test_each_forbidden_neighbour_is_found(self) -> None:
        for folder, other in (
            ("capture/log", "capture/record"),
            ("capture/record", "capture/log"),
            ("capture/record", "capture/graph"),
            ("capture/record", "runtime"),
            ("capture/ir", "capture/record"),
            ("capture/ir", "runtime"),
            ("capture/record", "capture/ir"),
            ("capture/graph", "capture/ir"),
            ("runtime", "capture/graph"),
            ("runtime", "report"),
            ("report", "runtime"),
            ("report", "visualizer_import"),
            ("visualizer_import", "capture/graph"),
            ("visualizer_import", "runtime"),
            ("runtime", "tools"),
            ("report", "tests"),
        ):
            with self.subTest(folder=folder, other=other):
                status, lines = check({f"{other}/b.hpp": "", f"{folder}/a.cpp": f'#include "{other}/b.hpp"\n'})
                self.assertEqual((status, len(lines)), (1, 1))

    def test_a_third_party_belongs_to_the_folders_that_name_it(self) -> None:
        for folder, header in (
            ("capture/record", "nlohmann/json.hpp"),
            ("capture/record", "libunwind.h"),
            ("capture/record", "spdlog/spdlog.h"),
            ("runtime", "spdlog/spdlog.h"),
            ("tools", "spdlog/spdlog.h"),
            ("capture/graph", "sqlite3.h"),
            ("runtime", "sqlite3.h"),
            ("report", "dnnl.hpp"),
            ("visualizer_import", "nlohmann/json.hpp"),
            ("tools", "sqlite3.h"),
            ("report", "unknown/library.hpp"),
        ):
            with self.subTest(folder=folder, header=header):
                status, lines = check({f"{folder}/a.cpp": f"#include <{header}>\n"})
                self.assertEqual((status, len(lines)), (1, 1))

    def test_an_exception_is_marked_on_its_own_line_with_a_reason(self) -> None:
        marked = "#include <libunwind.h>  // include rule: stack walking, here only\n"
        unexplained = "#include <libunwind.h>  // include rule:\n"
        self.assertEqual(check({"capture/record/stack.cpp": marked})[0], 0)
        self.assertEqual(check({"capture/record/stack.cpp": unexplained})[0], 1)
        self.assertEqual(check({"capture/record/stack.cpp": marked + "#include <libunwind-x86_64.h>\n"})[0], 1)

    def test_paths_start_at_the_root_in_quotes(self) -> None:
        beside = {"report/reader.hpp": "", "report/reader.cpp": '#include "reader.hpp"\n'}
        upwards = {"report/reader.hpp": "", "report/reader.cpp": '#include "../report/reader.hpp"\n'}
        brackets = {"report/reader.hpp": "", "report/reader.cpp": "#include <report/reader.hpp>\n"}
        for files in (beside, upwards, brackets):
            with self.subTest(files=files):
                self.assertEqual(check(files)[0], 1)

    def test_what_a_comment_holds_is_not_an_include(self) -> None:
        text = '// #include "tools/x.hpp"\n/*\n#include "tools/x.hpp"\n*/\n#  include "tools/x.hpp"\n'
        status, lines = check({"tools/x.hpp": "", "runtime/device.cpp": text})
        self.assertEqual(status, 1)
        self.assertEqual([line.split(":")[1] for line in lines], ["5"])


if __name__ == "__main__":
    unittest.main()
