# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import gzip
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from typing import Any

import pytest

import tilemeter as ttnn
from conftest import tiles


def test_a_report_becomes_a_database(device: Any, tmp_path: pathlib.Path) -> None:
    a = tiles(device, 1, 1, 32, 32)
    with ttnn.graph.capture(tmp_path / "r.json"):
        b = ttnn.add(a, a)
    database = ttnn.graph.import_report(tmp_path / "r.json", tmp_path / "out")
    rows = sqlite3.connect(database).execute(
        "SELECT name, input_tensors.tensor_id, output_tensors.tensor_id FROM operations"
        " JOIN input_tensors USING (operation_id) JOIN output_tensors USING (operation_id) WHERE name = 'ttnn.add'"
    ).fetchall()
    assert rows[0] == ("ttnn.add", a.tensor_id, b.tensor_id)


def test_the_module_takes_ttnns_arguments(device: Any, tmp_path: pathlib.Path) -> None:
    with ttnn.graph.capture(tmp_path / "r.json"):
        tiles(device, 1, 1, 32, 32)
    command = [sys.executable, "-m", "tilemeter.graph_report", str(tmp_path / "r.json"), str(tmp_path / "out")]
    assert subprocess.run([*command, "--db-name", "x.sqlite"], check=True).returncode == 0
    assert (tmp_path / "out" / "x.sqlite").exists()


def _program() -> pathlib.Path | None:
    """The program in C++, where the package lies beside it."""
    built = pathlib.Path(ttnn.__file__).resolve().parents[3] / "bin" / "graph_report"
    return built if built.exists() else None


def test_the_module_says_what_the_program_of_that_name_says(device: Any, tmp_path: pathlib.Path) -> None:
    with ttnn.graph.capture(tmp_path / "r.json"):
        tiles(device, 1, 1, 32, 32)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.json").write_text((tmp_path / "r.json").read_text())
    (tmp_path / "in" / "b.json").write_text('{"graph": [')
    programs = [[sys.executable, "-m", "tilemeter.graph_report"]]
    if program := _program():
        programs.append([str(program)])
    for options in (["r.json", "out"], ["r.json", "out", "--quiet"], ["r.json", "out", "--json"],
                    ["in", "out", "--lenient"], ["in", "out", "--lenient", "--json"], ["in", "out"],
                    ["r.json", ".", "--db-name", "r.json"]):
        said = []
        for program in programs:
            shutil.rmtree(tmp_path / "out", ignore_errors=True)  # that it is replaced would be said
            done = subprocess.run([*program, *options], capture_output=True, text=True, cwd=tmp_path)
            # The clock differs, and with it the pages of the database.
            said.append((done.returncode, re.sub(r'[0-9.]+ s$|"duration_ns": [0-9]+', "T", done.stdout, flags=re.M), done.stderr))
        assert said[1:] in ([], said[:1]), said
        status = 2 if "--db-name" in options else 0 if "--lenient" in options or options[0] != "in" else 1
        assert said[0][0] == status and (said[0][1] == "") == (status != 0 or "--quiet" in options), said
        if "--json" in options:
            answer = json.loads(said[0][1].replace("T,", '"duration_ns": 0,'))
            assert answer["schema"] == "tilemeter.graph_report/1"
            assert answer["report_count"] == 1 and answer["rows"]["operations"] == 1
            assert (tmp_path / answer["database"]).stat().st_size == answer["size_bytes"]
            assert len(answer["skipped"]) == (1 if "--lenient" in options else 0)


def test_unknown_options_are_one_line(tmp_path: pathlib.Path) -> None:
    for arguments in (["--nothing", "a", "b"], [], ["a"]):
        done = subprocess.run([sys.executable, "-m", "tilemeter.graph_report", *arguments], capture_output=True, text=True)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr


def test_reports_are_read_compressed_and_through_pipes(device: Any, tmp_path: pathlib.Path) -> None:
    with ttnn.graph.capture(tmp_path / "r.json"):
        tiles(device, 1, 1, 32, 32)
    text = (tmp_path / "r.json").read_bytes()
    (tmp_path / "packed.json.gz").write_bytes(gzip.compress(text))
    expected = str(ttnn.graph.find_peak(tmp_path / "r.json"))
    assert str(ttnn.graph.find_peak(str(tmp_path / "packed.json.gz"))) == expected
    assert ttnn.graph.import_report(tmp_path / "packed.json.gz", tmp_path / "out").exists()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(text,))
    writer.start()
    assert str(ttnn.graph.find_peak(pipe)) == expected
    writer.join()
    command = [sys.executable, "-m", "tilemeter.graph_report", "-", str(tmp_path / "out2")]
    assert subprocess.run(command, input=gzip.compress(text), check=True).returncode == 0
    (tmp_path / "packed.json.gz").write_bytes(gzip.compress(text)[:-1])
    with pytest.raises(ValueError, match="packed.json.gz: byte .* of the compressed file: expected the rest of a gzip member"):
        ttnn.graph.find_peak(tmp_path / "packed.json.gz")


def test_what_is_no_report_is_refused_in_one_line(tmp_path: pathlib.Path) -> None:
    (tmp_path / "bad.json").write_text('{"graph": [')
    with pytest.raises(ValueError, match="bad.json") as raised:
        ttnn.graph.import_report(tmp_path / "bad.json", tmp_path / "out")
    assert "\n" not in str(raised.value)
    with pytest.raises(FileNotFoundError):
        ttnn.graph.import_report(tmp_path / "absent.json", tmp_path / "out")
    done = subprocess.run(
        [sys.executable, "-m", "tilemeter.graph_report", str(tmp_path / "bad.json"), str(tmp_path / "out")],
        capture_output=True, text=True,
    )
    assert done.returncode == 1 and done.stderr.count("\n") == 1


def test_what_is_left_out_of_a_folder_is_told(device: Any, tmp_path: pathlib.Path) -> None:
    (tmp_path / "in").mkdir()
    with ttnn.graph.capture(tmp_path / "in" / "r.json"):
        tiles(device, 1, 1, 32, 32)
    (tmp_path / "in" / "budget.json").write_text('{"max_l1": 5}')
    reason = f"{tmp_path / 'in' / 'budget.json'}: no graph report, but an object with max_l1"
    with pytest.warns(UserWarning) as told:
        ttnn.graph.import_report(tmp_path / "in", tmp_path / "out")
    assert [str(warning.message) for warning in told] == [f"left out: {reason}"] and told[0].filename == __file__
    command = [sys.executable, "-m", "tilemeter.graph_report", str(tmp_path / "in"), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == f"graph_report: warning: {reason}\n"
    database = tmp_path / "out" / "db.sqlite"
    assert done.stdout.startswith(f"Imported 1 report(s) into {database} ")
    assert done.stdout.splitlines()[0].endswith("; the database that was there is replaced")


def test_a_file_that_is_no_database_is_replaced_only_by_force(device: Any, tmp_path: pathlib.Path) -> None:
    with ttnn.graph.capture(tmp_path / "r.json"):
        tiles(device, 1, 1, 32, 32)
    (tmp_path / "out").mkdir()
    database = tmp_path / "out" / "db.sqlite"
    database.write_text("a year of work")
    with pytest.raises(ValueError, match="found a file that is no SQLite database"):
        ttnn.graph.import_report(tmp_path / "r.json", tmp_path / "out")
    command = [sys.executable, "-m", "tilemeter.graph_report", str(tmp_path / "r.json"), str(tmp_path / "out")]
    assert subprocess.run(command, capture_output=True).returncode == 1
    assert database.read_text() == "a year of work"
    assert subprocess.run([*command, "--force"], capture_output=True).returncode == 0
    assert ttnn.graph.import_report(tmp_path / "r.json", tmp_path / "out", force=True) == database
    assert database.read_bytes().startswith(b"SQLite format 3")


def test_names_of_reports_fit_any_file_system() -> None:
    name = ttnn.graph_report.derive_report_name("tests/a/test_x.py::TestY::test_" + "z" * 300 + "[1-2]")
    assert len(name) == 64 and name.startswith("test_x_test_zzz")


def test_a_picture_is_drawn_without_graphviz(
    device: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = tiles(device, 1, 1, 32, 32)
    with ttnn.graph.capture(tmp_path / "r.json") as taken:
        b = ttnn.add(a, a)
    del b
    (tmp_path / "programs").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))
    ttnn.graph.import_report(tmp_path / "r.json", tmp_path / "out", generate_svgs=True)
    assert [each.name for each in (tmp_path / "out" / "graphs").iterdir()] == ["r.svg"]
    assert "ttnn.add" in (tmp_path / "out" / "graphs" / "r.svg").read_text()

    ttnn.graph.visualize(taken.nodes, file_name=tmp_path / "pictures" / "g.svg")
    assert [each.name for each in (tmp_path / "pictures").iterdir()] == ["g.svg"]
    assert "ttnn.add" in (tmp_path / "pictures" / "g.svg").read_text()
    import graphviz

    with pytest.raises(graphviz.ExecutableNotFound):  # nothing else makes those
        ttnn.graph.visualize(taken.nodes, file_name=tmp_path / "pictures" / "g.png")
    assert [each.name for each in (tmp_path / "pictures").iterdir()] == ["g.svg"]


def test_a_dot_that_fails_leaves_no_source_and_our_picture(
    device: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ttnn.graph.capture(tmp_path / "r.json") as taken:
        tiles(device, 1, 1, 32, 32)
    dot = tmp_path / "programs" / "dot"
    dot.parent.mkdir()
    dot.write_text("#!/bin/sh\nexit 1\n")
    dot.chmod(0o755)
    monkeypatch.setenv("PATH", str(dot.parent))
    ttnn.graph.visualize(taken.nodes, file_name=tmp_path / "pictures" / "g.svg")
    assert [each.name for each in (tmp_path / "pictures").iterdir()] == ["g.svg"]
    assert "ttnn.ones" in (tmp_path / "pictures" / "g.svg").read_text()


def test_what_is_left_out_is_said(device: Any, tmp_path: pathlib.Path) -> None:
    reports = tmp_path / "reports"
    with ttnn.graph.capture(reports / "good.json"):
        tiles(device, 1, 1, 32, 32)
    (reports / "bad.json").write_text('{"graph": [')
    with pytest.warns(UserWarning, match="left out: .*bad.json"):
        ttnn.graph.import_report(reports, tmp_path / "out", lenient=True)


_HOST = """
import sys, tilemeter as ttnn
rank, size = int(ttnn.distributed_context_get_rank()), int(ttnn.distributed_context_get_size())
device = ttnn.open_device(device_id=0)
with ttnn.graph.capture(f"{sys.argv[1]}/graph_capture_{rank + 1}_of_{size}.json"):
    ttnn.zeros([32, 32 * (rank + 1)], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
ttnn.close_device(device)
"""


@pytest.mark.parametrize("names", (("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE")))
def test_processes_of_several_hosts_keep_their_ranks(names: tuple[str, str], tmp_path: pathlib.Path) -> None:
    for rank in range(2):
        subprocess.run([sys.executable, "-c", _HOST, str(tmp_path)], check=True,
                       env={**os.environ, names[0]: str(rank), names[1]: "2"})
    database = ttnn.graph.import_report(tmp_path, tmp_path / "out")
    shapes = sqlite3.connect(database).execute("SELECT DISTINCT rank, shape FROM tensors ORDER BY rank").fetchall()
    assert [(rank, re.findall(r"\d+", shape)) for rank, shape in shapes] == [(0, ["32", "32"]), (1, ["32", "64"])]
    assert {path.name for path in (tmp_path / "out").glob("cluster_descriptor*")} == {
        "cluster_descriptor_1_of_2.yaml", "cluster_descriptor_2_of_2.yaml"}


_CONFTEST = """
import pytest, tilemeter as ttnn
from tilemeter.graph_report import run_pytest_graph_report_fixture
ttnn.CONFIG.enable_graph_report = True
ttnn.CONFIG.root_report_path = "reports"

@pytest.fixture
def device():
    device = ttnn.open_device(device_id=0)
    yield device
    ttnn.close_device(device)

@pytest.fixture(autouse=True)
def report(request):
    yield from run_pytest_graph_report_fixture(request)
"""
_TEST = """
import tilemeter as ttnn

def test_add(device):
    a = ttnn.zeros([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    ttnn.add(a, a)
"""


def _run_reported_test(folder: pathlib.Path, launcher: list[str]) -> sqlite3.Connection:
    """Runs a test whose fixture reports it; the database that this leaves, in a folder with nothing but what belongs to it."""
    (folder / "conftest.py").write_text(_CONFTEST)
    (folder / "test_it.py").write_text(_TEST)
    package = os.pathsep.join([str(pathlib.Path(ttnn.__file__).resolve().parents[1]), os.environ.get("PYTHONPATH", "")])
    subprocess.run([*launcher, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], check=True, cwd=folder,
                   env={**os.environ, "PYTHONPATH": package}, stdout=subprocess.DEVNULL)
    (report,) = (folder / "reports").iterdir()
    assert report.name.startswith("test_it_test_add_")
    assert not list(report.glob("graph_capture*.json"))
    return sqlite3.connect(report / "db.sqlite")


def test_the_fixture_of_ttnn_reports_each_test(tmp_path: pathlib.Path) -> None:
    database = _run_reported_test(tmp_path, [])
    assert ("ttnn.add",) in database.execute("SELECT name FROM operations").fetchall()
    (report,) = (tmp_path / "reports").iterdir()
    assert json.loads((report / "config.json").read_text())["enable_graph_report"] is True


def test_the_fixture_joins_the_reports_of_several_processes(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("mpi4py")
    launcher = shutil.which("mpirun")
    if launcher is None:
        pytest.skip("no mpirun")
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    database = _run_reported_test(tmp_path, [launcher, *as_root, "--oversubscribe", "-np", "2"])
    adds = database.execute("SELECT rank FROM operations WHERE name = 'ttnn.add' ORDER BY rank").fetchall()
    assert adds == [(0,), (1,)]
    (report,) = (tmp_path / "reports").iterdir()
    assert {path.name for path in report.glob("config*.json")} == {"config_1_of_2.json", "config_2_of_2.json"}


def test_processes_without_mpi4py_are_told_so() -> None:
    program = "import sys; sys.modules['mpi4py'] = None; import tilemeter as ttnn; ttnn.distributed_context_barrier()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, "OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4"})
    assert done.stderr.splitlines()[-1].startswith(
        "RuntimeError: distributed_context_barrier: 4 processes need the package mpi4py to reach each other: ")
