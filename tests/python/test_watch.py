# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""`tilemeter watch`: what it says of a process that records, and that neither harms the other."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from test_captures_in_verbs import PROGRAM, tilemeter as program

# Records COUNT operations into a file, says when it begins, and ends or is killed from outside.
RECORDS = """
import sys, tilemeter as ttnn
path, count, planned, waits = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "planned", float(sys.argv[4])
import time
device = ttnn.open_device(device_id=0)
a = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
mode = ttnn.graph.RunMode.NO_DISPATCH if planned else ttnn.graph.RunMode.NORMAL
with ttnn.graph.capture(path + ".json", run_mode=mode, stream=path):
    print("begun", flush=True)
    for i in range(count):
        b = ttnn.relu(a, memory_config=ttnn.L1_MEMORY_CONFIG)
        if waits: time.sleep(waits)
"""


def recording(path: pathlib.Path, count: int, mode: str = "planned", waits: float = 0) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", RECORDS, path, str(count), mode, str(waits)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    return process


def watched(what: Any, *arguments: str) -> Any:
    done = subprocess.run([PROGRAM, "watch", str(what), "--json", *arguments], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, ""), done
    return json.loads(done.stdout)


@pytest.mark.parametrize("mode", ["planned", "run"])
@pytest.mark.parametrize("by", ["path", "process"])
def test_it_sees_every_operation_and_the_peak_of_the_report(by: str, mode: str, tmp_path: pathlib.Path) -> None:
    process = recording(tmp_path / "r", 3000, mode)
    said = watched(tmp_path / "r" if by == "path" else process.pid, "--interval", "20")
    assert process.wait() == 0
    summary = json.loads(program("summary", "--json", tmp_path / "r.json"))["captures"][0]
    peak = json.loads(program("peak", "--json", tmp_path / "r.json"))
    assert said["state"] == "ended" and said["lost_event_count"] == 0 and said["running"] == []
    assert said["operation_count"] == summary["operation_count"] >= 3000 and said["process_id"] == process.pid
    l1 = said["devices"][0]["l1_per_core"]
    assert l1["peak_at_most_bytes"] == peak["l1"]["peak_bytes_per_core"]
    assert said["devices"][0]["dram_per_bank"]["peak_at_most_bytes"] == peak["dram"]["peak_bytes_per_bank"]
    assert 0 < l1["at_most_bytes"] <= l1["peak_at_most_bytes"] < l1["capacity_bytes"]


def test_a_process_that_dies_is_told_and_one_look_ends(tmp_path: pathlib.Path) -> None:
    process = recording(tmp_path / "r", 10**9, "run", 0.001)
    first = watched(tmp_path / "r", "--once")
    time.sleep(0.5)
    second = watched(process.pid, "--once")
    assert first["state"] == second["state"] == "recording"
    assert second["operation_count"] > first["operation_count"]
    watcher = subprocess.Popen([PROGRAM, "watch", tmp_path / "r", "--json", "--interval", "50"], stdout=subprocess.PIPE, text=True)
    time.sleep(0.3)
    process.send_signal(signal.SIGKILL)
    said = json.loads(watcher.communicate(timeout=60)[0])
    assert watcher.returncode == 0 and said["state"] == "died" and said["operation_count"] >= second["operation_count"]
    process.wait()
    assert watched(tmp_path / "r")["state"] == "died"


def test_a_watcher_that_is_killed_leaves_the_program_alone(tmp_path: pathlib.Path) -> None:
    process = recording(tmp_path / "r", 1500, "run", 0.001)
    for _ in range(10):
        watcher = subprocess.Popen([PROGRAM, "watch", tmp_path / "r", "--interval", "10"], stdout=subprocess.DEVNULL)
        time.sleep(0.05)
        watcher.kill()
        watcher.wait()
    assert process.wait() == 0
    assert watched(tmp_path / "r")["operation_count"] >= 1500


def test_ctrl_c_ends_it_with_the_last_state(tmp_path: pathlib.Path) -> None:
    process = recording(tmp_path / "r", 10**9, "run", 0.001)
    watcher = subprocess.Popen([PROGRAM, "watch", tmp_path / "r", "--interval", "50"], stdout=subprocess.PIPE, text=True)
    time.sleep(0.5)
    watcher.send_signal(signal.SIGINT)
    text = watcher.communicate(timeout=60)[0]
    assert watcher.returncode == 0 and "nothing lost" in text and "L1 per core" in text and text.count("process ") == 1
    process.kill()
    process.wait()


def test_what_cannot_be_watched_is_refused_in_one_line(tmp_path: pathlib.Path) -> None:
    (tmp_path / "bad").write_text("no recording\n")
    (tmp_path / "short").write_bytes(b"TMRECORD")
    for what in (tmp_path / "absent", tmp_path / "bad", tmp_path / "short", tmp_path, os.getpid(), 2**22 + 1):
        done = subprocess.run([PROGRAM, "watch", str(what), "--once"], capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and done.stdout == "" and done.stderr.count("\n") == 1, done
