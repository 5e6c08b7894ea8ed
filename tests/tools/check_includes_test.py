#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""tools/check_includes against small trees that keep or break the rule."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECK = ROOT / "tools" / "check_includes"
sys.path.insert(0, str(ROOT / "tools"))

from includes import rules, sources  # noqa: E402

PICTURES = {"capture": "capture", "runtime": "runtime", "report": "report", "python": "tools/python"}
PACKAGE = "tools/python/tilemeter"


def write(folder: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def run(*arguments: str) -> tuple[int, list[str]]:
    done = subprocess.run([sys.executable, str(CHECK), *arguments], capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).splitlines()


def check(files: dict[str, str]) -> tuple[int, list[str]]:
    """Exit status and lines of the check over a tree of these files."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, files)
        lines = list(rules.offenders(sources.read(pathlib.Path(folder))))
        return (1 if lines else 0), lines


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
                "tools/main.cpp": '#include <nanobind/nanobind.h>\n#include "runtime/device/device.hpp"\n',
                "runtime/device/device.hpp": "",
                "tests/any_test.cpp": '#include <gtest/gtest.h>\n#include "runtime/device/device.hpp"\n',
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
            ("capture/ir", "capture/ir/passes"),
            ("capture/recordings", "capture/graph"),
            ("runtime/trace/primitives", "runtime/trace/calls"),
            ("runtime/trace/calls", "runtime/trace/arrays"),
            ("runtime/trace/arrays", "runtime/trace/export"),
            ("runtime/trace/arrays", "runtime/trace/derivatives"),
            ("runtime/trace/derivatives", "runtime/trace/device/record"),
            ("runtime/trace/derivatives", "runtime/tensor"),
            ("runtime/trace/device/record", "runtime/trace/device/replay"),
            ("runtime/trace/device/replay", "runtime/trace/device/recompute"),
            ("runtime/trace/device/place", "runtime/trace/device/rules"),
            ("runtime/trace/device/rules", "runtime/trace/device/gradients"),
            ("runtime/trace/device/replay", "report/analysis/answers"),
            ("report/analysis/nodes", "report/analysis/memory"),
            ("report/analysis/memory", "report/analysis/ttnn"),
            ("report/analysis/ttnn", "report/analysis/answers"),
            ("report/analysis/answers", "report/analysis/gate"),
            ("report/analysis/gate", "report/render"),
            ("report", "report/analysis/nodes"),
            ("visualizer_import/rows", "visualizer_import/pages"),
            ("visualizer_import/pages", "visualizer_import/graph"),
            ("visualizer_import/graph", "visualizer_import/database"),
            ("visualizer_import/database", "visualizer_import/tables"),
            ("visualizer_import/tables", "visualizer_import"),
            ("tools/python/bindings/base", "tools/python/bindings/types"),
            ("tools/python/bindings/types", "tools/python/bindings/tensors"),
            ("tools/python/bindings/operations", "tools/python/bindings/trace"),
            ("tools/python/bindings/trace", "tools/python/bindings"),
            ("runtime", "capture/graph"),
            ("runtime", "report"),
            ("report", "runtime"),
            ("report", "visualizer_import"),
            ("visualizer_import", "capture/graph"),
            ("visualizer_import", "runtime"),
            ("runtime/trace/device/record", "tools/command"),
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
        status, lines = check({"tools/x.hpp": "", "runtime/device/device.cpp": text})
        self.assertEqual(status, 1)
        self.assertEqual([line.split(":")[1] for line in lines], ["5"])

    def test_a_source_stands_in_a_room_of_the_order(self) -> None:
        status, lines = check({"report/analysis/peak.cpp": "", "capture/ir/internal/text.cpp": "", "tools/any/main.cpp": ""})
        self.assertEqual(
            (status, lines),
            (1, ["report/analysis/peak.cpp:1: found a source, allowed: only in the rooms that tools/includes/order.py has"]),
        )


class Circles(unittest.TestCase):
    def test_a_circle_of_folders_is_told_by_an_include_for_each_of_its_arrows(self) -> None:
        status, lines = check(
            {
                "tools/a/a.cpp": '#include "tools/b/internal/b.hpp"\n#include "tools/b/c.hpp"\n',
                "tools/a/a.hpp": "",
                "tools/b/c.hpp": "",
                "tools/b/internal/b.hpp": '\n#include "tools/a/a.hpp"\n',
            }
        )
        allowed = "allowed no circle of folders: tools/a, tools/b"
        self.assertEqual(status, 1)
        self.assertEqual(
            lines[-2:],
            [
                f'tools/a/a.cpp:1: found "tools/b/internal/b.hpp" and 1 more, {allowed}',
                f'tools/b/internal/b.hpp:2: found "tools/a/a.hpp", {allowed}',
            ],
        )

    def test_a_folder_and_what_is_internal_to_it_are_one(self) -> None:
        files = {
            "tools/a/a.cpp": '#include "tools/a/internal/b.hpp"\n',
            "tools/a/a.hpp": "",
            "tools/a/internal/b.hpp": '#include "tools/a/a.hpp"\n',
        }
        self.assertEqual(check(files), (0, []))

    def test_a_circle_of_three_folders_is_found_and_who_only_takes_from_it_is_not_in_it(self) -> None:
        status, lines = check(
            {
                "tools/a/a.hpp": '#include "tools/b/b.hpp"\n',
                "tools/b/b.hpp": '#include "tools/c/c.hpp"\n',
                "tools/c/c.hpp": '#include "tools/a/a.hpp"\n',
                "tools/d/d.hpp": '#include "tools/a/a.hpp"\n',
            }
        )
        self.assertEqual((status, len(lines)), (1, 3))
        for line in lines:
            self.assertIn("allowed no circle of folders: tools/a, tools/b, tools/c", line)

    def test_an_exception_excuses_no_circle(self) -> None:
        files = {
            "capture/record/a.hpp": '#include "capture/graph/b.hpp"  // include rule: any reason\n',
            "capture/graph/b.hpp": '#include "capture/record/a.hpp"\n',
        }
        status, lines = check(files)
        self.assertEqual((status, len(lines)), (1, 2))


class PythonRule(unittest.TestCase):
    def test_a_package_that_keeps_the_order_passes(self) -> None:
        files = {
            "_src/__init__.py": "",
            "_src/base/__init__.py": "",
            "_src/base/late.py": "from tilemeter import _tilemeter\nimport importlib\n",
            "_src/captures/capture.py": "from tilemeter._src.base import late\nimport numpy\n",
            "_src/answers/peak.py": "def peak():\n    from ..captures.capture import Capture\n    return Capture\n",
            "trace/__init__.py": "from tilemeter.trace._graph import Graph as Graph\n",
            "trace/_graph.py": "from tilemeter._src.captures import capture\n",
            "graph.py": "from tilemeter._src.answers.peak import peak as peak\n",
            "__init__.py": "from tilemeter import graph as graph, trace as trace\n",
        }
        self.assertEqual(check({f"{PACKAGE}/{name}": text for name, text in files.items()}), (0, []))

    def test_imports_that_run_up_are_found_wherever_they_stand(self) -> None:
        above = {
            f"{PACKAGE}/__init__.py": "",
            f"{PACKAGE}/graph.py": "",
            f"{PACKAGE}/_src/answers/__init__.py": "",
            f"{PACKAGE}/_src/answers/peak.py": "",
            f"{PACKAGE}/trace/_graph.py": "",
        }
        for text, found in (
            ("import tilemeter", "tilemeter"),
            ("import tilemeter as ttnn", "tilemeter"),
            ("from tilemeter import graph", "tilemeter.graph"),
            ("from tilemeter import add", "tilemeter"),
            ("from tilemeter.graph import capture", "tilemeter.graph"),
            ("import tilemeter._src.captures.other", "tilemeter"),
            ("import tilemeter._src.answers.peak as peak", "tilemeter._src.answers.peak"),
            ("from tilemeter._src.answers import peak", "tilemeter._src.answers.peak"),
            ("from tilemeter._src.answers import nothing", "tilemeter._src.answers"),
            ("from ..answers import peak", "tilemeter._src.answers.peak"),
            ("from ..answers.peak import Peak", "tilemeter._src.answers.peak"),
            ("from ... import graph", "tilemeter.graph"),
            ("from tilemeter.trace import _graph", "tilemeter.trace._graph"),
            ("if TYPE_CHECKING: from tilemeter import graph", "tilemeter.graph"),
            ("importlib.import_module('tilemeter.graph')", "tilemeter.graph"),
            ("__import__('tilemeter.graph')", "tilemeter.graph"),
        ):
            for before, indent in (("", ""), ("class A:\n    def f(self):\n        ", "        ")):
                with self.subTest(text=text, indent=indent):
                    files = {f"{PACKAGE}/_src/captures/capture.py": before + text + "\n"}
                    status, lines = check({**above, f"{PACKAGE}/_src/captures/other.py": "", **files})
                    self.assertEqual((status, len(lines)), (1, 1), lines)
                    number = 1 + before.count("\n")
                    self.assertIn(f"{PACKAGE}/_src/captures/capture.py:{number}: found {found}, allowed in", lines[0])

    def test_each_room_of_the_package_takes_only_from_those_below(self) -> None:
        rooms = "base types device captures operations tensors golden answers models fallbacks package".split()
        for below, above in zip(rooms, rooms[1:]):
            files = {f"{PACKAGE}/_src/{room}/a.py": "" for room in rooms}
            with self.subTest(below=below, above=above):
                upwards = {f"{PACKAGE}/_src/{below}/b.py": f"from tilemeter._src.{above} import a\n"}
                downwards = {f"{PACKAGE}/_src/{above}/b.py": f"from tilemeter._src.{below} import a\n"}
                self.assertEqual([check({**files, **step})[0] for step in (upwards, downwards)], [1, 0])

    def test_a_circle_of_modules_is_found_however_they_import_each_other(self) -> None:
        status, lines = check(
            {
                f"{PACKAGE}/_src/captures/a.py": "from tilemeter._src.captures import b\n",
                f"{PACKAGE}/_src/captures/b.py": "def f():\n    from .c import g\n",
                f"{PACKAGE}/_src/captures/c.py": "import importlib\n\nimportlib.import_module('tilemeter._src.captures.a')\n",
                f"{PACKAGE}/_src/captures/d.py": "from tilemeter._src.captures.a import b\n",
            }
        )
        circle = ", ".join(f"{PACKAGE}/_src/captures/{name}.py" for name in "abc")
        self.assertEqual(status, 1)
        self.assertEqual(
            lines,
            [
                f"{PACKAGE}/_src/captures/{name}.py:{line}: found tilemeter._src.captures.{taken}, "
                f"allowed no circle of modules: {circle}"
                for name, line, taken in (("a", 1, "b"), ("b", 2, "c"), ("c", 3, "a"))
            ],
        )

    def test_a_circle_of_packages_is_found(self) -> None:
        status, lines = check(
            {
                f"{PACKAGE}/graph.py": "from tilemeter.tracy import zone\n",
                f"{PACKAGE}/tracy/__init__.py": "from tilemeter.types import shape\n",
                f"{PACKAGE}/types.py": "",
            }
        )
        self.assertEqual((status, len(lines)), (1, 2))
        self.assertIn(f"allowed no circle of folders: {PACKAGE}, {PACKAGE}/tracy", lines[0])

    def test_the_module_names_on_top_hold_no_code(self) -> None:
        files = {
            f"{PACKAGE}/graph.py": "from tilemeter._src.base import late\n\n\ndef f():\n    return lambda: late\n",
            f"{PACKAGE}/_src/base/late.py": "def g():\n    pass\n",
            f"{PACKAGE}/trace/_graph.py": "class Graph:\n    pass\n",
            f"{PACKAGE}/as_ttnn.py": "def main():\n    pass\n",
        }
        allowed = f"allowed: names alone; code stands in {PACKAGE}/_src"
        self.assertEqual(
            check(files),
            (1, [f"{PACKAGE}/graph.py:4: found f, {allowed}", f"{PACKAGE}/graph.py:5: found a lambda, {allowed}"]),
        )


class Units(unittest.TestCase):
    def test_a_folder_holds_25_units_and_a_list_36(self) -> None:
        for folder, most in (("capture/graph", 25), (f"{PACKAGE}/_src/types", 25), ("tools/tilemeter", 36)):
            suffixes = (".py",) if folder.startswith(PACKAGE) else (".hpp", ".cpp")
            files = {f"{folder}/unit_{number}{suffix}": "" for number in range(most) for suffix in suffixes}
            with self.subTest(folder=folder):
                self.assertEqual(check({**files, f"{folder}/__init__.py": ""}), (0, []))
                status, lines = check({**files, f"{folder}/one_more{suffixes[0]}": ""})
                self.assertEqual((status, lines), (1, [f"{folder}:1: found {most + 1} units, allowed: {most}"]))

    def test_the_table_has_each_folder_with_its_limit_and_the_reason_of_a_longer_one(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            names = ("capture/log/log.hpp", "capture/log/log.cpp", "tools/tilemeter/a.cpp", "tools/tilemeter/b.cpp")
            write(folder, {name: "" for name in names})
            self.assertEqual(
                run("--units", folder),
                (0, ["   2 of 36  tools/tilemeter  (verbs of the program, a file each)", "   1 of 25  capture/log"]),
            )


    def test_units_that_include_each_other_are_listed_and_not_refused(self) -> None:
        files = {
            "tools/a/a.hpp": "",
            "tools/a/a.cpp": '#include "tools/a/a.hpp"\n#include "tools/a/b.hpp"\n',
            "tools/a/b.hpp": '#include "tools/a/a.hpp"\n',
            "tools/a/c.hpp": '#include "tools/a/b.hpp"\n',
        }
        self.assertEqual(check(files), (0, []))
        with tempfile.TemporaryDirectory() as folder:
            write(folder, files)
            self.assertEqual(
                run("--units", folder), (0, ["   3 of 25  tools/a", "circle of 2 units: tools/a/a, tools/a/b"])
            )


class Pictures(unittest.TestCase):
    def test_the_pictures_of_this_tree_are_those_that_the_script_makes_and_its_readmes_show_them(self) -> None:
        self.assertEqual([line for line in run()[1] if "rooms.svg" in line], [])
        for folder in PICTURES.values():
            with self.subTest(folder=folder):
                self.assertTrue("](rooms.svg)" in (ROOT / folder / "README.md").read_text(encoding="utf-8"))

    def test_a_picture_has_a_box_for_each_room_and_no_arrow_that_follows_from_others(self) -> None:
        files = {
            "report/README.md": "",
            "report/reader.hpp": "",
            "report/analysis/nodes/list.hpp": '#include "report/reader.hpp"\n',
            "report/analysis/nodes/internal/text.hpp": "",
            "report/analysis/answers/peak.hpp": '#include "report/reader.hpp"\n#include "report/analysis/nodes/list.hpp"\n',
            "report/render/peak.hpp": '#include "report/analysis/answers/peak.hpp"\n#include "report/reader.hpp"\n',
        }
        with tempfile.TemporaryDirectory() as folder:
            write(folder, files)
            self.assertEqual(
                run(folder), (1, ["report/rooms.svg:1: found no picture, allowed: what tools/check_includes --picture report writes"])
            )
            self.assertEqual(run("--picture", "report", folder), (0, []))
            self.assertEqual(run(folder), (0, []))
            picture = pathlib.Path(folder, "report/rooms.svg")
            drawn = picture.read_text(encoding="utf-8")
            tree = xml.etree.ElementTree.fromstring(drawn)
            texts = [text.text for text in tree.iter("{http://www.w3.org/2000/svg}text")]
            rooms = ["report", "analysis/nodes", "analysis/answers", "render"]
            self.assertEqual([text for text in texts[2:] if "unit" not in str(text)], rooms)
            self.assertEqual([text for text in texts if "unit" in str(text)], ["1 unit", "2 units", "1 unit", "1 unit"])
            self.assertEqual(len(re.findall('class="arrow"', drawn)), 3)
            self.assertIn("prefers-color-scheme: dark", drawn)
            picture.write_text(drawn.replace("2 units", "3 units"), encoding="utf-8")
            status, lines = run(folder)
            self.assertEqual((status, len(lines)), (1, 1))
            self.assertIn("found another picture", lines[0])


if __name__ == "__main__":
    unittest.main()
