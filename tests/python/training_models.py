# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Six models as steps of training: loss, gradients, optimizer. Their weights and inputs are arguments, none lies outside.

A model is a loss of weights, inputs and where activations are; a step of it takes weights, the optimizer's states and
inputs, and returns the loss and what replaces weights and states. A model's size is a number of rows, images, sentences or
tokens.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import minilm_encoder
import numpy as np

import tilemeter as ttnn
import tilemeter.trace as tp

Tree = dict[str, Any]


def tiles(device: Any, seed: int, *shape: int, layout: Any = ttnn.TILE_LAYOUT) -> Any:
    values = np.random.default_rng(seed).uniform(-0.1, 0.1, shape).astype(np.float32)
    return ttnn.from_numpy(values, dtype=ttnn.bfloat16, layout=layout, device=device)


def indices(device: Any, seed: int, high: int, *shape: int) -> Any:
    values = np.random.default_rng(seed).integers(0, high, shape, dtype=np.uint32)
    return ttnn.from_numpy(values, dtype=ttnn.uint32, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)


def random_weights(device: Any, shapes: dict[str, tuple[int, ...]]) -> Tree:
    return {name: tiles(device, seed, *shape) for seed, (name, shape) in enumerate(shapes.items())}


@dataclasses.dataclass(frozen=True)
class Model:
    """shapes: those of the weights. inputs: (device, size) -> what the loss takes beside weights. loss: (w, inputs, memory)."""

    shapes: dict[str, tuple[int, ...]]
    inputs: Callable[[Any, int], tuple[Any, ...]]
    loss: Callable[[Tree, tuple[Any, ...], Any], Any]
    size: int

    def weights(self, device: Any) -> Tree:
        return random_weights(device, self.shapes)

    def states(self, device: Any) -> tuple[Tree, Tree]:
        """Two for each weight: what adamw has; of which sgd's momentum is the first."""
        made = tuple({name: ttnn.zeros(list(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
                      for name, shape in self.shapes.items()} for _ in range(2))
        return made[0], made[1]

    def step(self, memory: Any, optimizer: str) -> Callable[..., Any]:
        def sgd(weights: Tree, states: tuple[Tree, Tree], *inputs: Any) -> Any:
            value, gradients = tp.value_and_grad(lambda w: self.loss(w, inputs, memory))(weights)
            momenta, second = states
            weights, momenta = dict(weights), dict(momenta)
            for name, gradient in gradients.items():
                weights[name], momenta[name] = ttnn.moreh_sgd(
                    weights[name], gradient, momenta[name], None, None, 0.1, 0.9, momentum_initialized=True)
            return value, weights, (momenta, second)

        def adamw(weights: Tree, states: tuple[Tree, Tree], *inputs: Any) -> Any:
            value, gradients = tp.value_and_grad(lambda w: self.loss(w, inputs, memory))(weights)
            weights, first, second = dict(weights), dict(states[0]), dict(states[1])
            for name, gradient in gradients.items():
                weights[name], first[name], second[name], _ = ttnn.moreh_adamw(
                    weights[name], gradient, first[name], second[name], step=1)
            return value, weights, (first, second)

        return {"sgd": sgd, "adamw": adamw}[optimizer]


def squared_distance(found: Any, wanted: Any, memory: Any) -> Any:
    wrong = ttnn.subtract(found, wanted, memory_config=memory)
    return ttnn.mean(ttnn.multiply(wrong, wrong, memory_config=memory))


# ---- layers of functions


def mlp(width: int = 96, hidden: int = 256) -> Model:
    def loss(w: Tree, inputs: tuple[Any, ...], memory: Any) -> Any:
        x, wanted = inputs
        x = ttnn.linear(x, w["first"], bias=w["first_bias"], activation="relu", memory_config=memory)
        x = ttnn.linear(x, w["second"], bias=w["second_bias"], memory_config=memory)
        x = ttnn.gelu(x, memory_config=memory)
        return squared_distance(ttnn.matmul(x, w["third"], memory_config=memory), wanted, memory)

    return Model({"first": (width, hidden), "first_bias": (1, hidden), "second": (hidden, hidden),
                  "second_bias": (1, hidden), "third": (hidden, 32)},
                 lambda device, rows: (tiles(device, 90, rows, width), tiles(device, 91, rows, 32)), loss, 64)


def classifier() -> Model:
    """scripts/training_loop.py's."""

    def loss(w: Tree, inputs: tuple[Any, ...], memory: Any) -> Any:
        x, target = inputs
        hidden = ttnn.linear(x, w["first"], bias=w["bias"], memory_config=memory)
        scores = ttnn.matmul(ttnn.gelu(hidden, memory_config=memory), w["second"], memory_config=memory)
        shares = ttnn.moreh_logsoftmax(scores, 1)
        return ttnn.moreh_mean(ttnn.neg(ttnn.multiply(shares, target)))

    return Model({"first": (96, 128), "bias": (1, 128), "second": (128, 32)},
                 lambda device, rows: (tiles(device, 90, rows, 96), tiles(device, 91, rows, 32)), loss, 64)


# ---- transformers


def vit(width: int = 192, heads: int = 3, patch: int = 16, image: int = 64) -> Model:
    """scripts/vit_patches.py's block, with a loss of the class token and the mean."""
    count = (image // patch) ** 2

    def loss(w: Tree, inputs: tuple[Any, ...], memory: Any) -> Any:
        x, wanted = inputs
        batch, n, tokens = x.shape[0], image // patch, count + 1
        t = ttnn.permute(x, (0, 2, 3, 1))
        t = ttnn.reshape(t, (batch, n, patch, n, patch * 3))
        t = ttnn.permute(t, (0, 1, 3, 2, 4))
        t = ttnn.reshape(t, (batch, count, patch * patch * 3))
        t = ttnn.to_layout(t, ttnn.TILE_LAYOUT)
        e = ttnn.linear(t, w["embed"], bias=w["embed_bias"], memory_config=memory)
        e = ttnn.concat([ttnn.repeat(w["token"], [batch, 1, 1]), e], dim=1)
        e = ttnn.add(e, w["positions"], memory_config=memory)
        y = ttnn.layer_norm(e, weight=w["norm"], bias=w["norm_bias"], memory_config=memory)
        q, k, v = (ttnn.transpose(ttnn.reshape(ttnn.linear(y, w[name], memory_config=memory),
                                               (batch, tokens, heads, width // heads)), 1, 2) for name in ("q", "k", "v"))
        a = ttnn.matmul(q, k, transpose_b=True, memory_config=memory)
        a = ttnn.softmax(ttnn.mul(a, (width // heads) ** -0.5, memory_config=memory), dim=-1, memory_config=memory)
        a = ttnn.transpose(ttnn.matmul(a, v, memory_config=memory), 1, 2)
        a = ttnn.reshape(a, (batch, tokens, width))
        head = ttnn.slice(a, [0, 0, 0], [batch, 1, width])
        mean = ttnn.mean(a, dim=1, keepdim=True)
        return squared_distance(ttnn.add(head, mean, memory_config=memory), wanted, memory)

    def inputs(device: Any, batch: int) -> tuple[Any, ...]:
        return (tiles(device, 90, batch, 3, image, image, layout=ttnn.ROW_MAJOR_LAYOUT),
                tiles(device, 91, batch, 1, width))

    return Model({"embed": (3 * patch * patch, width), "embed_bias": (1, width), "token": (1, 1, width),
                  "positions": (1, count + 1, width), "norm": (1, width), "norm_bias": (1, width),
                  "q": (width, width), "k": (width, width), "v": (width, width)}, inputs, loss, 1)


def minilm(layers: int = 6, words: int = 2048) -> Model:
    """minilm_encoder.py's encoder, with the distance of its last values from wanted ones as its loss."""
    hidden, wide, sequence = minilm_encoder.HIDDEN, 4 * minilm_encoder.HIDDEN, minilm_encoder.SEQUENCE
    shapes: dict[str, tuple[int, ...]] = {
        "words": (words, hidden), "positions": (1, sequence, hidden),
        "embeddings.LayerNorm.weight": (1, hidden), "embeddings.LayerNorm.bias": (1, hidden)}
    for number in range(layers):
        prefix = f"encoder.layer.{number}"
        for name, shape in (("attention.self.query", (hidden, hidden)), ("attention.self.key", (hidden, hidden)),
                            ("attention.self.value", (hidden, hidden)), ("attention.output.dense", (hidden, hidden)),
                            ("intermediate.dense", (hidden, wide)), ("output.dense", (wide, hidden))):
            shapes[f"{prefix}.{name}.weight"], shapes[f"{prefix}.{name}.bias"] = shape, (1, shape[1])
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes[f"{prefix}.{name}.weight"] = shapes[f"{prefix}.{name}.bias"] = (1, hidden)

    def loss(w: Tree, inputs: tuple[Any, ...], memory: Any) -> Any:
        tokens, mask, wanted = inputs
        encoder = minilm_encoder.Encoder.of_tensors(ttnn, w, layers, memory)
        return squared_distance(encoder.forward(tokens, mask), wanted, memory)

    def inputs(device: Any, sentences: int) -> tuple[Any, ...]:
        return (indices(device, 90, words, sentences, sequence), tiles(device, 91, sentences, 1, 1, sequence),
                tiles(device, 92, sentences, sequence, hidden))

    return Model(shapes, inputs, loss, 2)


def decoder(layers: int = 2, hidden: int = 256, heads: int = 4, wide: int = 704) -> Model:
    """A decoder with RMSNorm, fused QKV, causal attention and SwiGLU."""
    shapes: dict[str, tuple[int, ...]] = {}
    for i in range(layers):
        shapes.update({f"{i}.norm1": (1, hidden), f"{i}.qkv": (hidden, 3 * hidden), f"{i}.out": (hidden, hidden),
                       f"{i}.norm2": (1, hidden), f"{i}.gate": (hidden, wide), f"{i}.up": (hidden, wide),
                       f"{i}.down": (wide, hidden)})

    def attention(x: Any, w: Tree, i: int, memory: Any) -> Any:
        n = ttnn.rms_norm(x, epsilon=1e-5, weight=w[f"{i}.norm1"], memory_config=memory)
        qkv = ttnn.linear(n, w[f"{i}.qkv"], memory_config=memory)
        q, k, v = ttnn.experimental.nlp_create_qkv_heads(qkv, num_heads=heads, num_kv_heads=heads, transpose_k_heads=False,
                                                         memory_config=ttnn.DRAM_MEMORY_CONFIG)
        context = ttnn.transformer.scaled_dot_product_attention(q, k, v, is_causal=True)
        merged = ttnn.experimental.nlp_concat_heads(context, memory_config=memory)
        return ttnn.linear(merged, w[f"{i}.out"], memory_config=memory)

    def feed_forward(x: Any, w: Tree, i: int, memory: Any) -> Any:
        n = ttnn.rms_norm(x, epsilon=1e-5, weight=w[f"{i}.norm2"], memory_config=memory)
        gate = ttnn.linear(n, w[f"{i}.gate"], activation="silu", memory_config=memory)
        up = ttnn.linear(n, w[f"{i}.up"], memory_config=memory)
        return ttnn.linear(ttnn.mul(gate, up, memory_config=memory), w[f"{i}.down"], memory_config=memory)

    def loss(w: Tree, inputs: tuple[Any, ...], memory: Any) -> Any:
        x, wanted = inputs
        for i in range(layers):
            x = ttnn.add(x, attention(x, w, i, memory), memory_config=memory)
            x = ttnn.add(x, feed_forward(x, w, i, memory), memory_config=memory)
        return squared_distance(x, wanted, memory)

    def inputs(device: Any, tokens: int) -> tuple[Any, ...]:
        return tiles(device, 90, 1, 1, tokens, hidden), tiles(device, 91, 1, 1, tokens, hidden)

    return Model(shapes, inputs, loss, 128)


def gpt2(layers: int = 2, width: int = 256, heads: int = 4, words: int = 1024) -> Model:
    """scripts/gpt2_block.py's model, its words' table used twice, with a loss of its last logits."""
    shapes: dict[str, tuple[int, ...]] = {
        "words": (words, width), "positions": (128, width), "norm1": (1, width), "norm1_bias": (1, width),
        "norm2": (1, width), "norm2_bias": (1, width), "qkv": (width, 3 * width), "qkv_bias": (1, 3 * width),
        "out": (width, width), "out_bias": (1, width), "up": (width, 4 * width), "up_bias": (1, 4 * width),
        "down": (4 * width, width), "down_bias": (1, width)}

    def loss(w: Tree, inputs: tuple[Any, ...], memory: Any) -> Any:
        ids, places, mask, target = inputs
        tokens = ids.shape[1]
        x = ttnn.add(ttnn.embedding(ids, w["words"], layout=ttnn.TILE_LAYOUT),
                     ttnn.embedding(places, w["positions"], layout=ttnn.TILE_LAYOUT), memory_config=memory)
        for _ in range(layers):
            y = ttnn.layer_norm(x, weight=w["norm1"], bias=w["norm1_bias"], epsilon=1e-5, memory_config=memory)
            qkv = ttnn.linear(y, w["qkv"], bias=w["qkv_bias"], memory_config=memory)
            q, k, v = ttnn.transformer.split_query_key_value_and_split_heads(qkv, num_heads=heads)
            scores = ttnn.multiply(ttnn.matmul(q, k, memory_config=memory), (width // heads) ** -0.5, memory_config=memory)
            probabilities = ttnn.softmax(scores + mask, dim=-1, memory_config=memory)
            context = ttnn.transformer.concatenate_heads(ttnn.matmul(probabilities, v, memory_config=memory))
            x = ttnn.add(x, ttnn.linear(context, w["out"], bias=w["out_bias"], memory_config=memory), memory_config=memory)
            y = ttnn.layer_norm(x, weight=w["norm2"], bias=w["norm2_bias"], epsilon=1e-5, memory_config=memory)
            y = ttnn.linear(y, w["up"], bias=w["up_bias"], activation="gelu", memory_config=memory)
            x = x + ttnn.linear(y, w["down"], bias=w["down_bias"], memory_config=memory)
        logits = ttnn.matmul(x, ttnn.transpose(w["words"], -2, -1), memory_config=memory)
        last = ttnn.slice(logits, [0, tokens - 1, 0], [1, tokens, words])
        return ttnn.mean(ttnn.neg(ttnn.multiply(ttnn.moreh_logsoftmax(last, 2), target)))

    def inputs(device: Any, tokens: int) -> tuple[Any, ...]:
        return (indices(device, 90, words, 1, tokens), indices(device, 91, 128, 1, tokens),
                tiles(device, 92, 1, 1, tokens, tokens), tiles(device, 93, 1, 1, words))

    return Model(shapes, inputs, loss, 64)


MODELS: dict[str, Callable[[], Model]] = {
    "mlp": mlp, "classifier": classifier, "vit": vit, "minilm": minilm, "decoder": decoder, "gpt2": gpt2}
