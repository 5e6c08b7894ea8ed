# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Values of complex tensors: against NumPy's complex numbers and, for gradients, the conjugate of the derivative.

scripts/complex_tensors.py is held against what TT-NN recorded: tree, buffers and programs.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator

import numpy
import pytest

import tilemeter as ttnn
from tilemeter import trace

DRAM = ttnn.DRAM_MEMORY_CONFIG
SHAPE = (1, 2, 40, 70)


@pytest.fixture(name="device")
def opened_device() -> Iterator[Any]:
    device = ttnn.open_device(device_id=0)
    yield device
    ttnn.close_device(device)


def drawn(seed: int) -> Any:
    """With a zero, a real and an imaginary number in front."""
    values = numpy.random.default_rng(seed).standard_normal((2, *SHAPE)).astype(numpy.float32)
    values[:, 0, 0, 0, :3] = [[0, 1.5, 0], [0, 0, -2]]
    return values[0] + 1j * values[1]


def on_device(values: Any, device: Any) -> Any:
    return ttnn.from_numpy(
        numpy.ascontiguousarray(values, numpy.float32), dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device
    )


def complex_on_device(values: Any, device: Any) -> Any:
    return ttnn.complex_tensor(on_device(values.real, device), on_device(values.imag, device))


def values_of(tensor: Any) -> Any:
    if isinstance(tensor, ttnn.Tensor):
        return ttnn.to_numpy(tensor)
    return ttnn.to_numpy(tensor.real) + 1j * ttnn.to_numpy(tensor.imag)


def assert_close(found: Any, expected: Any) -> None:
    numpy.testing.assert_allclose(values_of(found), expected, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize(
    "name, expected",
    [
        ("real", numpy.real),
        ("imag", numpy.imag),
        ("is_real", numpy.isreal),
        ("is_imag", lambda x: x.real == 0),
        ("angle", numpy.angle),
        ("abs", numpy.abs),
        ("conj", numpy.conj),
        ("polar", lambda x: x.real * numpy.exp(1j * x.imag)),
    ],
)
def test_functions(device: Any, name: str, expected: Callable[[Any], Any]) -> None:
    x = drawn(1)
    assert_close(getattr(ttnn, name)(complex_on_device(x, device), memory_config=DRAM), expected(x))


def test_reciprocal(device: Any) -> None:
    x = drawn(1)
    x[0, 0, 0, 0] = 1
    assert_close(ttnn.reciprocal(complex_on_device(x, device), memory_config=DRAM), 1 / x)


def zero_where(condition: Any, values: Any) -> Any:
    return numpy.where(condition, 0, values)


@pytest.mark.parametrize(
    "name, expected",
    [
        ("real", lambda g, x: g + 0 * x),
        ("imag", lambda g, x: 1j * g + 0 * x),
        ("abs", lambda g, x: zero_where(x == 0, g * x / numpy.where(x == 0, 1, numpy.abs(x)))),
        ("angle", lambda g, x: zero_where(x == 0, g * 1j * x / numpy.where(x == 0, 1, numpy.abs(x) ** 2))),
    ],
)
def test_gradients_of_real_functions(device: Any, name: str, expected: Callable[[Any, Any], Any]) -> None:
    grad, x = drawn(2).real, drawn(1)
    [found] = getattr(ttnn, f"{name}_bw")(
        on_device(grad, device), complex_on_device(x, device), memory_config=DRAM
    )
    assert_close(found, expected(grad, x))


def not_a_number_where(condition: Any, values: Any) -> Any:
    return numpy.where(condition, numpy.nan + 1j * numpy.nan, values)


def of_polar(grad: Any, x: Any) -> Any:
    """By magnitude and by angle, each a real number."""
    turn = numpy.exp(1j * x.imag)
    sign = numpy.where(x.real == 0, 0, numpy.sign(x.real)) * turn
    return (numpy.conj(grad) * sign).real + 1j * (numpy.conj(grad) * 1j * x.real * turn).real


@pytest.mark.parametrize(
    "name, expected",
    [
        ("conj", lambda g, x: numpy.conj(g)),
        ("reciprocal", lambda g, x: not_a_number_where(x == 0, -g * numpy.conj(1 / numpy.where(x == 0, 1, x) ** 2))),
        ("polar", of_polar),
    ],
)
def test_gradients_of_complex_functions(device: Any, name: str, expected: Callable[[Any, Any], Any]) -> None:
    grad, x = drawn(2), numpy.abs(drawn(1).real) + 0.4 + 1j * drawn(1).imag
    x[0, 0, 0, 0] = 1.0 if name == "polar" else 0.0
    [found] = getattr(ttnn, f"{name}_bw")(
        complex_on_device(grad, device), complex_on_device(x, device), memory_config=DRAM
    )
    assert_close(found, expected(grad, x))


@pytest.mark.parametrize(
    "name, more, expected",
    [
        ("add", [0.5], lambda g, a, b: (g, 0.5 * g)),
        ("sub", [0.5], lambda g, a, b: (g, -0.5 * g)),
        ("mul", [], lambda g, a, b: (g * numpy.conj(b), g * numpy.conj(a))),
        ("div", [], lambda g, a, b: (g * numpy.conj(1 / b), -g * numpy.conj(a / b**2))),
    ],
)
def test_gradients_of_two(device: Any, name: str, more: list[float], expected: Callable[..., Any]) -> None:
    grad, a, b = drawn(2), drawn(1), drawn(3) + 3
    found = getattr(ttnn, f"{name}_bw")(
        *(complex_on_device(each, device) for each in (grad, a, b)), *more, memory_config=DRAM
    )
    for each, values in zip(found, expected(grad, a, b), strict=True):
        assert_close(each, values)


def test_a_quotient_by_zero_has_no_gradient(device: Any) -> None:
    grad, a, b = drawn(2), drawn(1), drawn(3)
    found = ttnn.div_bw(*(complex_on_device(each, device) for each in (grad, a, b)), memory_config=DRAM)
    for each in found:
        assert numpy.array_equal(numpy.isnan(values_of(each)), b == 0)


def test_parts_are_shared_and_indexed(device: Any) -> None:
    real, imag = on_device(drawn(1).real, device), on_device(drawn(1).imag, device)
    made = ttnn.complex_tensor(real, imag)
    assert made.real.buffer_address() == made[0].buffer_address() == real.buffer_address()
    assert made.imag.buffer_address() == made[1].buffer_address() == imag.buffer_address()
    with pytest.raises(IndexError, match=r"expected 0 \(real\) or 1 \(imag\)"):
        made[2]
    del real
    made.deallocate()
    assert not made.real.is_allocated() and imag.is_allocated()
    assert type(made) is ttnn._ttnn.operations.complex.ComplexTensor


def test_pairs_of_neighbours_are_turned(device: Any) -> None:
    x = drawn(1).real
    for dtype, values in ((ttnn.float32, x), (ttnn.bfloat16, numpy.round(x * 4))):
        given = ttnn.from_numpy(
            numpy.ascontiguousarray(values, numpy.float32), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device
        )
        expected = numpy.stack((-values[..., 1::2], values[..., ::2]), -1).reshape(values.shape)
        assert numpy.array_equal(ttnn.to_numpy(ttnn.alt_complex_rotate90(given)), expected)
    with pytest.raises(RuntimeError, match="expected pairs along the last dimension"):
        ttnn.alt_complex_rotate90(on_device(x[..., :69], device))


def test_they_are_not_traced(device: Any) -> None:
    def function(x: Any) -> Any:
        return ttnn.abs(ttnn.complex_tensor(x, x), memory_config=DRAM)

    with pytest.raises(trace.TraceError, match="complex tensors, which are not traced"):
        trace.trace_graph(function, args=(on_device(drawn(1).real, device),))
