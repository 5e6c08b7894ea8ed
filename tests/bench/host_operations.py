# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""One side of host_beside_torch: reads questions as lines of JSON, makes and times calls, answers in lines of JSON.

["prepare", operation, dtype, width], then any number of ["run", repeats] and ["plan", repeats].
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

HIDDEN, HEADS, UP, LAYERS, SENTENCES, TOKENS, EPSILON = 384, 12, 1536, 6, 8, 128, 1e-12
HEIGHT, CHANNELS = 32, 32  # of a convolution's image


def drawn(*shape: int, scale: float = 1.0) -> Any:
    return np.random.default_rng(0).standard_normal(shape, np.float32) * np.float32(scale)


def minilm_weights() -> dict[str, Any]:
    """Weights with the sizes and names of all-MiniLM-L6-v2, but a table of 1,000 words."""
    sizes = {
        **{f"attention.self.{part}": (HIDDEN, HIDDEN) for part in ("query", "key", "value")},
        "attention.output.dense": (HIDDEN, HIDDEN),
        "intermediate.dense": (UP, HIDDEN),
        "output.dense": (HIDDEN, UP),
    }
    weights = {
        "embeddings.word_embeddings.weight": drawn(1000, HIDDEN),
        "embeddings.token_type_embeddings.weight": drawn(2, HIDDEN),
        "embeddings.position_embeddings.weight": drawn(512, HIDDEN),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}"
        norms += [f"{prefix}.attention.output.LayerNorm", f"{prefix}.output.LayerNorm"]
        for name, size in sizes.items():
            weights[f"{prefix}.{name}.weight"] = drawn(*size, scale=0.05)
            weights[f"{prefix}.{name}.bias"] = drawn(size[0], scale=0.05)
    for name in norms:
        weights[f"{name}.weight"], weights[f"{name}.bias"] = np.ones(HIDDEN, np.float32), np.zeros(HIDDEN, np.float32)
    return weights


def sentences() -> Any:
    return np.random.default_rng(0).integers(0, 1000, (SENTENCES, TOKENS)).astype(np.uint32)


class Tilemeter:
    def __init__(self, threads: int) -> None:  # threads: by TILEMETER_THREADS
        import tilemeter as ttnn

        sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "python"))
        self.ttnn, self.device = ttnn, ttnn.open_device(device_id=0, l1_small_size=16384)

    def plan(self, run: Callable[[], object], repeats: int) -> float:
        """CPU seconds of so many calls without values."""
        with self.ttnn.graph.capture(run_mode=self.ttnn.graph.RunMode.NO_DISPATCH):
            run()
            begin = time.process_time()
            for _ in range(repeats):
                run()
            return time.process_time() - begin

    def call(self, operation: str, dtype_name: str, width: int) -> Callable[[], object]:
        ttnn, dtype = self.ttnn, getattr(self.ttnn, dtype_name)

        def on_device(array: Any, layout: Any = ttnn.TILE_LAYOUT) -> Any:
            return ttnn.from_numpy(array, dtype=dtype, layout=layout, device=self.device)

        if operation == "minilm":
            return self.minilm(dtype)
        if operation == "conv2d":
            return self.convolution(on_device, dtype, width)
        x, y = on_device(drawn(width, width)), on_device(drawn(width, width, scale=0.5))
        if operation == "layer_norm":
            weight, bias = on_device(drawn(1, width)), on_device(drawn(1, width))
            return lambda: ttnn.layer_norm(x, weight=weight, bias=bias)
        if operation == "softmax":
            return lambda: ttnn.softmax(x, dim=-1)
        function = getattr(ttnn, operation)
        return (lambda: function(x)) if operation in ("relu", "exp", "gelu") else (lambda: function(x, y))

    def convolution(self, on_device: Callable[..., Any], dtype: Any, width: int) -> Callable[[], object]:
        ttnn = self.ttnn
        x = on_device(drawn(1, 1, HEIGHT * width, CHANNELS), ttnn.ROW_MAJOR_LAYOUT)
        weight = ttnn.from_numpy(drawn(CHANNELS, CHANNELS, 3, 3, scale=0.1), dtype=dtype)
        options = {
            "in_channels": CHANNELS, "out_channels": CHANNELS, "batch_size": 1, "input_height": HEIGHT, "input_width": width,
            "kernel_size": (3, 3), "stride": (1, 1), "padding": (1, 1), "dilation": (1, 1), "groups": 1, "device": self.device,
            "conv_config": ttnn.Conv2dConfig(weights_dtype=dtype), "dtype": dtype,
        }  # fmt: skip
        _, [prepared, _] = ttnn.conv2d(input_tensor=x, weight_tensor=weight, return_weights_and_bias=True, **options)
        return lambda: ttnn.conv2d(input_tensor=x, weight_tensor=prepared, **options)

    def minilm(self, dtype: Any) -> Callable[[], object]:
        import minilm_encoder

        class Encoder(minilm_encoder.Encoder):
            def on_device(self, array: Any, **more: Any) -> Any:
                return super().on_device(array, **{"dtype": dtype, **more})

        encoder = Encoder(self.ttnn, self.device, minilm_weights(), LAYERS)
        tokens, mask = encoder.inputs([list(each) for each in sentences()])
        return lambda: encoder.forward(tokens, mask)


class Torch:
    def __init__(self, threads: int) -> None:
        import torch

        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        self.torch = torch

    def plan(self, run: Callable[[], object], repeats: int) -> float:
        raise AssertionError("torch plans nothing")

    def call(self, operation: str, dtype_name: str, width: int) -> Callable[[], object]:
        torch, dtype = self.torch, getattr(self.torch, dtype_name)
        functional = torch.nn.functional

        def tensor(array: Any) -> Any:
            return torch.from_numpy(array).to(dtype)

        if operation == "minilm":
            return self.minilm(tensor)
        if operation == "conv2d":
            x = tensor(drawn(1, CHANNELS, HEIGHT, width)).contiguous(memory_format=torch.channels_last)
            kernel = tensor(drawn(CHANNELS, CHANNELS, 3, 3, scale=0.1)).contiguous(memory_format=torch.channels_last)
            return lambda: functional.conv2d(x, kernel, padding=1)
        x, y = tensor(drawn(width, width)), tensor(drawn(width, width, scale=0.5))
        if operation == "layer_norm":
            weight, bias = tensor(drawn(width)), tensor(drawn(width))
            return lambda: functional.layer_norm(x, (width,), weight, bias)
        if operation == "softmax":
            return lambda: torch.softmax(x, dim=-1)
        if operation == "gelu":
            return lambda: functional.gelu(x)
        function = getattr(torch, operation)
        return (lambda: function(x)) if operation in ("relu", "exp") else (lambda: function(x, y))

    def minilm(self, tensor: Callable[[Any], Any]) -> Callable[[], object]:
        torch, functional = self.torch, self.torch.nn.functional
        weights = {name: tensor(array) for name, array in minilm_weights().items()}
        tokens = torch.from_numpy(sentences().astype(np.int64))
        positions = weights["embeddings.position_embeddings.weight"][:TOKENS] + weights["embeddings.token_type_embeddings.weight"][0]
        mask = torch.zeros((SENTENCES, 1, 1, TOKENS), dtype=positions.dtype)

        def linear(x: Any, name: str) -> Any:
            return functional.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

        def norm(x: Any, name: str) -> Any:
            return functional.layer_norm(x, (HIDDEN,), weights[f"{name}.weight"], weights[f"{name}.bias"], EPSILON)

        def heads(x: Any, name: str) -> Any:
            return linear(x, name).view(SENTENCES, TOKENS, HEADS, HIDDEN // HEADS).transpose(1, 2)

        def run() -> Any:
            x = norm(functional.embedding(tokens, weights["embeddings.word_embeddings.weight"]) + positions, "embeddings.LayerNorm")
            for layer in range(LAYERS):
                prefix = f"encoder.layer.{layer}"
                q, k, v = (heads(x, f"{prefix}.attention.self.{part}") for part in ("query", "key", "value"))
                context = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
                merged = context.transpose(1, 2).reshape(SENTENCES, TOKENS, HIDDEN)
                projected = linear(merged, f"{prefix}.attention.output.dense")
                h = norm(projected + x, f"{prefix}.attention.output.LayerNorm")
                up = functional.gelu(linear(h, f"{prefix}.intermediate.dense"))
                x = norm(linear(up, f"{prefix}.output.dense") + h, f"{prefix}.output.LayerNorm")
            return x

        return run


def main() -> None:
    side = {"tilemeter": Tilemeter, "torch": Torch}[sys.argv[1]](int(sys.argv[2]))
    run: Callable[[], object] = lambda: None
    for line in sys.stdin:
        action, *arguments = json.loads(line)
        answer = {}
        if action == "prepare":
            run = side.call(*arguments)
        elif action == "plan":
            answer = {"cpu": side.plan(run, arguments[0]) / arguments[0] * 1e6}
        else:
            cpu, wall = time.process_time(), time.perf_counter()
            for _ in range(arguments[0]):
                run()
            answer = {
                "us": (time.perf_counter() - wall) / arguments[0] * 1e6,
                "cpu": (time.process_time() - cpu) / arguments[0] * 1e6,
            }
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
