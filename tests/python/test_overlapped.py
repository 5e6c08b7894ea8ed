# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Views of tensors that share one's memory, their files, and the bytes of block formats that they are packed from."""

from __future__ import annotations

import hashlib
import pathlib
from typing import Any

import numpy
import pytest

import tilemeter as ttnn

# Digests of TT-NN's bytes, for random numbers of each shape after the other.
RECORDED = {
    (32, 32, 32, 32): ("1c22dbe6d81ddfd6f80c8d15646df123", "fc731ce6ef8dc0f9d8a0d5a2538de731"),
    (64, 96, 32, 32): ("ae108ab84a63c78205fc050cf25d9b97", "3f60526ad2030413d94d41d6e2309ca6"),
    (64, 64, 16, 32): ("16882dd77165e891023efe493aa66741", "26ba8ccacda1463f820c945f25499fa1"),
    (32, 32, 32, 16): ("e203b2cb6bcf86219942ab9f85f9bbc9", "0ccd8dd4420b2603707a180267b70bca"),
    (8, 64, 8, 32): ("ba585619fa6fcfd5c4d1a5d586aeae65", "1d5fd4f5ca352dd018a0b28341c493f1"),
    (2, 32, 1, 32): ("dc9db53cb677a2d958e0e89700e460b0", "303ccaaffc2d183c3759b286cdff3e95"),
    (32, 64, 32, 32): ("6a3874fb78d0ba8848aa8b00160cb1ad", "1dcb71ce5264214af5fbaec8bcb99f7b"),
}


def views_of(fused: Any) -> dict[str, Any]:
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 3))])
    return {
        "first": ttnn.OverlappedTensor(fused, (64, 32), (32, 32), cores, ttnn.bfloat8_b, (32, 32)),
        "second": ttnn.OverlappedTensor(fused, [16, 64], [16, 32], cores, ttnn.bfloat16, [16, 32], byte_offset=64, total_size=128),
    }


def test_views_come_back_from_files(device: Any, tmp_path: pathlib.Path) -> None:
    values = numpy.arange(2048, dtype=numpy.uint32).reshape(32, 64)
    fused = ttnn.from_numpy(values, dtype=ttnn.uint32, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
    views, name = views_of(fused), str(tmp_path / "views.overlappedtensorbin")
    assert views["second"].get_tile().tile_shape == [16, 32]
    native = ttnn._ttnn.tensor
    native.dump_overlapped_tensors(name, views)
    for loaded in (native.load_overlapped_tensors(name), native.load_overlapped_tensors(name, device=device)):
        assert list(loaded) == ["first", "second"]
        assert loaded["first"].fused_tensor.tensor_id == loaded["second"].fused_tensor.tensor_id
        assert numpy.array_equal(loaded["first"].fused_tensor.to_numpy(), values)
        for key, view in views.items():
            for fact in ("tensor_shape", "shard_shape", "core_range_set", "dtype", "tile_shape", "byte_offset", "total_size"):
                assert getattr(loaded[key], fact) == getattr(view, fact)
    assert loaded["first"].fused_tensor.storage_type() == ttnn.StorageType.DEVICE


def test_what_is_no_file_of_views_is_refused(device: Any, tmp_path: pathlib.Path) -> None:
    fused = ttnn.zeros([32, 64], dtype=ttnn.uint32, device=device)
    name, native = str(tmp_path / "views.overlappedtensorbin"), ttnn._ttnn.tensor
    with pytest.raises(RuntimeError, match="must have .overlappedtensorbin extension"):
        native.dump_overlapped_tensors("views.bin", views_of(fused))
    with pytest.raises(RuntimeError, match="views: expected at least one, got none"):
        native.dump_overlapped_tensors(name, {})
    other = {"third": views_of(ttnn.zeros([32, 64], dtype=ttnn.uint32, device=device))["first"]}
    with pytest.raises(RuntimeError, match=r"must reference the same fused tensor \(view 2 differs\)"):
        native.dump_overlapped_tensors(name, {**views_of(fused), **other})
    ttnn.dump_tensor(tmp_path / "one.tensorbin", fused)
    (tmp_path / "one.tensorbin").rename(name)
    with pytest.raises(RuntimeError, match="expected a file of dump_overlapped_tensors"):
        native.load_overlapped_tensors(name)
    with pytest.raises(TypeError, match="tensor_shape: expected two numbers, got"):
        ttnn.OverlappedTensor(fused, [1, 2, 3], [1, 2], ttnn.CoreRangeSet([]), ttnn.bfloat16, [32, 32])


def test_tiles_are_packed_as_by_ttnn() -> None:
    random = numpy.random.default_rng(1)
    for (rows, columns, height, width), expected in RECORDED.items():
        data = random.normal(0, 1, (rows, columns)).astype(numpy.float32)
        for pack, digest in zip((ttnn._ttnn.core.tilize_and_pack_bfp8_b, ttnn._ttnn.core.tilize_and_pack_bfp4_b), expected):
            assert hashlib.md5(pack(data, rows, columns, height, width)).hexdigest() == digest
    with pytest.raises(RuntimeError, match="data: expected float32, 64 x 32 in whole tiles of 32 x 32"):
        ttnn._ttnn.core.tilize_and_pack_bfp8_b(numpy.zeros((32, 32), numpy.float32), 64, 32)
