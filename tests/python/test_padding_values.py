# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The contents of the padding of tiles where a call says so, as tensors of padded shapes show it; values of operations
of one's own."""

from __future__ import annotations

from typing import Any, Iterator

import numpy
import pytest

import tilemeter as ttnn

torch = pytest.importorskip("torch")


@pytest.fixture
def device() -> Iterator[Any]:
    opened = ttnn.open_device(device_id=0)
    yield opened
    ttnn.close_device(opened)


def padding_of(tensor: Any) -> set[float]:
    """The values in the padding of a tensor [3, 5] of ones."""
    host = tensor if tensor.storage_type() == ttnn.StorageType.HOST else ttnn.from_device(tensor)
    values = host.to_torch_with_padded_shape().float()
    assert values.shape[-2:] == (32, 32)
    values = values.reshape(-1, 32, 32)
    assert (values[:, :3, :5] == 1).all()
    return set(values[:, 3:].flatten().tolist() + values[:, :, 5:].flatten().tolist())


@pytest.mark.parametrize("dtype", ["bfloat16", "float32", "int32", "bfloat8_b"])
def test_padding_is_what_a_call_fills_it_with(device: Any, dtype: str) -> None:
    kind = getattr(ttnn, dtype)
    plain = ttnn.from_torch(torch.ones(3, 5), dtype=kind, layout=ttnn.TILE_LAYOUT, device=device)
    assert padding_of(plain) == {0}
    assert padding_of(ttnn.from_torch(torch.ones(3, 5), dtype=kind, layout=ttnn.TILE_LAYOUT, pad_value=7.0)) == {7}
    assert padding_of(ttnn.from_torch(torch.ones(3, 5), dtype=kind, layout=ttnn.TILE_LAYOUT, pad_value=7.0, device=device)) == {7}
    if dtype != "bfloat8_b":
        assert padding_of(ttnn.fill_implicit_tile_padding(plain, 7)) == {7}


def test_a_layout_is_padded_with_what_is_said(device: Any) -> None:
    rows = ttnn.from_torch(torch.ones(2, 1, 3, 5), dtype=ttnn.bfloat16)
    assert padding_of(ttnn.to_layout(rows, ttnn.TILE_LAYOUT, pad_value=5.0)) == {5}
    assert padding_of(ttnn.to_layout(ttnn.to_device(rows, device), ttnn.TILE_LAYOUT, pad_value=5.0)) == {5}
    assert padding_of(ttnn.tilize_with_val_padding(ttnn.to_device(rows, device), [2, 1, 32, 32], 9.0)) == {9}
    assert padding_of(rows.pad_to_tile(7.0)) == {7}


def test_what_an_operation_writes_has_padding_of_its_own(device: Any) -> None:
    filled = ttnn.from_torch(torch.ones(3, 5), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, pad_value=7.0, device=device)
    assert padding_of(ttnn.multiply(filled, filled)) == {0}
    assert padding_of(filled) == {7}


def test_a_moving_average_begins_at_nothing(device: Any) -> None:
    of = numpy.random.default_rng(5)
    x = of.standard_normal((1, 3, 32, 64), dtype=numpy.float32)
    for alpha in (0.0, 0.25, 0.9):
        expected, before = numpy.empty_like(x), numpy.zeros(x.shape[:-1], numpy.float32)
        for t in range(x.shape[-1]):
            before = alpha * before + (1 - alpha) * x[..., t]
            expected[..., t] = before
        found = ttnn.ema(ttnn.from_numpy(x, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device), alpha=alpha)
        numpy.testing.assert_allclose(ttnn.to_numpy(found), expected, rtol=2e-2, atol=2e-2)


def test_buffers_of_numbers_have_types_of_single_numbers(device: Any) -> None:
    for dtype in (ttnn.bfloat8_b, ttnn.bfloat4_b):
        with pytest.raises(RuntimeError, match="from_buffer: dtype: expected a type of single numbers, got DataType.BFLOAT"):
            ttnn.from_buffer([1, 2, 3, 4, 5, 6], [2, 3], dtype, device, ttnn.TILE_LAYOUT)
    with pytest.raises(RuntimeError, match="expected integers for DataType.INT32, got real numbers"):
        ttnn.from_buffer([1.5, 2, 3], [3], ttnn.int32, device)
    for dtype in (ttnn.uint8, ttnn.uint16, ttnn.int32, ttnn.bfloat16, ttnn.float32):
        assert ttnn.to_numpy(ttnn.from_buffer([1, 2, 3], [3], dtype, device)).tolist() == [1, 2, 3]


def test_what_a_partial_copy_leaves_in_interleaved_memory_is_not_known(device: Any) -> None:
    rows = {"dtype": ttnn.uint32, "layout": ttnn.ROW_MAJOR_LAYOUT}
    given = ttnn.from_torch(torch.ones(32, 32, dtype=torch.int32), **rows)
    x = ttnn.from_torch(torch.zeros(32, 32, dtype=torch.int32), device=device, **rows)
    first = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))})
    ttnn.copy_host_to_device_tensor_partial(given, x, first)
    with pytest.raises(RuntimeError, match="not computed, for copy_host_to_device_tensor_partial wrote into interleaved memory"):
        ttnn.to_torch(x)


def test_worker_cores_lie_where_programs_find_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for board, places in (
        ("n150", {(0, 0): (18, 18), (7, 6): (25, 24), (5, 8): (23, 26)}), ("p150", {(0, 0): (1, 2), (7, 0): (10, 2), (11, 9): (14, 11)}),
    ):
        monkeypatch.setenv("TILEMETER_DEVICE", board)
        opened = ttnn.open_device(device_id=0)
        for core, place in places.items():
            found = opened.worker_core_from_logical_core(ttnn.CoreCoord(*core))
            assert (found.x, found.y) == place
        with pytest.raises(RuntimeError, match=r"No core coordinate found at location: \(30, 30, TENSIX, LOGICAL\)"):
            opened.worker_core_from_logical_core(ttnn.CoreCoord(30, 30))
        ttnn.close_device(opened)


def test_golden_functions_of_gated_activations() -> None:
    x = torch.tensor([-3.0, -1.0, 0.0, 1.0, 2.0])
    expected = torch.tensor([0.13983, -0.20570, -8e-7, 1.3, 4.2])  # TT-NN's
    torch.testing.assert_close(ttnn.get_golden_function(ttnn.xielu)(x), expected, rtol=1e-4, atol=1e-7)
    above = torch.tensor([2.0, 3.0, 4.0, 5.0])
    torch.testing.assert_close(
        ttnn.get_golden_function(ttnn.multigammaln)(above), torch.tensor([3.8858, 4.2912, 7.4048, 12.0587]), rtol=1e-4, atol=1e-4)
