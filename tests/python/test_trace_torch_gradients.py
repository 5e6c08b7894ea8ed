# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The gradient of every operation that has a vjp or a lower rule beside torch's of its golden function: on the device in FLOAT32,
where the operation takes it, and in BFLOAT16; and by its lowering, evaluated on the host."""

from __future__ import annotations

import contextlib
import functools
import gc
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from convolution_cases import CONVOLUTIONS
from gradient_cases import NOT_IN_TORCH, ON_THE_HOST, Case, Given, case_of, values_of

import tilemeter as ttnn
import tilemeter.trace as tp
from tilemeter._src.golden.golden_functions import golden_of
from tilemeter._src.operations.signatures import _signatures, split
from tilemeter.trace._functions.native import trace as _trace

RULES: dict[str, tuple[bool, bool]] = {name.removeprefix("ttnn."): has for name, has in _trace._rules().items() if any(has)}
# Bounds, in parts of the largest gradient. BFLOAT16 rounds each step of the way there and back; the lowering does not
# round.
WHOLE, DIFFERENTIATED = ("whole", "pages"), ("float", "distinct", "places")
BOUNDS = {"float32": 4e-3, "bfloat16": 0.06, "host": 1e-3}


@pytest.fixture(scope="module", name="board")
def _board() -> Iterator[Any]:
    opened = ttnn.open_device(device_id=0, l1_small_size=32768)
    yield opened
    gc.collect()
    ttnn.close_device(opened)


def operation_of(name: str) -> Any:
    found: Any = ttnn
    for part in name.split("."):
        found = getattr(found, part)
    return found


def arrays_of(case: Case) -> list[Any]:
    return [values_of(each, 3 + i) for i, each in enumerate(case.given)]


def on_device(given: Given, array: Any, dtype: Any, device: Any) -> Any:
    if given.kind in WHOLE:
        dtype = getattr(ttnn, given.dtype)
        array = array.astype(np.uint32 if given.dtype == "uint32" else np.int32)
    made = ttnn.from_numpy(array, dtype=dtype, layout=getattr(ttnn, f"{given.layout}_LAYOUT"), device=device)
    if given.memory == "DRAM":
        return made
    rows, width = int(np.prod(made.padded_shape[:-1])), made.padded_shape[-1]
    numbers = list(map(int, given.memory.split()[2:]))
    if given.memory.startswith("L1 height"):
        cores, first = given.shape[1], numbers[0] if numbers else 0
        shard, strategy = [rows // cores, width], ttnn.ShardStrategy.HEIGHT
        last = (min(cores, 8) - 1, first + max(cores // 8, 1) - 1)
    else:  # "L1 block y x"
        shard, strategy, first = [rows // numbers[0], width // numbers[1]], ttnn.ShardStrategy.BLOCK, 0
        last = (numbers[1] - 1, numbers[0] - 1)
    grid = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, first), ttnn.CoreCoord(*last))])
    return ttnn.to_memory_config(
        made, ttnn.create_sharded_memory_config(shard, grid, strategy, use_height_and_width_as_shard_shape=True))


def flat(results: Any) -> list[Any]:
    if isinstance(results, (list, tuple)):
        return [leaf for each in results for leaf in flat(each)]
    return [] if results is None else [results]


def floats(results: Any) -> list[Any]:
    return [each for each in flat(results) if each.dtype in (ttnn.float32, ttnn.bfloat16, ttnn.bfloat8_b)]


def plain(tensor: Any) -> Any:
    return ttnn.to_layout(ttnn.to_memory_config(tensor, ttnn.DRAM_MEMORY_CONFIG), ttnn.TILE_LAYOUT)


class Beside:
    """One operation, and what torch has for its gradients."""

    def __init__(self, case: Case, run: Callable[..., Any], reference: Callable[..., Any]) -> None:
        import torch

        self.case, self.run = case, run
        self.arrays = arrays_of(case)
        self.wrt = [i for i, each in enumerate(case.given) if each.kind in DIFFERENTIATED]
        tensors = [torch.tensor(np.asarray(each), dtype=torch.int64 if case.given[i].kind in WHOLE else torch.float64, requires_grad=i in self.wrt)
                   for i, each in enumerate(self.arrays)]
        made = [each for each in flat(reference(*tensors)) if each.dtype != torch.int64]
        self.weights = [values_of(Given(tuple(each.shape) or (1, 1), -1, 1), 11 + i) for i, each in enumerate(made)]
        total = sum((each.to(torch.float64) * torch.tensor(weight.reshape(each.shape), dtype=torch.float64)).sum()
                    for each, weight in zip(made, self.weights))
        if total.requires_grad:
            total.backward()
        self.expected = [np.zeros(self.arrays[i].shape) if tensors[i].grad is None else tensors[i].grad.numpy(force=True) for i in self.wrt]

    def tensors(self, dtype: Any, device: Any) -> tuple[list[Any], list[Any]]:
        given = [on_device(each, array, dtype, device) for each, array in zip(self.case.given, self.arrays)]
        return given, [ttnn.from_numpy(each, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device) for each in self.weights]

    def loss(self, *tensors: Any) -> Any:
        given, weights = list(tensors[: len(self.arrays)]), tensors[len(self.arrays):]
        for i in self.case.writes:
            given[i] = ttnn.clone(given[i])
        made = floats(self.run(*given))
        assert len(made) == len(weights)
        parts = []
        for each, weight in zip(made, weights):
            each = plain(each)
            if each.shape != weight.shape:
                each = ttnn.reshape(each, weight.shape)
            parts.append(ttnn.sum(ttnn.multiply(ttnn.typecast(each, weight.dtype), weight)))
        whole = parts[0]
        for part in parts[1:]:
            whole = ttnn.add(whole, part)
        return whole

    def takes(self, dtype: Any, device: Any) -> str:
        """Empty, or why the operation does not take the dtype."""
        given, weights = self.tensors(dtype, device)
        try:
            self.loss(*given, *weights)
        except RuntimeError as error:
            return str(error)
        return ""

    def require_close(self, found: list[Any], what: str) -> None:
        assert len(found) == len(self.expected)
        for i, (one, expected) in enumerate(zip(found, self.expected)):
            one = np.asarray(one, dtype=np.float64).reshape(expected.shape)
            bound = BOUNDS[what] * max(np.abs(expected).max(), 1e-2)
            np.testing.assert_allclose(one, expected, rtol=0, atol=bound, err_msg=f"{what}: gradient {i}")


def gradients_on_device(beside: Beside, dtype: Any, device: Any) -> list[Any]:
    given, weights = beside.tensors(dtype, device)
    gradients = tp.grad(beside.loss, beside.wrt)(*given, *weights)
    return [each.to_numpy() for each in gradients]


def gradients_on_host(beside: Beside, dtype: Any, device: Any) -> list[Any]:
    given, weights = beside.tensors(dtype, device)
    traced = tp.trace_graph(beside.loss, args=(*given, *weights))
    graph = traced.program.native.lowered_gradient(beside.wrt)
    arrays = [np.asarray(each, dtype={"f32": np.float32, "i32": np.int32, "u32": np.uint32}[str(kind).split("[")[0]])
              for each, kind in zip([*beside.arrays, *beside.weights], graph.param_types)]
    return [np.asarray(each) for each in graph.run(arrays)[1:]]


def check(name: str, beside: Beside, device: Any) -> None:
    has_lower, has_vjp = RULES[name.split(",")[0]]
    tried = 0
    for dtype in (ttnn.float32, ttnn.bfloat16):
        if beside.takes(dtype, device):
            continue
        tried += 1
        try:
            found = gradients_on_device(beside, dtype, device)
        except RuntimeError as error:
            assert ("overwritten" if beside.case.writes else ON_THE_HOST.get(name, "nothing")) in str(error), str(error)
        else:
            assert name not in ON_THE_HOST
            beside.require_close(found, dtype.name.lower())
        if has_lower:
            beside.require_close(gradients_on_host(beside, dtype, device), "host")
    assert tried, beside.takes(ttnn.bfloat16, device)


def cases() -> list[str]:
    # conv2d takes sizes of images beside its tensors, and weights that are prepared on the host.
    return [name for name in sorted(RULES) if case_of(name) is not None and name not in ("softcap", "conv2d")]


@pytest.mark.parametrize("name", cases())
def test_gradients_are_those_of_the_golden_function(name: str, board: Any) -> None:
    pytest.importorskip("torch")
    case = case_of(name)
    assert case is not None
    operation = operation_of(name)
    golden = golden_of(f"ttnn.{name}")
    reference = case.torch or (lambda *given: case.call(golden, *given))
    check(name, Beside(case, lambda *given: case.call(operation, *given), reference), board)


OUTPUTS: dict[str, list[str]] = {name.removeprefix("ttnn."): names for name, names in _trace._outputs().items()}
# Whose cases give all of them, or that take them not one by one, not as the case calls them, or of another shape or in shards.
NOT_TRIED_HERE = {
    "conv2d", "copy", "interleaved_to_sharded", "l1_loss", "moreh_adam", "moreh_adamw", "moreh_bmm_backward", "moreh_dot_backward",
    "moreh_linear_backward", "moreh_matmul_backward", "moreh_sgd", "mse_loss", "prod", "reshard", "softcap", "sort", "topk"}


@pytest.mark.parametrize(
    "name", [each for each in sorted(OUTPUTS) if each in RULES and case_of(each) is not None and each not in NOT_TRIED_HERE])
def test_outputs_are_written_and_what_they_held_is_not_read(name: str, board: Any) -> None:
    """Gradients take an output that is given for no operand: what it holds is not a number here, and changes no result."""
    case, operation = case_of(name), operation_of(name)
    assert case is not None

    def results(dtype: Any, **outputs: Any) -> list[Any]:
        given = [on_device(each, array, dtype, board) for each, array in zip(case.given, arrays_of(case))]
        return flat(case.call(functools.partial(operation, **outputs), *given))

    def bytes_of(tensor: Any) -> bytes:
        values: bytes = tensor.to_numpy().tobytes()
        return values

    tried = 0
    for dtype, parameter in itertools.product((ttnn.float32, ttnn.bfloat16), OUTPUTS[name]):
        with contextlib.suppress(RuntimeError, TypeError):  # the operation does not take the dtype
            expected = results(dtype)
            for like in expected:
                if like.dtype != dtype:
                    continue
                room = ttnn.full(list(like.shape), float("nan"), dtype=dtype, layout=like.layout, device=board,
                                 memory_config=like.memory_config())
                with contextlib.suppress(RuntimeError, TypeError):  # another result has this shape
                    found = results(dtype, **{parameter: room})
                    assert list(map(bytes_of, found)) == list(map(bytes_of, expected))
                    assert bytes_of(room) in map(bytes_of, expected)
                    tried += 1
    assert tried


@pytest.mark.parametrize("name", sorted(CONVOLUTIONS))
def test_gradients_of_convolutions_are_torchs(name: str, board: Any) -> None:
    """The gradients of the images, the weights and the bias, by the lowering: no TT-NN call computes their
    gradients."""
    torch = pytest.importorskip("torch")
    convolution = CONVOLUTIONS[name]
    images = (1, 1, 2 * convolution.size[0] * convolution.size[1], convolution.channels[0])
    arrays = [values_of(Given(images), 3), values_of(Given(convolution.weight_shape, -0.5, 0.5), 4)]
    if convolution.bias:
        arrays.append(values_of(Given((convolution.channels[1],)), 5))
    tensors = [torch.tensor(each, dtype=torch.float64, requires_grad=True) for each in arrays]
    made = convolution.in_torch(*tensors, *([] if convolution.bias else [None]))
    weights = values_of(Given(tuple(made.shape), -1, 1), 11)
    (made * torch.tensor(weights, dtype=torch.float64)).sum().backward()

    on_host = [ttnn.from_numpy(each if i == 0 else each.reshape(1, 1, 1, -1), dtype=ttnn.bfloat16) for i, each in enumerate(arrays[1:])]
    x = ttnn.from_numpy(arrays[0], dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=board)
    scale = ttnn.from_numpy(weights, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=board)

    def loss(x: Any, scale: Any) -> Any:
        found = plain(convolution.run(x, on_host[0], on_host[1] if convolution.bias else None, board))
        assert list(found.shape) == list(made.shape)
        return ttnn.sum(ttnn.multiply(found, scale))

    with pytest.raises(tp.TraceError) as raised:
        tp.grad(loss)(x, scale)
    assert raised.value.kind == "no_rule" and "weight_tensor is missing: it is not given, or lies on the host" in str(raised.value)
    graph = tp.trace_graph(loss, args=(x, scale)).program.native.lowered_gradient([0, *range(2, 2 + len(on_host))])
    given = [arrays[0], weights, *(each.to_numpy() for each in on_host)]
    found = graph.run([np.asarray(each, np.float32) for each in given])[1:]
    assert len(found) == len(tensors)
    for mine, each in zip(found, tensors):
        expected = each.grad.numpy()
        np.testing.assert_allclose(np.asarray(mine).reshape(expected.shape), expected, atol=1e-4 * np.abs(expected).max())


def takes_no_tensor(name: str, device: Any) -> bool:
    required = [each.split(" = ")[0] for signature in _signatures(operation_of(name)) for each in split(signature) if " = " not in each]
    return not any(each.endswith("ttnn.Tensor") for each in required)


def is_of_integers(name: str, device: Any) -> bool:
    """It refuses floats, or torch does; or what it makes of them are integers."""
    case = Case((Given(), Given())) if name.startswith(("bitwise", "logical")) and name != "bitwise_not" else Case((Given(),))
    more = {"quantize": (0.5, 1), "dequantize": (0.5, 1), "requantize": (0.5, 1, 0.25, 2), "argmax": (1,)}.get(name, ())
    given = [on_device(each, array, ttnn.float32, device) for each, array in zip(case.given, arrays_of(case))]
    try:
        made = operation_of(name)(*given, *more)
    except (RuntimeError, TypeError):
        return True
    if not floats(made):
        return True
    torch = pytest.importorskip("torch")
    golden = golden_of(f"ttnn.{name}")
    assert golden is not None
    with pytest.raises((RuntimeError, NotImplementedError)):
        golden(*(torch.from_numpy(each) for each in arrays_of(case)))
    return True


def is_partly_on_the_host(name: str, device: Any) -> bool:
    host = ttnn.from_numpy(np.zeros((32, 32), np.float32))
    return bool(operation_of(name)(ttnn.to_device(host, device)).storage_type() == ttnn.StorageType.HOST
                if name == "from_device" else ttnn.to_device(host, device).storage_type() == ttnn.StorageType.DEVICE)


REASONS: dict[str, Callable[[str, Any], bool]] = {
    "is given no tensor": takes_no_tensor, "takes or makes integers": is_of_integers,
    "gives or is given a tensor on the host": is_partly_on_the_host, "has values that nobody gave it": lambda name, device: name == "empty_like",
}


def test_what_torch_has_not_is_listed_with_its_reason(board: Any) -> None:
    without = {name for name in RULES if case_of(name) is None} - {each.split(",")[0] for each in CONVOLUTIONS}
    assert sorted(without) == sorted(NOT_IN_TORCH)
    assert [name for name, reason in NOT_IN_TORCH.items() if not REASONS[reason](name, board)] == []
