# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Datasets of captures: what collect writes and query answers, against a naive count from `peak --json`."""

from __future__ import annotations

import collections
import http.server
import json
import pathlib
import subprocess
import sys
import threading

import pytest
import script_processes

from shared_folder import SHARED
from test_captures_in_verbs import PROGRAM

duckdb = pytest.importorskip("duckdb")

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPORTS = sorted(path for path in (ROOT / "tests" / "data" / "capture").glob("*.report.json") if path.stat().st_size < 1_000_000)[:8]
if not REPORTS:
    pytest.skip("the checkout's data are not here", allow_module_level=True)
COMMITS = (("old", "2026-01-01"), ("mid", "2026-02-01"), ("new", "2026-03-01"))


def fleet(*words: object, status: int = 0) -> str:
    done = script_processes.run_module("tilemeter.fleet", *map(str, words))
    assert done.returncode == status, (done.stdout, done.stderr)
    if status:
        assert done.stdout == "" and done.stderr.count("\n") == 1
        return done.stderr
    assert done.stderr == ""
    return done.stdout


def ask(dataset: pathlib.Path, *words: object) -> list[dict]:
    return json.loads(fleet("query", dataset, *words, "--json"))


def peak(report: pathlib.Path) -> dict:
    return json.loads(subprocess.run([PROGRAM, "peak", report, "--json", "--top", "1000000"], capture_output=True, text=True, check=True).stdout)


def reports_of(commit: str) -> list[pathlib.Path]:
    """Another workload for each: what is called A at one commit is B at the next."""
    turn = [each[0] for each in COMMITS].index(commit)
    return REPORTS[turn:] + REPORTS[:turn]


def names() -> list[str]:
    return [f"model{place}" for place in range(len(REPORTS))]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("fleet") / "dataset"
    for commit, date in COMMITS:
        for name, report in zip(names(), reports_of(commit)):
            fleet("collect", folder, report, "--label", f"commit={commit}", "--label", f"model={name}", "--date", date)
    return folder


def highest(answer: dict) -> tuple[int, int]:
    return (max((each["l1"]["peak_bytes_per_core"] for each in answer["devices"]), default=0),
            max((each["dram"]["peak_bytes_per_bank"] for each in answer["devices"]), default=0))


def test_peaks_are_those_of_the_verb(dataset: pathlib.Path) -> None:
    expected = []
    for commit, date in COMMITS:
        for name, report in zip(names(), reports_of(commit)):
            l1, dram = highest(peak(report))
            expected.append({"model": name, "commit": commit, "date": date, "l1_bytes": l1, "dram_bytes": dram})
    assert ask(dataset, "peak-trend") == expected


@pytest.mark.parametrize("memory", [None, "L1", "DRAM"])
def test_owners_are_summed_over_all_peaks(dataset: pathlib.Path, memory: str | None) -> None:
    held: dict[str, int] = collections.defaultdict(int)
    captures: dict[str, set] = collections.defaultdict(set)
    for commit, _ in COMMITS:
        for name, report in zip(names(), reports_of(commit)):
            for device in peak(report)["devices"]:
                for kind, size in (("l1", "bytes_per_core"), ("dram", "bytes_per_bank")):
                    for owner in device[kind]["contributors"] if memory in (None, kind.upper()) else ():
                        held[owner["operation"]] += owner[size]
                        captures[owner["operation"]].add((commit, name))
    expected = [{"made_by": name, "bytes": held[name], "captures": len(captures[name])} for name in sorted(held, key=lambda name: (-held[name], name))]
    assert ask(dataset, "top-owners", *(["--memory", memory] if memory else [])) == expected


@pytest.mark.parametrize("percent", [0, 10, 400])
def test_what_grew_is_named(dataset: pathlib.Path, percent: int) -> None:
    expected = []
    for name, old, new in zip(names(), reports_of("old"), reports_of("new")):
        before, now = highest(peak(old))[0], highest(peak(new))[0]
        if now * 100 > before * (100 + percent):
            expected.append({"model": name, "l1_bytes": now, "baseline_bytes": before, "ratio": now / before if before else None})
    found = ask(dataset, "regressions", "--baseline", "old", "--percent", percent)
    assert sorted(found, key=lambda each: each["model"]) == sorted(expected, key=lambda each: each["model"])
    assert "absent" in fleet("query", dataset, "regressions", "--baseline", "absent", status=1)


def test_any_engine_reads_the_files(dataset: pathlib.Path) -> None:
    rows = duckdb.sql(f"SELECT count(*), sum(l1_bytes) FROM '{dataset}/captures/*.parquet'").fetchall()
    trend = ask(dataset, "peak-trend")
    assert rows == [(len(trend), sum(each["l1_bytes"] for each in trend))]
    counts = ask(dataset, "SELECT (SELECT count(*) FROM operations) AS o, (SELECT count(*) FROM lifetimes) AS l, (SELECT count(*) FROM lifetimes WHERE end_node < begin_node) AS bad")
    assert counts[0]["o"] > 0 and counts[0]["l"] > 0 and counts[0]["bad"] == 0


def test_a_report_twice_changes_nothing(dataset: pathlib.Path, tmp_path: pathlib.Path) -> None:
    before = {path: path.read_bytes() for path in dataset.rglob("*.parquet")}
    done = json.loads(fleet("collect", dataset, REPORTS[0], "--label", "model=model0", "--label", "commit=old", "--json"))
    assert (done["collected"], done["known_before"]) == (0, 1)
    assert {path: path.read_bytes() for path in dataset.rglob("*.parquet")} == before
    copy = tmp_path / "other_name.json"
    copy.write_bytes(REPORTS[0].read_bytes())
    answer = json.loads(fleet("collect", tmp_path / "one", copy, REPORTS[0], copy, "--json"))
    assert (answer["collected"], answer["known_before"]) == (1, 1)


def test_compaction_keeps_every_row(dataset: pathlib.Path, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "copy"
    subprocess.run(["cp", "-r", dataset, folder], check=True)
    questions = (["peak-trend"], ["top-owners"], ["regressions", "--baseline", "old"], ["SELECT count(*) AS n FROM lifetimes"])
    before = [ask(folder, *words) for words in questions]
    fleet("collect", folder, "--compact")
    assert [len(list((folder / table).iterdir())) for table in ("captures", "owners", "operations", "lifetimes")] == [1] * 4
    assert [ask(folder, *words) for words in questions] == before


def test_a_compaction_that_was_killed_shows_each_row_once(dataset: pathlib.Path, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "copy"
    subprocess.run(["cp", "-r", dataset, folder], check=True)
    before = ask(folder, "top-owners")
    code = ("import os, sys; from tilemeter._src.fleet import dataset\n"
            "left = int(sys.argv[2]); real = os.replace\n"
            "def replace(*paths):\n    global left\n    left -= 1\n    os._exit(9) if left < 0 else real(*paths)\n"
            "os.replace = replace\n"
            "dataset.Dataset(sys.argv[1]).compact()\n")
    for steps in range(6):
        killed = subprocess.run([sys.executable, "-c", code, folder, str(steps)], timeout=120)
        assert killed.returncode == (9 if steps < 5 else 0)
        assert ask(folder, "top-owners") == before
    fleet("collect", folder, "--compact")
    assert ask(folder, "top-owners") == before


def test_two_at_once_are_both_whole(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "dataset"
    fleet("collect", folder, REPORTS[0])
    both = [subprocess.Popen([sys.executable, "-m", "tilemeter.fleet", "collect", folder, *REPORTS[:4], "--label", f"commit={commit}"]) for commit in "ab"]
    assert [each.wait(timeout=120) for each in both] == [0, 0]
    assert ask(folder, 'SELECT "commit", count(*) AS n FROM captures GROUP BY "commit" ORDER BY 1') == [
        {"commit": "", "n": 1}, {"commit": "a", "n": 4}, {"commit": "b", "n": 4}]


def test_bad_input_is_one_line_and_changes_nothing(dataset: pathlib.Path, tmp_path: pathlib.Path) -> None:
    bad, other = tmp_path / "bad.json", tmp_path / "other"
    bad.write_text('{"graph": [')
    before = ask(dataset, "peak-trend")
    assert "bad.json" in fleet("collect", dataset, REPORTS[0], bad, "--label", "commit=x", status=1)
    assert ask(dataset, "peak-trend") == before
    assert "no file" in fleet("collect", dataset, tmp_path / "absent", status=1)
    other.mkdir()
    (other / "file").touch()
    assert "other files" in fleet("collect", other, REPORTS[0], status=1)
    assert "no tilemeter.json" in fleet("query", tmp_path, "peak-trend", status=1)
    newer = tmp_path / "newer"
    newer.mkdir()
    (newer / "tilemeter.json").write_text('{"schema": "tilemeter.fleet/2"}')
    assert "tilemeter.fleet/2" in fleet("collect", newer, REPORTS[0], status=1)
    assert "tilemeter.fleet/2" in fleet("query", newer, "peak-trend", status=1)
    assert fleet("query", dataset, "SELECT nothing FROM nowhere", status=1)
    assert "expected peak-trend" in fleet("query", dataset, "peak-trends", status=1)
    assert "expected --baseline" in fleet("query", dataset, "regressions", status=1)
    assert "KEY=VALUE" in fleet("collect", dataset, REPORTS[0], "--label", "x", status=2)
    assert "YYYY-MM-DD" in fleet("collect", dataset, REPORTS[0], "--date", "1.1.26", status=2)


def test_a_folder_and_a_database_are_taken(tmp_path: pathlib.Path) -> None:
    subprocess.run([sys.executable, "-m", "tilemeter.graph_report", REPORTS[0], tmp_path / "db", "--quiet"], check=True)
    (tmp_path / "in").mkdir()
    for report in REPORTS[:3]:
        (tmp_path / "in" / report.name).write_bytes(report.read_bytes())
    (tmp_path / "in" / "notes.json").write_text("{}")
    done = json.loads(fleet("collect", tmp_path / "dataset", tmp_path / "in", tmp_path / "db", "--json"))
    assert done["collected"] == 4
    assert {each["model"] for each in ask(tmp_path / "dataset", "peak-trend")} >= {"db"}


def test_peaks_go_out_as_metrics(tmp_path: pathlib.Path) -> None:
    metrics = tmp_path / "metrics.json"
    fleet("collect", tmp_path / "dataset", REPORTS[0], "--label", "commit=c", "--otlp", metrics)
    (resource,) = json.loads(metrics.read_text())["resourceMetrics"]
    points = {metric["name"]: metric["gauge"]["dataPoints"] for metric in resource["scopeMetrics"][0]["metrics"]}
    l1, _ = highest(peak(REPORTS[0]))
    assert set(points) >= {"tilemeter.memory.peak"}
    assert points["tilemeter.memory.peak"][0]["asInt"] == str(l1)
    assert {"key": "commit", "value": {"stringValue": "c"}} in points["tilemeter.memory.peak"][0]["attributes"]


def test_metrics_are_posted(tmp_path: pathlib.Path) -> None:
    taken: list[tuple[str, str | None, bytes]] = []

    class Collector(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.append((self.path, self.headers["Content-Type"], body))
            self.send_response(200 if self.path == "/v1/metrics" else 503)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Collector) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        fleet("collect", tmp_path / "dataset", REPORTS[0], "--otlp", f"{address}/v1/metrics")
        ((path, kind, body),) = taken
        assert (path, kind) == ("/v1/metrics", "application/json") and json.loads(body)["resourceMetrics"]
        line = fleet("collect", tmp_path / "dataset", REPORTS[1], "--otlp", f"{address}/busy", status=1)
        assert "/busy: metrics were not taken" in line and "503" in line
        server.shutdown()
    for target in (f"{address}/v1/metrics", "http://", "http://[/", "http://a b/", str(tmp_path / "missing" / "metrics.json")):
        assert "metrics were not taken" in fleet("collect", tmp_path / "dataset", REPORTS[2], "--otlp", target, status=1)


def test_peaks_are_logged_to_the_current_run(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow")
    from tilemeter import fleet as verbs

    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    with mlflow.start_run() as run:
        assert verbs.main(["collect", str(tmp_path / "dataset"), str(REPORTS[0]), "--label", "model=my model: (v2)/\u00e9", "--mlflow"]) == 0
    l1, dram = highest(peak(REPORTS[0]))
    assert mlflow.get_run(run.info.run_id).data.metrics == {
        "tilemeter.memory.peak.l1.my model_ _v2___": l1, "tilemeter.memory.peak.dram.my model_ _v2___": dram}
    assert [path.name for path in (tmp_path / "runs").rglob("*.html")] == ["my model_ _v2___.html"]


@pytest.mark.skipif(not (SHARED / "reports").is_dir(), reason="no shared data")
def test_all_shared_reports(tmp_path: pathlib.Path) -> None:
    done = json.loads(fleet("collect", tmp_path / "dataset", SHARED / "reports" / "decoder2.n150.NORMAL", SHARED / "reports" / "bert_tiny.n150.NORMAL", "--json"))
    assert done["collected"] >= 2
