# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""all-MiniLM-L6-v2's encoder, as a TT-NN user writes it: six layers of attention and feed-forward.

Hidden size 384, 12 heads, feed-forward 1536, sequences of 128 tokens; activations in L1 unless said.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy

HIDDEN, HEADS, SEQUENCE, EPSILON = 384, 12, 128, 1e-12
PADDING = -1e9  # softmax makes it 0

Array = Any


def read_safetensors(path: pathlib.Path) -> dict[str, Array]:
    """The float32 arrays of a safetensors file: 8 bytes of header length, a JSON header, the values."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    return {
        name: numpy.frombuffer(data, numpy.float32, offset=start + facts["data_offsets"][0],
                               count=int(numpy.prod(facts["shape"]))).reshape(facts["shape"])
        for name, facts in header.items()
        if facts.get("dtype") == "F32"
    }


class Encoder:
    """weights: arrays by their names in the model's file, matrices as [out, in]."""

    def __init__(self, ttnn: Any, device: Any, weights: dict[str, Array], layers: int = 6) -> None:
        self.ttnn, self.device, self.layers, self.memory = ttnn, device, layers, ttnn.L1_MEMORY_CONFIG
        self.weights = {
            name: self.on_device(array.T if array.ndim == 2 and "embeddings" not in name else array)
            for name, array in weights.items()
            if name.startswith(("encoder.", "embeddings.LayerNorm"))
        }
        table = weights["embeddings.word_embeddings.weight"]
        self.words = self.on_device(table, layout=ttnn.ROW_MAJOR_LAYOUT)
        types = weights["embeddings.token_type_embeddings.weight"][0]
        self.positions = self.on_device(weights["embeddings.position_embeddings.weight"][None, :SEQUENCE] + types)

    @classmethod
    def of_tensors(cls, ttnn: Any, tensors: dict[str, Any], layers: int, memory: Any) -> Encoder:
        """An encoder of weights that are on the device: by their names, "words" and "positions" beside them."""
        made = cls.__new__(cls)
        made.ttnn, made.layers, made.memory, made.weights = ttnn, layers, memory, tensors
        made.words, made.positions = tensors["words"], tensors["positions"]
        return made

    def on_device(self, array: Array, **more: Any) -> Any:
        """A tensor in DRAM; vectors become rows."""
        array = array[None] if array.ndim == 1 else array
        options = {"dtype": self.ttnn.bfloat16, "layout": self.ttnn.TILE_LAYOUT, "device": self.device, **more}
        return self.ttnn.from_numpy(numpy.ascontiguousarray(array), **options)

    def linear(self, x: Any, name: str, **more: Any) -> Any:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return self.ttnn.linear(x, weight, bias=bias, memory_config=self.memory, **more)

    def norm(self, x: Any, name: str) -> Any:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return self.ttnn.layer_norm(x, epsilon=EPSILON, weight=weight, bias=bias,
                                    memory_config=self.memory)

    def heads(self, x: Any, name: str, order: tuple[int, ...]) -> Any:
        y = self.linear(x, name)
        split = self.ttnn.reshape(y, [x.shape[0], SEQUENCE, HEADS, HIDDEN // HEADS])
        return self.ttnn.permute(split, order, memory_config=self.memory)

    def layer(self, x: Any, mask: Any, prefix: str) -> Any:
        ttnn, memory = self.ttnn, self.memory
        attention = f"{prefix}.attention.self"
        q = self.heads(x, f"{attention}.query", (0, 2, 1, 3))
        k = self.heads(x, f"{attention}.key", (0, 2, 3, 1))
        v = self.heads(x, f"{attention}.value", (0, 2, 1, 3))
        scores = ttnn.multiply(ttnn.matmul(q, k, memory_config=memory), (HIDDEN // HEADS) ** -0.5, memory_config=memory)
        attended = ttnn.softmax(ttnn.add(scores, mask, memory_config=memory), dim=-1, memory_config=memory)
        context = ttnn.permute(ttnn.matmul(attended, v, memory_config=memory), (0, 2, 1, 3), memory_config=memory)
        merged = ttnn.reshape(context, [x.shape[0], SEQUENCE, HIDDEN])
        projected = self.linear(merged, f"{prefix}.attention.output.dense")
        h = self.norm(ttnn.add(projected, x, memory_config=memory), f"{prefix}.attention.output.LayerNorm")
        up = self.linear(h, f"{prefix}.intermediate.dense", activation="gelu")
        down = self.linear(up, f"{prefix}.output.dense")
        return self.norm(ttnn.add(down, h, memory_config=memory), f"{prefix}.output.LayerNorm")

    def inputs(self, sentences: list[list[int]]) -> tuple[Any, Any]:
        """Token ids of sentences and the mask of what is padding, on the device."""
        tokens = numpy.zeros((len(sentences), SEQUENCE), numpy.uint32)
        mask = numpy.full((len(sentences), 1, 1, SEQUENCE), PADDING, numpy.float32)
        for row, ids in enumerate(sentences):
            tokens[row, : len(ids)] = ids
            mask[row, 0, 0, : len(ids)] = 0
        return self.on_device(tokens, dtype=self.ttnn.uint32, layout=self.ttnn.ROW_MAJOR_LAYOUT), self.on_device(mask)

    def forward(self, tokens: Any, mask: Any) -> Any:
        """The last layer's output, on the device."""
        ttnn = self.ttnn
        embedded = ttnn.embedding(tokens, self.words, layout=ttnn.TILE_LAYOUT, memory_config=self.memory)
        x = self.norm(ttnn.add(embedded, self.positions, memory_config=self.memory), "embeddings.LayerNorm")
        for number in range(self.layers):
            x = self.layer(x, mask, f"encoder.layer.{number}")
        return x

    def __call__(self, sentences: list[list[int]]) -> Array:
        """Token ids of sentences -> the last layer's output, [sentences, 128, 384]."""
        return self.forward(*self.inputs(sentences)).to_numpy()


def embeddings(hidden: Array, sentences: list[list[int]]) -> Array:
    """The mean of each sentence's tokens, scaled to length 1: [sentences, 384]."""
    means = numpy.stack([hidden[row, : len(ids)].mean(axis=0) for row, ids in enumerate(sentences)])
    return means / numpy.linalg.norm(means, axis=1, keepdims=True)
