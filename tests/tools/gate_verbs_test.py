#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The answers of the gate and its neighbours at their edges: reports that are gone, folders of programs, files that are
no reports.

    usage: gate_verbs_test.py PROGRAM_FOLDER DATA_FOLDER [unittest arguments]
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BIN = DATA = pathlib.Path()


class GateVerbs(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def call(self, *arguments: object, status: int) -> str:
        """Standard output, or standard error where that is empty."""
        words = [str(BIN / "tilemeter"), *map(str, arguments)]
        done = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout or done.stderr

    def reports(self, name: str, *cases: str) -> pathlib.Path:
        """A folder of reports, as TT-NN lays them out."""
        folder = self.folder / name
        for case in cases:
            shutil.copytree(DATA / "reports" / case, folder / case)
        return folder

    def test_a_report_that_the_baseline_has_and_nobody_asks_about_cannot_be_judged(self) -> None:
        old = self.reports("old", "add.n150.NORMAL", "matmul_sharded_height.n150.NORMAL")
        new = self.reports("new", "add.n150.NORMAL")
        answer = self.call("check", old, "--max-l1", "100%", "--json", "--allow-incomplete", status=0)
        (self.folder / "memory.json").write_text(answer)
        for baseline in (old, self.folder / "memory.json"):
            with self.subTest(baseline=baseline.name):
                asked = ("check", new, "--baseline", baseline, "--allow-incomplete")
                said = self.call(*asked, status=4)
                self.assertIn("has matmul_sharded_height.n150.NORMAL/report.json, which is not among the reports", said)
                told = json.loads(self.call(*asked, "--json", status=4))
                self.assertEqual((told["reasons"][0]["kind"], told["outcome"]), ("report_missing", "cannot_be_judged"))
                junit = self.call(*asked, "--junit", "-", status=4)
                self.assertIn('tests="2" failures="1"', junit)
                self.call(*asked, "--allow-missing", status=0)
        self.call("check", old, "--baseline", old, "--allow-incomplete", status=0)

    def test_growth_is_told_with_the_bound_and_where_it_comes_from(self) -> None:
        old = self.reports("old", "add.n150.NORMAL") / "add.n150.NORMAL" / "report.json"
        report = json.loads(old.read_text())
        for node in report["graph"]:
            if node["node_type"] == "buffer_allocate":
                node["params"]["max_size_per_bank"] += 32
        (self.folder / "grown.json").write_text(json.dumps(report))
        said = self.call("check", "grown.json", "--baseline", old, "--max-growth", "0.1%", "--allow-incomplete", status=3)
        self.assertRegex(said, r"at most [\d,]+ B are allowed, by the [\d,]+ B of the baseline .*report\.json and the growth that is")

    def test_programs_come_from_folders(self) -> None:
        planned = self.reports("planned", "error_clash.n150.NO_DISPATCH")
        clash = DATA / "reports" / "error_clash.n150.NORMAL" / "report.json"
        one = self.call("explain", clash, "--programs-from", planned / "error_clash.n150.NO_DISPATCH" / "report.json", status=0)
        self.assertEqual(self.call("explain", clash, "--programs-from", planned, status=0), one)
        (planned / "error_clash.n150.NO_DISPATCH").rename(planned / "error_clash.n150.NORMAL")
        asked = ("check", clash, "--max-l1", "100%", "--programs-from")
        by_name = self.call(*asked, planned, status=4)
        self.assertEqual(self.call(*asked, planned / "error_clash.n150.NORMAL" / "report.json", status=4), by_name)
        (self.folder / "empty").mkdir()
        self.assertIn("expected reports in it", self.call("peak", clash, "--programs-from", self.folder / "empty", status=1))

    def test_what_the_device_refused_stands_in_every_form_of_the_answer(self) -> None:
        report = DATA / "reports" / "error_oom.n150.NORMAL" / "report.json"
        asked = ("check", report, "--max-l1", "1 MB")
        for form in (asked, (*asked, "--summary-md", "-"), (*asked, "--junit", "-")):
            self.assertIn("the device refused 262,144 B", self.call(*form, status=3))

    def test_a_plan_did_not_run(self) -> None:
        report = json.loads((DATA / "reports" / "add.n150.NORMAL" / "report.json").read_text())
        (self.folder / "ran.json").write_text(json.dumps(report))
        self.assertIn("it went to its end", self.call("fit", "ran.json", status=0))
        report["metadata"]["run_mode"] = "NO_DISPATCH"
        (self.folder / "planned.json").write_text(json.dumps(report))
        said = self.call("fit", "planned.json", status=0)
        self.assertIn("planned to its end", said)
        self.assertNotIn("it went to its end", said)

    def test_a_device_that_is_not_there_is_wrong_usage(self) -> None:
        report = DATA / "reports" / "add.n150.NORMAL" / "report.json"
        self.assertIn("n151", self.call("fit", report, "--device", "n151", status=2))
        (self.folder / "device.yaml").write_text("no device\n")
        self.call("fit", report, "--device", "device.yaml", status=1)

    def test_what_cannot_be_written_says_why(self) -> None:
        report = DATA / "reports" / "add.n150.NORMAL" / "report.json"
        asked = ("check", report, "--max-l1", "100%", "--allow-incomplete")
        for words in (("html", report, "-o", "nowhere/x.html"), (*asked, "--junit", "nowhere/x.xml"), (*asked, "--summary-md", "nowhere/x.md")):
            self.assertIn("cannot be written: No such file or directory", self.call(*words, status=1))
        if pathlib.Path("/dev/full").exists():
            self.assertIn("cannot be written: No space left on device", self.call("html", report, "-o", "/dev/full", status=1))

    def test_a_file_that_is_no_report_is_told_for_what_it_is(self) -> None:
        folder = DATA / "reports" / "add.n150.NORMAL"
        report = folder / "report.json"
        subprocess.run([str(BIN / "graph_report"), "--quiet", str(report), "out"], cwd=self.folder, check=True)
        (self.folder / "answer.json").write_text(self.call("check", report, "--max-l1", "100%", "--allow-incomplete", "--json", status=0))
        for path, words in (
            (folder / "report.python_io.json", f"records that lie beside a report: name {report}"),
            (self.folder / "out" / "db.sqlite", "a database, which has no node list: name the report"),
            (self.folder / "answer.json", "what tilemeter check --json printed: check --baseline takes it"),
            (folder, "a folder: name one of its reports"),
        ):
            with self.subTest(path=path.name):
                said = self.call("peak", path, status=1)
                self.assertIn(f"expected a report, or a node list, found {words}", said)

    def test_a_damaged_number_is_told_by_summary_and_its_counts_are_left_out(self) -> None:
        report = json.loads((DATA / "reports" / "add.n150.NORMAL" / "report.json").read_text())
        place = next(at for at, node in enumerate(report["graph"]) if node["node_type"] == "circular_buffer_allocate")
        report["graph"][place]["params"]["size"] = "12abc"
        (self.folder / "damaged.json").write_text(json.dumps(report))
        said = self.call("summary", "damaged.json", status=0)
        self.assertRegex(said, rf"unknown: a number of the report cannot be used: byte \d+, node {place}, params\.size: expected an integer "
                               r"from 0 to 2\^63 - 1, found '12abc'")
        self.assertIn("not counted: ", said)
        self.assertRegex(said, r"peak of L1 +unknown")


if __name__ == "__main__":
    BIN = pathlib.Path(sys.argv.pop(1)).resolve()
    DATA = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
