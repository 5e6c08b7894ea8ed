# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Peaks of six models' steps of training at sizes, beside captures of steps of those sizes; what fits, and what is refused.

TILEMETER_TRAINING=all tries 30 sizes of each model on every board, and every size of a vocabulary.
"""

from __future__ import annotations

import contextlib
import gc
import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
import training_models

import tilemeter as ttnn
import tilemeter.trace as tp

ALL = os.environ.get("TILEMETER_TRAINING", "") == "all"
BOARDS = ["n150", "p150", "n300"] if ALL else ["p150"]
ROWS = [1, 2, 4, 8, 16, 31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129, 159, 160, 161, 191, 192, 193, 223, 224, 225, 255, 256,
        257, 320]
TOKENS = [1, 2, 4, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 47, 48, 49, 56, 63, 64, 65, 72, 79, 80, 81, 96, 97, 112, 127, 128]
BATCHES = [*range(1, 21), 24, 28, 31, 32, 33, 40, 47, 48, 49, 64]
SIZES = {"mlp": ROWS, "classifier": ROWS, "vit": BATCHES, "minilm": list(range(1, 31)), "decoder": TOKENS, "gpt2": TOKENS}
MODELS = {**training_models.MODELS, "minilm": lambda: training_models.minilm(layers=1, words=256)}


@contextlib.contextmanager
def board() -> Iterator[Any]:
    """Without what programs of other sizes have put on it, which stays until it is closed."""
    opened = ttnn.open_device(device_id=0)
    yield opened
    gc.collect()
    ttnn.close_device(opened)


@pytest.fixture(params=BOARDS)
def chosen_board(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", request.param)


class Step:
    """A model's step on a device, its activations in L1."""

    def __init__(self, device: Any, model: training_models.Model) -> None:
        self.device, self.model, self.run = device, model, model.step(ttnn.L1_MEMORY_CONFIG, "adamw")
        self.kept = (model.weights(device), model.states(device))

    def inputs(self, size: int) -> tuple[Any, ...]:
        return (*self.kept, *self.model.inputs(self.device, size))


def without_numbers_of_programs(message: str) -> str:
    return re.sub(r"program \d+", "program", message.splitlines()[0])


@pytest.mark.usefixtures("chosen_board")
@pytest.mark.parametrize("model", SIZES)
def test_peaks_at_sizes_are_those_of_captures(model: str) -> None:
    sizes = SIZES[model] if ALL else SIZES[model][:12:4]
    with board() as device:
        step = Step(device, MODELS[model]())
        found = tp.peak_at_sizes(step.run, step.inputs, 1, sizes[-1], seconds=600)
        del step
    assert len(found["computed"]) == sizes[-1]
    foretold = {each["size"]: each for each in found["computed"]}
    for size in sizes:
        with board() as device:
            step = Step(device, MODELS[model]())
            if foretold[size]["verdict"] == "fits":
                with ttnn.graph.capture() as taken:
                    step.run(*step.inputs(size))
                peak = (taken.peak().l1.bytes, taken.peak().dram.bytes)
                assert (foretold[size]["l1_bytes_per_core"], foretold[size]["dram_bytes_per_bank"]) == peak, size
            else:
                with pytest.raises(RuntimeError) as raised:
                    step.run(*step.inputs(size))
                assert without_numbers_of_programs(str(raised.value)) == without_numbers_of_programs(foretold[size]["message"])
                del raised
            del step


LARGEST = {"mlp": 1 << 20, "classifier": 1 << 20, "vit": 4096, "minilm": 256, "decoder": 1 << 16, "gpt2": 128}


@pytest.mark.usefixtures("chosen_board")
@pytest.mark.parametrize("model", [each for each in LARGEST if ALL or each == "minilm"])
def test_the_largest_size_runs_and_the_next_one_fails_as_foretold(model: str) -> None:
    with board() as device:
        step = Step(device, MODELS[model]())
        found = tp.peak_at_sizes(step.run, step.inputs, 1, LARGEST[model], seconds=0)
        del step
    largest, following = found["largest_fitting"]["size"], found["next"]
    with board() as device:
        step = Step(device, MODELS[model]())
        with ttnn.graph.capture() as taken:
            step.run(*step.inputs(largest))
        assert taken.peak().l1.bytes == found["largest_fitting"]["l1_bytes_per_core"]
        del step
    if following is None:
        assert largest == LARGEST[model]
        return
    assert following["size"] == largest + 1
    with board() as device:
        step = Step(device, MODELS[model]())
        with pytest.raises(RuntimeError) as raised:
            step.run(*step.inputs(largest + 1))
        assert without_numbers_of_programs(str(raised.value)) == without_numbers_of_programs(following["message"])
        del step, raised


def test_the_way_back_fits_at_every_vocabulary_whatever_program_repeats_its_rows(device: Any) -> None:
    """Rows of which two have no room in a core are repeated by another program, longer ones by a third (FLOAT32)."""
    rows, width = 1536, 32

    def zeros(*shape: int) -> Any:
        return ttnn.zeros(list(shape), dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)

    def loss(w: Any, x: Any) -> Any:
        y = ttnn.linear(x, w)
        return ttnn.mean(ttnn.multiply(y, y))

    x, step = zeros(rows, width), tp.grad(loss, (0, 1))
    found = tp.peak_at_sizes(step, lambda tiles: (zeros(width, 32 * tiles), x), 440, 600, seconds=60, name="tiles")
    forward = tp.peak_at_sizes(loss, lambda tiles: (zeros(width, 32 * tiles), x), 440, 600, seconds=60, name="tiles")
    assert forward["failing_below"] == [] and forward["largest_fitting"]["size"] == 600
    assert found["failing_below"] == [] and found["largest_fitting"]["size"] == 600
    for tiles in range(440, 601) if ALL else (440, 483, 484, 530, 576, 577):
        w = zeros(width, 32 * tiles)
        step(w, x)
