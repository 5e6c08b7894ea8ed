# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Steps of training of six models, planned: beside captures of their replays, values included, and replayed many times.

TILEMETER_TRAINING=all tries every optimizer and memory on every board, the models in larger sizes too, and 1,000 replays.
"""

from __future__ import annotations

import gc
import os
import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import optree
import pytest
import training_models
from saved_plans import expect_plan_is_replay

import tilemeter as ttnn
import tilemeter.trace as tp

ALL = os.environ.get("TILEMETER_TRAINING", "") == "all"
BOARDS = ["n150", "p150", "n300"] if ALL else ["n150", "p150"]
PLACES = [(memory, optimizer) for memory in ("DRAM", "L1") for optimizer in ("sgd", "adamw")
          if ALL or (memory == "L1") == (optimizer == "adamw")]
SMALL = {**training_models.MODELS, "minilm": lambda: training_models.minilm(layers=1, words=256)}
LARGE = {
    "mlp": lambda: training_models.mlp(784, 1024), "minilm": training_models.minilm,
    "decoder": lambda: training_models.decoder(2, 1024, 16, 2816), "gpt2": lambda: training_models.gpt2(4, 512, 8, 4096)}
CASES = [*SMALL.items(), *((f"large_{name}", model) for name, model in LARGE.items() if ALL)]


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("TILEMETER_DEVICE", request.param)
    opened = ttnn.open_device(device_id=0)
    yield opened
    gc.collect()
    ttnn.close_device(opened)


def arguments(device: Any, model: training_models.Model) -> tuple[Any, ...]:
    return (model.weights(device), model.states(device), *model.inputs(device, model.size))


def bytes_of(result: Any) -> list[bytes]:
    return [each.to_numpy().tobytes() for each in optree.tree_leaves(result)]


def allocated(device: Any) -> list[int]:
    return [ttnn.get_memory_view(device, each).total_bytes_allocated_per_bank
            for each in (ttnn.BufferType.DRAM, ttnn.BufferType.L1)]


@pytest.mark.parametrize("model", [make for _, make in CASES], ids=[name for name, _ in CASES])
@pytest.mark.parametrize(("memory", "optimizer"), PLACES)
def test_the_plan_of_a_step_is_its_replay(board: Any, tmp_path: pathlib.Path, model: Any, memory: str, optimizer: str) -> None:
    step = model().step(getattr(ttnn, f"{memory}_MEMORY_CONFIG"), optimizer)
    given = arguments(board, model())
    expected = bytes_of(step(*given))  # puts the tables of programs on the device, too
    gc.collect()
    plan = tp.plan(step, *given)
    plan.save(tmp_path / "plan.json")
    with ttnn.graph.capture(tmp_path / "replay.json") as replayed:
        results = plan.replay(*given)
    expect_plan_is_replay(tmp_path / "plan.json", tmp_path / "replay.json")
    saved, measured, said = ttnn.graph.find_peak(str(tmp_path / "plan.json")), replayed.peak(), plan.memory()
    assert saved.l1.bytes == measured.l1.bytes == said["l1_per_core"]["bytes"] > 0
    assert saved.dram.bytes == measured.dram.bytes == said["dram_per_bank"]["bytes"] > 0
    assert "at least" not in str(saved)
    assert bytes_of(results) == expected


@pytest.mark.parametrize("model", SMALL.values(), ids=SMALL)
def test_replays_keep_nothing(device: Any, model: Any) -> None:
    plan, given = None, arguments(device, model())
    plan = tp.plan(model().step(ttnn.L1_MEMORY_CONFIG, "adamw"), *given)
    loss, weights, states = plan.replay(*given)
    del loss
    steps, before, resident = 1000 if ALL else 10, allocated(device), []
    for number in range(steps):
        loss, weights, states = plan.replay(weights, states, *given[2:])
        assert np.isfinite(loss.to_numpy()).all()
        del loss
        if number in (steps // 2, steps - 1):
            gc.collect()
            assert allocated(device) == before
            resident.append(int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096)
    assert resident[1] - resident[0] < 8 << 20
