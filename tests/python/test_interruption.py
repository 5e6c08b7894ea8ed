# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C during long work, and other threads that go on meanwhile."""

from __future__ import annotations

import hashlib
import os
import pathlib
import subprocess
import sys
import threading
import time
from typing import Any

import numpy
import pytest

import tilemeter as ttnn
from tilemeter import _tilemeter
from conftest import tiles

PATIENCE_S = 5.0  # far above what it takes; machines that run tests are busy

# The child's program: Ctrl-C after `delay`, then says how long the interruption took to arrive.
_CHILD = """
import os, signal, sys, threading, time
import tilemeter as ttnn

signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background are started without

def interrupted_after(delay, work):
    sent = []
    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(delay, send)
    timer.start()
    try:
        work()
    except KeyboardInterrupt:
        return time.monotonic() - sent[0]
    timer.cancel()
    sys.exit("not interrupted")

"""


def _child(program: str, **more: Any) -> str:
    done = subprocess.run([sys.executable, "-c", _CHILD + program], capture_output=True, text=True, timeout=300, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _large_folder(folder: pathlib.Path, reports: int) -> pathlib.Path:
    """Many links to one report of 60,000 nodes."""
    folder.mkdir()
    with ttnn.graph.capture(folder / "0.json"):
        for _ in range(30000):
            ttnn.graph.track_function_start("step")
            ttnn.graph.track_function_end()
    for number in range(1, reports):
        os.link(folder / "0.json", folder / f"{number}.json")
    return folder


def _contents(folder: pathlib.Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def test_an_interrupted_import_leaves_the_database_that_was_there(device: Any, tmp_path: pathlib.Path) -> None:
    with ttnn.graph.capture(tmp_path / "small.json"):
        tiles(device, 1, 1, 32, 32)
    database = ttnn.graph.import_report(tmp_path / "small.json", tmp_path / "out")
    before = _contents(database.parent)
    reports = _large_folder(tmp_path / "reports", 40)
    arrived = _child(f"print(interrupted_after(0.3, lambda: ttnn.graph.import_report({str(reports)!r}, {str(tmp_path / 'out')!r})))")
    assert float(arrived) < PATIENCE_S
    assert _contents(database.parent) == before


def _report_of_buffers(path: pathlib.Path, operations: int, buffers: int) -> None:
    """A report that is nearly all buffers: so many alive at the end of each operation."""
    live = ", ".join(
        f'{{"address": {64 * i}, "buffer_layout": 0, "buffer_type": 1, "device_id": 0, "max_size_per_bank": 64}}'
        for i in range(1, buffers + 1)
    )
    with path.open("w") as file:
        file.write('{"devices": [], "graph": [')
        for i in range(operations):
            file.write("," if i else "")
            file.write(f'{{"counter": {2 * i}, "node_type": "function_start", "params": {{"name": "f"}}}},')
            file.write(f'{{"counter": {2 * i + 1}, "node_type": "function_end", "params": {{"name": "f"}}}}')
        file.write('], "metadata": {"rank": 0}, "per_operation_buffers": {')
        for i in range(operations):
            file.write(f'{", " if i else ""}"{2 * i}": [{live}]')
        file.write('}, "version": 1}')


@pytest.mark.parametrize("delay", [0.05, 0.2, 0.5])  # reading, making rows, making indexes
def test_an_interrupted_import_of_buffers_leaves_the_database_that_was_there(tmp_path: pathlib.Path, delay: float) -> None:
    _report_of_buffers(tmp_path / "small.json", 2, 2)
    database = ttnn.graph.import_report(tmp_path / "small.json", tmp_path / "out")
    before = _contents(database.parent)
    _report_of_buffers(tmp_path / "large.json", 1500, 1000)
    work = f"ttnn.graph_report.import_report({str(tmp_path / 'large.json')!r}, {str(tmp_path / 'out')!r}, materialize=True)"
    arrived = _child(f"import tilemeter.graph_report\nprint(interrupted_after({delay}, lambda: {work}))")
    assert float(arrived) < PATIENCE_S
    assert _contents(database.parent) == before


def test_what_a_progress_callback_raises_ends_the_import(tmp_path: pathlib.Path) -> None:
    _report_of_buffers(tmp_path / "large.json", 300, 1000)

    class Enough(Exception):
        pass

    def told(file: str, done: int, size: int) -> None:
        raise Enough(file)

    with pytest.raises(Enough, match="large.json"):
        _tilemeter.import_reports(tmp_path / "large.json", tmp_path / "out", progress=told)
    assert not (tmp_path / "out").exists()


def test_an_interrupted_product_stops_at_once_and_the_process_goes_on() -> None:
    said = _child("""
device = ttnn.open_device(device_id=0)
def ones(*shape):
    return ttnn.ones(list(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
a, b, wide = ones(2048, 2048), ones(2048, 2048), ones(2048, 8 * 2048)
began = time.monotonic()
ttnn.matmul(a, b)
expected = 8 * (time.monotonic() - began)
with ttnn.graph.capture() as taken:
    arrived = interrupted_after(min(0.1, expected / 4), lambda: ttnn.matmul(a, wide))
assert taken.python_io[0]["error"]["type"] == "KeyboardInterrupt", taken.python_io
assert ttnn.add(ones(32, 32), 1.0).to_numpy().max() == 2.0
print(expected, arrived)
sys.stdout.flush()
os._exit(0)  # without waiting for what was left
""")
    expected, arrived = (float(each) for each in said.split())
    assert arrived < max(1.0, expected / 2), (expected, arrived)


def test_an_interrupted_analysis_stops_at_once(tmp_path: pathlib.Path) -> None:
    with ttnn.graph.capture(tmp_path / "r.json"):
        for _ in range(60000):
            ttnn.graph.track_function_start("step")
            ttnn.graph.track_function_end()
    arrived = _child(f"""
def forever():
    while True:
        ttnn.graph.find_peak({str(tmp_path / "r.json")!r})
print(interrupted_after(0.2, forever))
""")
    assert float(arrived) < PATIENCE_S


def _longest_gap(work: Any) -> tuple[float, float]:
    """Runs `work` beside a thread that ticks: the longest time between two ticks, the time of the work; seconds."""
    ticks: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    work()
    ended = time.monotonic()
    stop.set()
    thread.join()
    inside = [began] + [at for at in ticks if began <= at <= ended] + [ended]
    return max(b - a for a, b in zip(inside, inside[1:])), ended - began


@pytest.mark.parametrize("kind", ["product", "import", "upload"])
def test_other_threads_go_on_during_long_work(kind: str, device: Any, tmp_path: pathlib.Path) -> None:
    if kind == "product":
        a = tiles(device, 2048, 2048, memory_config=ttnn.DRAM_MEMORY_CONFIG)
        gap, whole = _longest_gap(lambda: ttnn.matmul(a, a))
    elif kind == "import":
        reports = _large_folder(tmp_path / "reports", 10)
        gap, whole = _longest_gap(lambda: ttnn.graph.import_report(reports, tmp_path / "out"))
    else:
        values = numpy.ones((4096, 4096), numpy.float32)
        gap, whole = _longest_gap(
            lambda: ttnn.from_numpy(values, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
        )
    assert gap < whole / 2 or whole < 0.05, (gap, whole)
