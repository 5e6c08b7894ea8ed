# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Losses of three models on a device, for tests of training steps: weights are random, sizes are chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minilm_encoder
import numpy as np

import tilemeter as ttnn

Loss = Callable[..., Any]


class Tensors:
    """Tensors in DRAM of small random numbers."""

    def __init__(self, device: Any) -> None:
        self.device, self.random = device, np.random.default_rng(7)

    def __call__(self, *shape: int, layout: Any = ttnn.TILE_LAYOUT) -> Any:
        values = (self.random.standard_normal(shape) * 0.1).astype(np.float32)
        return ttnn.from_numpy(values, dtype=ttnn.bfloat16, layout=layout, device=self.device)

    def indices(self, high: int, *shape: int) -> Any:
        values = self.random.integers(0, high, shape).astype(np.uint32)
        return ttnn.from_numpy(values, dtype=ttnn.uint32, layout=ttnn.ROW_MAJOR_LAYOUT, device=self.device)


def mean_square(x: Any) -> Any:
    return ttnn.mean(ttnn.multiply(x, x))


def minilm(device: Any, sentences: int = 1, layers: int = 6, vocabulary: int = 512) -> tuple[Loss, list[Any]]:
    """minilm_encoder.py's encoder and the mean square of its last layer; the gradients are those of all matrices and vectors of
    its layers."""
    random, hidden = np.random.default_rng(7), minilm_encoder.HIDDEN
    sizes = {"attention.self.query": (hidden, hidden), "attention.self.key": (hidden, hidden), "attention.self.value": (hidden, hidden),
             "attention.output.dense": (hidden, hidden), "intermediate.dense": (4 * hidden, hidden),
             "output.dense": (hidden, 4 * hidden)}
    arrays = {"embeddings.LayerNorm.weight": np.ones(hidden), "embeddings.LayerNorm.bias": np.zeros(hidden),
              "embeddings.word_embeddings.weight": random.standard_normal((vocabulary, hidden)),
              "embeddings.token_type_embeddings.weight": random.standard_normal((2, hidden)),
              "embeddings.position_embeddings.weight": random.standard_normal((512, hidden))}
    for number in range(layers):
        prefix = f"encoder.layer.{number}"
        for name, size in sizes.items():
            arrays[f"{prefix}.{name}.weight"] = random.standard_normal(size) * 0.05
            arrays[f"{prefix}.{name}.bias"] = random.standard_normal(size[:1]) * 0.05
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            arrays[f"{prefix}.{name}.weight"], arrays[f"{prefix}.{name}.bias"] = np.ones(hidden), np.zeros(hidden)
    encoder = minilm_encoder.Encoder(ttnn, device, {name: each.astype(np.float32) for name, each in arrays.items()}, layers)
    given = encoder.inputs([list(random.integers(0, vocabulary, 100)) for _ in range(sentences)])
    names = [name for name in encoder.weights if name.startswith("encoder.")]
    weights = [encoder.weights[name] for name in names]

    def loss(tokens: Any, mask: Any, *weights: Any) -> Any:
        encoder.weights.update(zip(names, weights))
        return mean_square(encoder.forward(tokens, mask))

    return loss, [*given, *weights]


def decoder(device: Any, layers: int = 2, hidden: int = 256, heads: int = 4, ffn: int = 704, sequence: int = 128) -> tuple[Loss, list[Any]]:
    """Attention with RMS norms, SwiGLU, activations in L1: as in the shared workload, without its deallocations, which would free
    what the way back reads."""
    tensor, l1 = Tensors(device), ttnn.L1_MEMORY_CONFIG
    shapes = [(1, hidden), (1, hidden), (hidden, 3 * hidden), (hidden, hidden), (hidden, ffn), (hidden, ffn), (ffn, hidden)]
    weights = [tensor(*shape) for _ in range(layers) for shape in shapes]

    def layer(x: Any, norm1: Any, norm2: Any, qkv: Any, out: Any, gate: Any, up: Any, down: Any) -> Any:
        fused = ttnn.linear(ttnn.rms_norm(x, epsilon=1e-5, weight=norm1, memory_config=l1), qkv, memory_config=l1)
        q, k, v = ttnn.experimental.nlp_create_qkv_heads(fused, num_heads=heads, num_kv_heads=heads, transpose_k_heads=False,
                                                         memory_config=ttnn.DRAM_MEMORY_CONFIG)
        context = ttnn.transformer.scaled_dot_product_attention(q, k, v, is_causal=True)
        merged = ttnn.experimental.nlp_concat_heads(context, memory_config=l1)
        x = ttnn.add(x, ttnn.linear(merged, out, memory_config=l1), memory_config=l1)
        n = ttnn.rms_norm(x, epsilon=1e-5, weight=norm2, memory_config=l1)
        product = ttnn.mul(ttnn.linear(n, gate, activation="silu", memory_config=l1), ttnn.linear(n, up, memory_config=l1),
                           memory_config=l1)
        return ttnn.add(x, ttnn.linear(product, down, memory_config=l1), memory_config=ttnn.DRAM_MEMORY_CONFIG)

    def loss(x: Any, *weights: Any) -> Any:
        for first in range(0, len(weights), len(shapes)):
            x = layer(x, *weights[first : first + len(shapes)])
        return mean_square(x)

    return loss, [tensor(1, 1, sequence, hidden), *weights]


def gpt2_block(device: Any, blocks: int = 2) -> tuple[Loss, list[Any]]:
    """scripts/gpt2_block.py up to its logits, without its deallocations."""
    d, h, s = 256, 4, 64
    tensor = Tensors(device)
    shapes = [(1, d), (1, d), (d, 3 * d), (1, 3 * d), (d, d), (1, d), (1, d), (1, d), (d, 4 * d), (1, 4 * d), (4 * d, d), (1, d)]
    weights = [tensor(*shape) for shape in shapes]
    words, places = (tensor(rows, d, layout=ttnn.ROW_MAJOR_LAYOUT) for rows in (1024, 128))
    mask = tensor(1, 1, s, s)

    def loss(ids: Any, pos: Any, *weights: Any) -> Any:
        ln1w, ln1b, wqkv, bqkv, wo, bo, ln2w, ln2b, w1, b1, w2, b2 = weights
        x = ttnn.add(ttnn.embedding(ids, words, layout=ttnn.TILE_LAYOUT), ttnn.embedding(pos, places, layout=ttnn.TILE_LAYOUT))
        for _ in range(blocks):
            qkv = ttnn.linear(ttnn.layer_norm(x, weight=ln1w, bias=ln1b, epsilon=1e-5), wqkv, bias=bqkv)
            q, k, v = ttnn.transformer.split_query_key_value_and_split_heads(qkv, num_heads=h)
            scores = ttnn.multiply(ttnn.matmul(q, k), (d // h) ** -0.5) + mask
            context = ttnn.transformer.concatenate_heads(ttnn.matmul(ttnn.softmax(scores, dim=-1), v))
            x = ttnn.add(x, ttnn.linear(context, wo, bias=bo))
            y = ttnn.layer_norm(x, weight=ln2w, bias=ln2b, epsilon=1e-5)
            x = x + ttnn.linear(ttnn.linear(y, w1, bias=b1, activation="gelu"), w2, bias=b2)
        return mean_square(ttnn.matmul(x, ttnn.transpose(ttnn.to_layout(words, ttnn.TILE_LAYOUT), -2, -1)))

    return loss, [tensor.indices(1024, 1, s), tensor.indices(128, 1, s), *weights]
