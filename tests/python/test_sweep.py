# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Sweeps: the same rows whatever runs them, in order, with what stops each."""

from __future__ import annotations

import json
import os
import pathlib
import signal
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import tilemeter as ttnn


def work(size: int, sharded: bool = False) -> None:
    device = ttnn.open_device(device_id=0)
    try:
        config = ttnn.L1_MEMORY_CONFIG if sharded else ttnn.DRAM_MEMORY_CONFIG
        x = ttnn.ones([1, 1, size, size], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=config)
        ttnn.exp(x, memory_config=config)
    finally:
        ttnn.close_device(device)


def fail_sometimes(size: int) -> None:
    if size == 3:
        raise ValueError("three\nis not wanted")
    work(32 * size)


def die_sometimes(size: int, flag: str) -> None:
    if size == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    if size == 5 and not os.path.exists(flag):  # once: a machine that failed
        pathlib.Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    work(32 * size)


CONFIGURATIONS = [{"size": size, "sharded": sharded} for size in (32, 1024, 4096, 8192) for sharded in (False, True)]


class Now(Executor):
    def submit(self, function, /, *arguments, **named):  # type: ignore[no-untyped-def]
        future: Future = Future()
        future.set_result(function(*arguments, **named))
        return future


def test_rows_are_equal_whatever_runs_them() -> None:
    rows = ttnn.sweep(work, CONFIGURATIONS, Now())
    assert [{key: row[key] for key in ("size", "sharded")} for row in rows] == CONFIGURATIONS
    assert [row["fits"] for row in rows] == [True] * 6 + [True, False]
    assert rows[-1]["stopped_by"] and "L1" in rows[-1]["message"]
    assert rows[1]["l1_bytes_per_core"] > 0 and rows[0]["dram_bytes_per_bank"] > 0
    assert ttnn.sweep(work, CONFIGURATIONS) == rows
    with ProcessPoolExecutor(2) as processes, ThreadPoolExecutor(1) as thread:
        assert ttnn.sweep(work, CONFIGURATIONS, processes) == rows
        assert ttnn.sweep(work, CONFIGURATIONS, thread) == rows
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        assert ttnn.sweep(work, CONFIGURATIONS, client.get_executor()) == rows


def test_a_function_that_cannot_be_sent_runs_here() -> None:
    seen = []
    rows = ttnn.sweep(lambda size: (seen.append(size), work(size))[0], [{"size": 32}, {"size": 64}])
    assert seen == [32, 64] and [row["fits"] for row in rows] == [True, True]


def test_what_stops_a_configuration_is_said() -> None:
    rows = ttnn.sweep(fail_sometimes, [{"size": size} for size in range(1, 5)])
    assert [row["fits"] for row in rows] == [True, True, None, True]
    assert (rows[2]["verdict"], rows[2]["stopped_by"], rows[2]["message"]) == ("failed", "ValueError", "three")


def test_a_worker_that_dies_costs_its_configuration(tmp_path: pathlib.Path) -> None:
    rows = ttnn.sweep(die_sometimes, [{"size": size, "flag": str(tmp_path / "flag")} for size in range(1, 8)])
    assert [row["fits"] for row in rows] == [True, None, True, True, True, True, True]
    assert (rows[1]["verdict"], rows[1]["stopped_by"]) == ("unknown", "the worker died")


def test_rows_go_to_a_file_and_to_a_dataset(tmp_path: pathlib.Path) -> None:
    rows = ttnn.sweep(work, CONFIGURATIONS[:3], to=tmp_path / "rows.jsonl")
    assert [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()] == rows
    pytest.importorskip("duckdb")
    from tilemeter.fleet import Dataset, peak_trend

    assert ttnn.sweep(work, CONFIGURATIONS[:3], to=tmp_path / "dataset") == rows
    assert [each["l1_bytes"] for each in peak_trend(Dataset(tmp_path / "dataset"))] == [row["l1_bytes_per_core"] for row in rows]


def test_what_is_no_configuration_is_refused() -> None:
    with pytest.raises(TypeError, match="configuration 1: expected a dict"):
        ttnn.sweep(work, [{"size": 1}, 2])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="'fits' is a column"):
        ttnn.sweep(work, [{"fits": 1}])
    assert ttnn.sweep(work, []) == []
