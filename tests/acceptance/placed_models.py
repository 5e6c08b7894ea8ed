# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Models with their intermediates placed at ten budgets of L1, and the same under the real TT-NN on a mock device.

    placed_models.py --place OUT.json      with tilemeter: places them, runs each in what the budget leaves, prints a table
    placed_models.py --run OUT.json        with the real TT-NN: runs each with the same memory configs and frees
    placed_models.py --growth LAYERS       with tilemeter: seconds by the number of a decoder's layers, doubled up to LAYERS

The rest of L1 is taken by a tensor. Last line: N placements run, M fail.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import itertools
import json
import pathlib
import sys
import time
from typing import Any, Callable

PAGE = 2048  # of a tile of bfloat16: the unit of the budgets
HALOS = 24576  # bytes of L1_SMALL, in which convolutions keep the places of their halos


def attention(ttnn: Any, x: Any, qkv: Any, out: Any, heads: int, is_causal: bool = False) -> Any:
    fused = ttnn.linear(x, qkv)
    q, k, v = ttnn.transformer.split_query_key_value_and_split_heads(fused, num_heads=heads)
    scores = ttnn.matmul(q, k) if not is_causal else ttnn.multiply(ttnn.matmul(q, k), 0.125)
    weights = ttnn.softmax(scores, dim=-1)
    return ttnn.linear(ttnn.transformer.concatenate_heads(ttnn.matmul(weights, v)), out)


def block(ttnn: Any, x: Any, w: list[Any], heads: int, act: str = "gelu", pre_norm: bool = True, is_causal: bool = False) -> Any:
    if not pre_norm:
        x = ttnn.layer_norm(ttnn.add(x, attention(ttnn, x, w[0], w[1], heads)))
        return ttnn.layer_norm(ttnn.add(x, ttnn.linear(ttnn.gelu(ttnn.linear(x, w[2])), w[3])))
    x = ttnn.add(x, attention(ttnn, ttnn.layer_norm(x), w[0], w[1], heads, is_causal))
    h = ttnn.layer_norm(x)
    return ttnn.add(x, ttnn.linear(getattr(ttnn, act)(ttnn.linear(h, w[2])), w[3]))


def gated(ttnn: Any, x: Any, w: list[Any], heads: int) -> Any:
    x = ttnn.add(x, attention(ttnn, ttnn.rms_norm(x), w[0], w[1], heads, True))
    h = ttnn.rms_norm(x)
    gate, up = ttnn.silu(ttnn.linear(h, w[2])), ttnn.linear(h, w[3])
    return ttnn.add(x, ttnn.linear(ttnn.multiply(gate, up), w[4]))


SIDE, IMAGES = 56, 8  # of the images that ResNet-50's first stage reads


def bottleneck(ttnn: Any, x: Any, w: list[Any]) -> Any:
    """A block of ResNet-50's first stage. The weights are prepared, as a compiler has them."""

    def conv(x: Any, weight: Any, channels: tuple[int, int], side: int) -> Any:
        return ttnn.conv2d(
            input_tensor=x, weight_tensor=weight, device=w[0].device(), in_channels=channels[0], out_channels=channels[1], batch_size=IMAGES,
            input_height=SIDE, input_width=SIDE, kernel_size=(side, side), stride=(1, 1), padding=(side // 2, side // 2), dilation=(1, 1), groups=1,
        )

    h = ttnn.relu(conv(x, w[0], (256, 64), 1))
    h = ttnn.relu(conv(h, w[1], (64, 64), 3))
    return ttnn.relu(ttnn.add(conv(h, w[2], (64, 256), 1), x), memory_config=ttnn.DRAM_MEMORY_CONFIG)


def step(ttnn: Any, x: Any, target: Any, *weights: Any) -> list[Any]:
    """A training step of a perceptron of three layers: forward, backward, descent."""
    inner, made, value = [], [], x
    for number, weight in enumerate(weights):
        inner.append(value)
        made.append(ttnn.linear(value, weight))
        value = ttnn.gelu(made[-1]) if number + 1 < len(weights) else made[-1]
    gradient = ttnn.multiply(ttnn.subtract(value, target), 2.0 / 2048)
    new = []
    for number in reversed(range(len(weights))):
        if number + 1 < len(weights):
            gradient = ttnn.gelu_bw(gradient, made[number])[0]
        of_weight = ttnn.matmul(inner[number], gradient, transpose_a=True)
        new.append(ttnn.subtract(weights[number], ttnn.multiply(of_weight, 0.01), memory_config=ttnn.DRAM_MEMORY_CONFIG))
        if number:
            gradient = ttnn.matmul(gradient, weights[number], transpose_b=True)
    return new


def stacked(layer: Callable[..., Any], per_layer: int, *more: Any, **named: Any) -> Callable[..., Any]:
    def model(ttnn: Any, x: Any, *weights: Any) -> Any:
        for begin in range(0, len(weights), per_layer):
            x = layer(ttnn, x, list(weights[begin : begin + per_layer]), *more, **named)
        return x

    return model


def transformer(rows: int, width: int, inner: int, layers: int, gates: int = 1, batch: int = 1) -> list[list[int]]:
    one = [[width, 3 * width], [width, width], *[[width, inner]] * gates, [inner, width]]
    return [[batch, rows, width], *one * layers]


MODELS: dict[str, tuple[Callable[..., Any], list[list[int]]]] = {
    "MiniLM": (stacked(block, 4, 12, pre_norm=False), transformer(256, 384, 1536, 6, batch=8)),
    "ViT block": (stacked(block, 4, 12), transformer(224, 768, 3072, 1, batch=8)),
    "gpt2 block": (stacked(block, 4, 12, is_causal=True), transformer(1024, 768, 3072, 1, batch=2)),
    "decoder of 2 layers": (stacked(gated, 5, 16), transformer(1024, 1024, 2816, 2, gates=2)),
    "ResNet-50's stage": (stacked(bottleneck, 3), [[1, 1, IMAGES * SIDE * SIDE, 256], *[[1, 1, 256, 64], [1, 1, 9 * 64, 64], [1, 1, 64, 256]] * 3]),
    "training step": (step, [[1, 1, 2048, 1024], [1, 1, 2048, 1024], [1024, 2048], [2048, 2048], [2048, 1024]]),
}


def tensors(ttnn: Any, device: Any, shapes: list[list[int]]) -> list[Any]:
    return [
        ttnn.allocate_tensor_on_device(ttnn.Shape(each), ttnn.bfloat16, ttnn.TILE_LAYOUT, device, ttnn.DRAM_MEMORY_CONFIG) for each in shapes
    ]


def rest_of_l1(ttnn: Any, device: Any, pages: int) -> Any:
    """A tensor of so many tiles in each bank of L1."""
    if pages == 0:
        return None
    banks = ttnn.get_memory_view(device, ttnn.BufferType.L1).num_banks
    return ttnn.allocate_tensor_on_device(
        ttnn.Shape([1, 1, 32 * pages, 32 * banks]), ttnn.bfloat16, ttnn.TILE_LAYOUT, device, ttnn.L1_MEMORY_CONFIG
    )


def memory_config(ttnn: Any, memory: dict[str, Any]) -> Any:
    layout, buffer_type = getattr(ttnn.TensorMemoryLayout, memory["memory_layout"]), getattr(ttnn.BufferType, memory["buffer_type"])
    if "shard_shape" not in memory:
        return ttnn.MemoryConfig(layout, buffer_type)
    cores = [ttnn.CoreRange(ttnn.CoreCoord(x, y), ttnn.CoreCoord(end_x, end_y)) for x, y, end_x, end_y in memory["cores"]]
    return ttnn.MemoryConfig(layout, buffer_type, ttnn.ShardSpec(ttnn.CoreRangeSet(cores), memory["shard_shape"], ttnn.ShardOrientation.ROW_MAJOR))


class Directed:
    """The module with its functions' results where they were put, and gone after their last use."""

    def __init__(self, ttnn: Any, calls: list[dict[str, Any]], inputs: list[Any], path: str = "ttnn", outer: Directed | None = None) -> None:
        self._ttnn, self._calls, self._inputs, self._path, self._outer = ttnn, calls, inputs, path, outer or self
        self._made: list[list[Any]] = []
        self._copies: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        found, path = getattr(self._ttnn, name), f"{self._path}.{name}"
        if not callable(found):
            return Directed(found, self._calls, self._inputs, path, self._outer)

        def call(*args: Any, **kwargs: Any) -> Any:
            return self._outer._called(path, found, args, kwargs)

        return call

    def _called(self, path: str, found: Any, args: Any, kwargs: Any) -> Any:
        row = self._calls[len(self._made)]
        if row["operation"] != path:
            raise RuntimeError(f"found {path}, placed was {row['operation']}")
        for each in row["conversions"]:
            self._copies.append(self._ttnn.to_memory_config(self._tensor(each["of"]), memory_config(self._ttnn, each["memory"])))
            self._free(each["frees"])
        copies = {index: self._copies[copy] for index, copy in row["copies"]}
        numbers = itertools.count()

        def read(value: Any) -> Any:
            if isinstance(value, (list, tuple)):
                return type(value)(read(each) for each in value)
            return copies.get(next(numbers), value) if isinstance(value, self._ttnn.Tensor) else value

        args, kwargs = read(args), {name: read(value) for name, value in kwargs.items()}
        if row["memory"]:
            kwargs["memory_config"] = memory_config(self._ttnn, row["memory"])
        result = found(*args, **kwargs)
        self._made.append(list(result) if isinstance(result, (tuple, list)) else [result])
        self._free(row["frees"])
        return result

    def _tensor(self, of: list[Any]) -> Any:
        if of[0] == "input":
            return self._inputs[of[1]]
        return self._copies[of[1]] if of[0] == "copy" else self._made[of[0]][of[1]]

    def _free(self, frees: list[list[Any]]) -> None:
        for each in frees:
            self._ttnn.deallocate(self._tensor(each))


def place(path: str) -> int:
    ttnn = importlib.import_module("tilemeter")
    trace = importlib.import_module("tilemeter.trace")
    rows, fail = [], 0
    print(f"{'model':20} {'budget':>10} {'placed':>12} {'greedy':>12} {'all in DRAM':>12} {'least':>12} {'ratio':>6} {'plans':>6} {'s':>6}")
    device = ttnn.open_device(device_id=0, l1_small_size=HALOS)
    bank = ttnn.get_memory_view(device, ttnn.BufferType.L1).total_bytes_per_bank
    for name, (model, shapes) in MODELS.items():
        x = tensors(ttnn, device, shapes)
        for part in range(1, 11):
            pages = bank * (10 - part) // 10 // PAGE
            begin = time.perf_counter()
            try:
                placed = trace.place(lambda *given: model(ttnn, *given), *x, l1=bank - pages * PAGE)  # noqa: B023
            except trace.TraceError as error:
                print(f"{name:20} {bank - pages * PAGE:>10,} {str(error)[:150]}")
                continue
            seconds = time.perf_counter() - begin
            print(f"{name:20} {placed.l1:>10,} {placed.dram_bytes:>12,.0f} {placed.greedy_dram_bytes:>12,.0f} {placed.all_dram_bytes:>12,.0f} "
                  f"{placed.least_dram_bytes:>12,} {placed.dram_bytes / placed.all_dram_bytes:>6.2f} {placed.planned:>6} {seconds:>6.2f}", flush=True)
            rows.append({"model": name, "pages": pages, "calls": placed.calls, "dram_bytes": placed.dram_bytes})
            fail += not runs(ttnn, device, rows[-1], x)
        del x
    pathlib.Path(path).write_text(json.dumps(rows), encoding="utf-8")
    print(f"{len(rows) - fail} placements run, {fail} fail")
    return fail != 0


def growth(most: int) -> int:
    ttnn = importlib.import_module("tilemeter")
    trace = importlib.import_module("tilemeter.trace")
    device = ttnn.open_device(device_id=0, l1_small_size=HALOS)
    print(f"{'layers':>6} {'calls':>6} {'plans':>6} {'s':>7} {'ratio':>6}")
    layers = 1
    while layers <= most:
        x, model = tensors(ttnn, device, transformer(1024, 1024, 2816, layers, gates=2)), stacked(gated, 5, 16)
        begin = time.process_time()
        placed = trace.place(lambda *given: model(ttnn, *given), *x)  # noqa: B023
        print(f"{layers:>6} {len(placed.calls):>6} {placed.planned:>6} {time.process_time() - begin:>7.2f} "
              f"{placed.dram_bytes / placed.all_dram_bytes:>6.2f}", flush=True)
        layers *= 2
    return 0


def runs(ttnn: Any, device: Any, row: dict[str, Any], x: list[Any]) -> bool:
    device.clear_program_cache()
    rest = rest_of_l1(ttnn, device, row["pages"])
    directed = Directed(ttnn, row["calls"], x)
    plans = ttnn.__name__ != "ttnn"  # values would be computed
    if plans:
        ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NO_DISPATCH)
    try:
        MODELS[row["model"]][0](directed, *x)
        return True
    except RuntimeError as error:
        print(f"{row['model']}, {row['pages']} pages taken: fails at call {len(directed._made)}: {str(error)[:300]}")
        return False
    finally:
        if plans:
            ttnn.graph.end_graph_capture()
        del rest, directed
        gc.collect()


def run(path: str) -> int:
    ttnn = importlib.import_module("ttnn")
    device = ttnn.open_device(device_id=0, l1_small_size=HALOS)
    rows = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    fail, name, x = 0, "", []
    for row in rows:
        if row["model"] != name:
            name, x = row["model"], tensors(ttnn, device, MODELS[row["model"]][1])
        fail += not runs(ttnn, device, row, x)
    print(f"{len(rows) - fail} placements run, {fail} fail")
    return fail != 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--place", metavar="OUT.json")
    parser.add_argument("--run", metavar="OUT.json")
    parser.add_argument("--growth", metavar="LAYERS", type=int)
    options = parser.parse_args()
    if options.growth is not None:
        sys.exit(growth(options.growth))
    sys.exit(place(options.place) if options.place else run(options.run))
