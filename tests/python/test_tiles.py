# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors in tiles other than 32 x 32; data/tiles.json has what TT-NN 0.81.1 allocated for them."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy
import pytest
from conftest import scopes

import tilemeter as ttnn
from tilemeter import trace

_DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
_RECORDED = json.loads((_DATA / "tiles.json").read_text())
_SIZES = [(1, 16), (1, 32), (2, 32), (4, 32), (8, 16), (8, 32), (16, 16), (16, 32), (32, 16)]


def _numbers(*shape: int) -> Any:
    return (numpy.arange(numpy.prod(shape)) % 97).astype(numpy.float32).reshape(shape)


def _tensor(device: Any, shape: Any, tile: Any, **more: Any) -> Any:
    settings = {"dtype": ttnn.bfloat16, "layout": ttnn.TILE_LAYOUT, "tile": None if tile is None else ttnn.Tile(tile), **more}
    return ttnn.from_torch(_numbers(*shape), device=device, **settings)


def _shards(tile: list[int]) -> Any:
    cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 1))})
    spec = ttnn.ShardSpec(cores, tile, ttnn.ShardOrientation.ROW_MAJOR)
    return ttnn.MemoryConfig(ttnn.TensorMemoryLayout.BLOCK_SHARDED, ttnn.BufferType.L1, spec)


@pytest.mark.parametrize("name", ["n150", "p150"])
@pytest.mark.parametrize("mode", ["NORMAL", "NO_DISPATCH"])
def test_what_a_tensor_takes_follows_its_tiles(name: str, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", name)
    device = ttnn.open_device(device_id=0)
    rows = [row for row in _RECORDED["tensors"]["rows"] if row[0] == name]
    assert len(rows) > 70
    for row in rows:
        _, memory, dtype, tile, shape, padded, *sizes = row
        config = _shards(tile) if memory == "BLOCK_SHARDED" else getattr(ttnn, f"{memory}_MEMORY_CONFIG")
        with ttnn.graph.capture(run_mode=getattr(ttnn.graph.RunMode, mode)) as taken:
            tensor = _tensor(device, shape, tile, dtype=getattr(ttnn, dtype.lower()), memory_config=config)
        made = next(node["params"] for node in taken.nodes if node["node_type"] == "buffer_allocate")
        found = [int(made[each]) for each in ("size", "page_size", "max_size_per_bank")]
        assert (list(tensor.padded_shape), found) == (padded, sizes), row
        assert tensor.tile == tensor.get_tile() == tensor.spec.tile == ttnn.Tile(tile)
    ttnn.close_device(device)


@pytest.mark.parametrize("tile", _SIZES)
def test_values_survive_any_tile(device: Any, tile: tuple[int, int]) -> None:
    tensor = _tensor(device, (2, 3, 60, 100), tile)
    back = ttnn.from_device(tensor)
    assert back.tile == ttnn.Tile(tile)
    assert numpy.array_equal(ttnn.to_numpy(tensor), _numbers(2, 3, 60, 100))
    again = ttnn.to_device(back, device, memory_config=ttnn.L1_MEMORY_CONFIG)
    assert (again.tile, list(again.padded_shape)) == (tensor.tile, list(tensor.padded_shape))
    assert numpy.array_equal(ttnn.to_numpy(again), _numbers(2, 3, 60, 100))
    assert ttnn.to_layout(back, ttnn.ROW_MAJOR_LAYOUT).tile == ttnn.Tile((32, 32))


def test_tiles_come_by_every_way_tensors_are_made(device: Any, tmp_path: pathlib.Path) -> None:
    tile = ttnn.Tile((16, 32))
    spec = ttnn.TensorSpec((1, 3, 16, 96), ttnn.bfloat16, ttnn.TILE_LAYOUT, tile=tile)
    assert spec.tile == tile and spec != ttnn.TensorSpec((1, 3, 16, 96), ttnn.bfloat16, ttnn.TILE_LAYOUT)
    made = [
        ttnn.allocate_tensor_on_device(spec, device),
        ttnn.allocate_tensor_on_host(spec, device),
        ttnn.from_torch(_numbers(1, 3, 16, 96), spec=spec, device=device),
        ttnn.Tensor(_numbers(1, 3, 16, 96), ttnn.bfloat16, device, ttnn.TILE_LAYOUT, ttnn.L1_MEMORY_CONFIG, tile),
    ]
    ttnn.dump_tensor(tmp_path / "kept.tensorbin", made[2])
    made.append(ttnn.load_tensor(tmp_path / "kept.tensorbin", device=device))
    for tensor in made:
        assert (tensor.tile, list(tensor.padded_shape)) == (tile, [1, 3, 16, 96])


def test_views_and_moves_keep_the_tile(device: Any) -> None:
    tensor = _tensor(device, (1, 1, 64, 96), (16, 32))
    assert ttnn.reshape(tensor, (1, 2, 32, 96)).tile == ttnn.Tile((16, 32))
    assert ttnn.unsqueeze(tensor, 0).tile == ttnn.Tile((16, 32))
    assert ttnn.move(tensor).tile == ttnn.Tile((16, 32))


def _product(device: Any, row: list[Any]) -> Any:
    """The operands of a recorded product, and what multiplies them."""
    _, tile_a, tile_b, shape_a, shape_b, options, *_ = row
    kind = {"dtype": getattr(ttnn, options.get("dtype", "bfloat16"))}
    kind["memory_config"] = ttnn.L1_MEMORY_CONFIG if "memory" in options else ttnn.DRAM_MEMORY_CONFIG
    more = {name: value for name, value in options.items() if name.startswith("transpose")}
    if "core_grid" in options:
        more["core_grid"] = ttnn.CoreGrid(x=options["core_grid"][0], y=options["core_grid"][1])
    if "bias" in options:
        more["bias"] = _tensor(device, (1, shape_b[-1]), (tile_a[0], tile_b[1]), **kind)
    a, b = _tensor(device, shape_a, tile_a, **kind), _tensor(device, shape_b, tile_b, **kind)
    operation = ttnn.linear if "bias" in options else ttnn.matmul
    return lambda: operation(a, b, memory_config=kind["memory_config"], **more)


@pytest.mark.parametrize("name", ["n150", "p150"])
def test_products_of_small_tiles_are_planned_as_ttnn_plans_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", name)
    device = ttnn.open_device(device_id=0)
    rows = [row for row in _RECORDED["products"]["rows"] if row[0] == name]
    assert len(rows) > 70
    for row in rows:
        multiply = _product(device, row)
        if row[6] == "refused":
            with pytest.raises(RuntimeError):
                multiply()
            continue
        *_, tile, size, factory, memory = row
        with ttnn.graph.capture(run_mode=ttnn.graph.RunMode.NO_DISPATCH) as taken:
            result = multiply()
        parts: dict[str, list[Any]] = {}
        for node in taken.nodes:
            parts.setdefault(node["node_type"], []).append(node["params"])
        made = [each["program_factory_type"] for each in parts["function_start"] if "program_factory_type" in each]
        planned = [[int(each["size"]), each["core_range_set"]] for each in parts["dataflow_buffer_allocate"]]
        assert (result.tile, int(parts["buffer_allocate"][-1]["size"])) == (ttnn.Tile(tile), size), row
        assert (made[-1].split("::")[-1], planned) == (factory, memory), row
    ttnn.close_device(device)


def test_a_product_of_small_tiles_has_its_values(device: Any) -> None:
    a, b = _numbers(1, 2, 40, 70) / 97, _numbers(1, 2, 70, 50) / 97
    left = ttnn.from_torch(a, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device, tile=ttnn.Tile((8, 32)))
    right = ttnn.from_torch(b, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device, tile=ttnn.Tile((32, 16)))
    result = ttnn.matmul(left, right, output_tile=ttnn.Tile((8, 16)))
    assert (result.tile, list(result.padded_shape)) == (ttnn.Tile((8, 16)), [1, 2, 40, 64])
    assert numpy.allclose(ttnn.to_numpy(result), a @ b, rtol=1e-5)


def test_products_of_wrong_tiles_say_what_is_wrong(device: Any) -> None:
    def product(tile_a: Any, tile_b: Any, **more: Any) -> Any:
        return ttnn.matmul(_tensor(device, (64, 128), tile_a), _tensor(device, (128, 64), tile_b), **more)

    with pytest.raises(RuntimeError, match="inner tile dim must be 32 .* got in0 tile width 16, in1 tile height 32"):
        product((16, 16), (32, 32))
    with pytest.raises(RuntimeError, match=r"output tile height \(32\) must equal to the in0 tile height \(16\)"):
        product((16, 32), (32, 32), output_tile=ttnn.Tile((32, 32)))
    with pytest.raises(RuntimeError, match=r"output tile width \(32\) must equal to the in1 tile width \(16\)"):
        product((16, 32), (32, 16), optional_output_tensor=_tensor(device, (64, 64), (16, 32)))


def test_operations_that_are_not_made_for_small_tiles_say_so(device: Any) -> None:
    tensor = _tensor(device, (1, 1, 64, 96), (16, 32))
    for operation in (ttnn.softmax, ttnn.layer_norm, lambda x: ttnn.add(x, x), lambda x: ttnn.sum(x, -1)):
        with pytest.raises(RuntimeError, match=r"Operation: input tensor 0: expected tiles of 32 x 32, .* got 16 x 32"):
            operation(tensor)
    with pytest.raises(RuntimeError, match="expected .* TILE of 16 x 32, got .* TILE"):
        ttnn.copy_host_to_device_tensor(ttnn.from_device(_tensor(device, (1, 1, 64, 96), None)), tensor)


def test_tiles_that_no_tensor_can_have_are_refused(device: Any) -> None:
    with pytest.raises(RuntimeError, match="ROW MAJOR page config with a custom tile"):
        _tensor(device, (64, 64), (16, 32), layout=ttnn.ROW_MAJOR_LAYOUT)
    with pytest.raises(RuntimeError, match=r"Physical shard shape \(16, 40\) must be tile \{16, 32\} sized"):
        _tensor(device, (32, 80), (16, 32), memory_config=_shards([16, 40]))
    with pytest.raises(RuntimeError, match="tile: expected one without transposed faces"):
        ttnn.from_torch(_numbers(32, 32), layout=ttnn.TILE_LAYOUT, tile=ttnn.Tile((16, 32), transpose_tile=True))
    for wrong in ((3, 32), (64, 32), (32, 8), (16, 64)):
        with pytest.raises(RuntimeError, match="Tile size is not valid for our hardware"):
            ttnn.Tile(wrong)
    with pytest.raises(RuntimeError, match="Tile height must equal 16 or 32 in transpose mode"):
        ttnn.Tile((8, 32), True)


def test_a_tile_has_ttnns_properties() -> None:
    sizes = {(1, 16): (32, 24), (1, 32): (48, 32), (8, 32): (272, 144), (16, 32): (544, 288), (32, 32): (1088, 576)}
    for shape, (eight_bits, four_bits) in sizes.items():
        tile = ttnn.Tile(shape)
        assert (tile.get_tile_size(ttnn.bfloat8_b), tile.get_tile_size(ttnn.bfloat4_b)) == (eight_bits, four_bits)
        assert tile.get_tile_size(ttnn.float32) == 4 * shape[0] * shape[1]
    tile = ttnn.Tile((32, 16), True)
    assert (tile.face_shape, tile.num_faces, tile.narrow_tile, tile.partial_face) == ([16, 16], 2, 1, 0)
    assert tile.transpose_of_faces and tile.transpose_within_face and tile == ttnn.Tile((32, 16))


def test_captures_say_the_tile(device: Any) -> None:
    tensor = _tensor(device, (1, 1, 64, 96), (8, 32))
    with ttnn.graph.capture() as taken:
        ttnn.to_memory_config(tensor, ttnn.DRAM_MEMORY_CONFIG)
        ttnn.reshape(tensor, (1, 2, 32, 96))
    texts = [text for node in taken.nodes for text in node.get("arguments", []) if str(text).startswith("Tensor(")]
    assert scopes(taken.nodes) and texts
    for text in texts:
        assert "Tile(tile_shape={8, 32},face_shape={8, 16},num_faces=2)" in text and "Alignment([8, 32])" in text


def test_a_trace_refuses_tiles_that_its_graph_could_not_say(device: Any) -> None:
    tensor = _tensor(device, (1, 1, 64, 96), (8, 32))
    with pytest.raises(RuntimeError, match=r"trace: expected tensors in tiles of 32 x 32, found one in tiles of 8 x 32"):
        trace.trace_graph(lambda x: ttnn.reshape(x, (1, 2, 32, 96)), args=(tensor,))
