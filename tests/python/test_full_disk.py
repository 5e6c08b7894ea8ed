# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Recordings and reports where the disk has no room: nothing is lost without a word."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import textwrap

import pytest

# A limit on the size of files stands for the disk: files stop growing in the same place.
PROGRAM = """
    import resource, signal, sys
    import tilemeter as ttnn

    def limit_files(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    device = ttnn.open_device(device_id=0)
    x = ttnn.ones([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    size = int(sys.argv[2])
    if size:
        limit_files(65536 * 2)
    with ttnn.graph.capture(sys.argv[1], stream="events.tmrec" if size else None) as taken:
        if size:
            limit_files(size)
        for _ in range(300):
            ttnn.relu(x)
        limit_files(resource.RLIM_INFINITY)
    print(len(taken.nodes), taken.peak().l1.bytes, sorted(str(each) for each in taken.peak().reasons))
"""


def run(folder: pathlib.Path, report: str, size: int) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), report, str(size)], cwd=folder, capture_output=True, text=True, check=True
    )


@pytest.mark.parametrize("blocks", [1, 2, 4])
def test_a_stream_on_a_full_disk_keeps_everything_and_says_so(tmp_path: pathlib.Path, blocks: int) -> None:
    whole = run(tmp_path, "whole.json", 0)
    streamed = run(tmp_path, "streamed.json", 65536 * blocks)
    assert streamed.stdout == whole.stdout
    assert whole.stderr == ""
    first, last = streamed.stderr.splitlines()
    assert "events.tmrec: no room for more events" in first and "kept in memory from here on" in first
    assert "events are not in it" in last and "kept in memory, which the capture has" in last

    def graph(name: str) -> list[tuple[str, object]]:
        return [(node["node_type"], (node["params"] or {}).get("size")) for node in json.loads((tmp_path / name).read_text())["graph"]]

    assert graph("streamed.json") == graph("whole.json")
    assert "recorder_dropped_events" not in json.loads((tmp_path / "streamed.json").read_text())["metadata"]


@pytest.mark.parametrize("option", ["--out", "--stream"])
def test_attach_refuses_a_place_where_nothing_can_be_written_before_it_begins(tmp_path: pathlib.Path, option: str) -> None:
    (tmp_path / "program.py").write_text("print('began')\n")
    for place in ("/proc/no.json", str(tmp_path)):
        ran = subprocess.run(
            [sys.executable, "-m", "tilemeter.attach", option, place, "program.py"], cwd=tmp_path, capture_output=True, text=True
        )
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
        assert f"{place} cannot be written" in ran.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["program.py"]
