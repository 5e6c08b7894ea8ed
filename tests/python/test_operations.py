# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations as objects: their golden functions, those of one's own, command queues; and `import ttnn` giving tilemeter."""

from __future__ import annotations

import csv
import inspect
import pathlib
import subprocess
import sys
from typing import Any, Iterator

import numpy
import pytest

import tilemeter as ttnn
from tilemeter._src.golden.golden_functions import _ONE, _TWO, GOLDENS, golden_name
from tilemeter._src.golden.torch_or_numpy import NotInNumPyError
from tilemeter.comparison import comp_pcc
from tilemeter.decorators import REGISTERED_OPERATIONS

# The arguments of operations that take numbers beside tensors, or are not the same everywhere.
_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "clamp": (-0.5, 0.5), "clip": (-0.5, 0.5), "fill": (2.5,), "heaviside": (0.5,), "polygamma": (2,), "prelu": (0.25,),
    "relu_max": (0.5,), "relu_min": (0.1,), "threshold": (0.2, 0.7), "rdiv": (3.0,), "rpow": (2.0,), "lerp": (0.3,),
    "softmax": (-1,), "sum": (-1,), "mean": (-2,), "max": (-1,), "min": (-1,), "std": (-1,), "var": (-1,), "cumsum": (-1,),
    "cumprod": (-1,), "permute": ((1, 0),), "transpose": (0, 1), "reshape": ((32, 128),), "roll": (3, 1), "expand": ((64, 64),),
    "repeat": ((2, 1),), "repeat_interleave": (2, 0), "slice": ((0, 32), (32, 64)), "narrow": (0, 0, 32),
    "unsqueeze": (0,), "round": (), "pow": (2.0,),
    "logit": (), "glu": (-1,), "reglu": (-1,), "geglu": (-1,), "swiglu": (-1,), "leaky_relu": (0.1,), "addalpha": (0.5,), "subalpha": (0.5,),
}
_TENSORS = {"lerp": 2, "addcmul": 3, "addcdiv": 3, "mac": 3, "snake_beta": 3, "where": 3, "addmm": 3, "pow": 1}
_TWO_AT_LEAST = frozenset(
    "addalpha bias_gelu div divide div_no_nan floor_div l1_loss matmul linear mse_loss rsub squared_difference subalpha".split()
)
_WHOLE_NUMBERS = frozenset("bitwise_left_shift bitwise_right_shift logical_left_shift gcd lcm".split())
_BITS = frozenset("bitwise_and bitwise_not bitwise_or bitwise_xor".split())
_ABOVE_ONE = frozenset("acosh digamma lgamma polygamma".split())
# Operations that are no functions of values alone, take lists, or write over their inputs.
_LEFT_OUT = frozenset(
    "as_tensor assign bernoulli chunk clone concat copy embedding from_device from_torch gather interleaved_to_sharded move pad"
    " reallocate reshard sharded_to_interleaved sort split squeeze stack to_device to_dtype to_layout to_memory_config to_torch"
    " topk typecast tilize untilize batch_norm transformer.scaled_dot_product_attention nextafter softmax_in_place prod"
    " argmax transformer.concatenate_heads layer_norm rms_norm unsqueeze_to_4D identity ldexp i1 outer erfinv"
    " ge gt le lt eq ne isclose floor_div fmod remainder atan2 adaptive_avg_pool2d adaptive_max_pool2d avg_pool2d"
    " global_avg_pool2d group_norm index_fill max_pool2d rotate scale_mask_softmax scale_mask_softmax_in_place"
    " scale_causal_mask_hw_dims_softmax_in_place scatter scatter_add transformer.attention_softmax"
    " transformer.split_query_key_value_and_split_heads conv2d pearson_correlation_coefficient"
    " complex_tensor angle conj imag is_imag is_real polar real".split()
)
_COMPARED = sorted(
    name for name in (each.python_fully_qualified_name.removeprefix("ttnn.") for each in REGISTERED_OPERATIONS)
    if golden_name(f"ttnn.{name}") in GOLDENS and not name.endswith("_") and name not in _LEFT_OUT
)


def _inputs(name: str) -> Iterator[Any]:
    random = numpy.random.default_rng(7)
    count = _TENSORS.get(name, 2 if name in _TWO or name in _TWO_AT_LEAST else 1)
    shape = (1, 1, 64, 64) if name.endswith(("glu", "_hw")) else (64, 64)
    for _ in range(count):
        if name in _WHOLE_NUMBERS or name in _BITS:
            yield random.integers(1, 8, shape).astype(numpy.int32)
        else:
            low = 1.1 if name in _ABOVE_ONE else 0.05
            yield random.uniform(low, low + 0.9, shape).astype(numpy.float32)


# Operations whose golden functions need a function that NumPy has not.
_IN_TORCH_ONLY = frozenset("digamma logit multigammaln polygamma selu".split())


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize("name", _COMPARED)
def test_an_operation_computes_what_its_golden_function_says(name: str, library: str, device: Any) -> None:
    if library == "torch":
        torch = pytest.importorskip("torch")
    arrays = list(_inputs(name))
    tensors = [ttnn.from_numpy(each, layout=ttnn.TILE_LAYOUT, device=device) for each in arrays]
    more = _ARGUMENTS.get(name, ())
    found = getattr(ttnn, name)(*tensors, *more)
    golden = ttnn.get_golden_function(getattr(ttnn, name))
    if library == "numpy" and name in _IN_TORCH_ONLY:
        with pytest.raises(NotInNumPyError, match="NumPy has none"):
            golden(*arrays, *more)
        return
    expected = golden(*(arrays if library == "numpy" else map(torch.from_numpy, arrays)), *more)
    assert isinstance(expected, numpy.ndarray if library == "numpy" else torch.Tensor)
    values = found.to_numpy().astype(numpy.float64).reshape(expected.shape)
    assert numpy.allclose(values, numpy.asarray(expected, numpy.float64), rtol=2e-2, atol=2e-2)


def test_operations_can_be_made(device: Any, tmp_path: pathlib.Path) -> None:
    @ttnn.register_python_operation(name="ttnn.of_tests.twice", doc="Two times x.")
    def twice(x: Any) -> Any:
        return ttnn.add(x, x)

    assert ttnn.of_tests.twice is twice and twice in REGISTERED_OPERATIONS and twice.__doc__ == "Two times x."  # type: ignore
    x = ttnn.ones([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    assert (twice(x).to_numpy() == 2).all()
    with pytest.raises(RuntimeError, match="<operation ttnn.of_tests.twice> does not have a golden function"):
        ttnn.get_golden_function(twice)
    with pytest.raises(RuntimeError, match="<operation ttnn.of_tests.twice> does not have a golden function"):
        ttnn.get_fallback_function(twice)
    with pytest.raises(RuntimeError, match='"ttnn.of_tests.twice" is already registered'):
        ttnn.register_python_operation(name="ttnn.of_tests.twice")(lambda x: x)
    with pytest.raises(RuntimeError, match='Module path must start with "ttnn."'):
        ttnn.register_python_operation(name="other.twice")(lambda x: x)
    with pytest.raises(RuntimeError, match=r"<operation ttnn.add> is a C\+\+ operation"):
        ttnn.register_python_operation(name="ttnn.of_tests.add")(ttnn.add)
    ttnn.dump_operations(tmp_path / "operations.csv")
    with open(tmp_path / "operations.csv", encoding="utf-8", newline="") as file:
        rows = {row["python_fully_qualified_name"]: row for row in csv.DictReader(file)}
    assert rows["ttnn.of_tests.twice"]["has_golden_function"] == "False" and rows["ttnn.add"]["is_cpp_operation"] == "True"
    assert list(rows["ttnn.add"]) == [
        "python_fully_qualified_name", "is_cpp_operation", "has_golden_function", "is_experimental"
    ]


def test_every_operation_takes_a_command_queue(device: Any) -> None:
    seen: list[int] = []

    @ttnn.register_python_operation(name="ttnn.of_tests.queue")
    def queue(x: Any) -> Any:
        seen.append(int(ttnn.get_current_command_queue_id_for_thread()))
        return ttnn.relu(x, cq_id=0)

    x = ttnn.ones([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    with ttnn.graph.capture() as taken:
        queue(x, cq_id=1)
        queue(x, queue_id=ttnn.QueueId(2))
        queue(x, queue_id=None)
        with pytest.raises(TypeError):
            ttnn.relu(x, other_id=1)
    assert seen == [1, 2, 0]
    names = [node["params"]["name"] for node in taken.nodes if node["node_type"] == "function_start"]
    assert names.count("ttnn.relu") == 4 and names.count("ttnn.of_tests.queue") == 3
    assert all("cq_id" not in str(record["arguments"]) for record in taken.python_io)


@pytest.mark.parametrize(
    ("golden", "calculated", "expected"),
    [
        ([1.0, 2, 3, 4], [1, 2, 3, 4.5], (True, 0.9943767126843689)),
        ([1.0, 2, 3], [3, 2, 1], (False, -1.0)),
        ([1.0, 1, 1], [1, 1, 1.0], (True, 1.0)),
        ([1.0, 1, 1], [1, 1, 2], (False, 0.0)),
        ([0.0, 0, 0], [0, 0, 1e-5], (True, 1.0)),
        ([0.0, 0, 0], [0, 0, 1], (False, 0.0)),
        ([float("nan")] * 2, [float("nan")] * 2, (True, 1.0)),
        ([float("nan")] * 2, [1.0, 2.0], (False, 0.0)),
        ([float("inf"), 1, 2], [float("inf"), 1, 2], (True, 1.0)),
    ],
)
def test_correlations_are_ttnns(golden: list[float], calculated: list[float], expected: tuple[bool, float]) -> None:
    passed, found = comp_pcc(numpy.array(golden), numpy.array(calculated))
    assert passed == expected[0] and found == pytest.approx(expected[1], abs=1e-6)


_SCRIPT = """
import sys
import ttnn.transformer as transformer
import ttnn
from ttnn.operations.conv2d import Conv2dConfig
from ttnn.device import is_blackhole
import ttnn._ttnn.operations.transformer
import tilemeter
assert ttnn is tilemeter and transformer is tilemeter.transformer and Conv2dConfig is tilemeter.Conv2dConfig
assert tilemeter.__spec__.name == "tilemeter" and tilemeter.transformer.__spec__.name == "tilemeter.transformer"
try:
    import ttnn.nothing
except ModuleNotFoundError as error:
    print(error, sys.argv[1:])
"""


def test_scripts_run_as_they_are(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT)
    command = [sys.executable, "-m", "tilemeter.as_ttnn"]
    done = subprocess.run([*command, str(script), "-x", "1"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "No module named 'ttnn.nothing' ['-x', '1']\n"), done.stderr
    done = subprocess.run([*command, "-m", "script", "2"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "No module named 'ttnn.nothing' ['2']\n"), done.stderr
    for arguments, status, said in (
        ((), 2, "usage: python -m tilemeter.as_ttnn [--views=ttnn] SCRIPT"),
        (("-m",), 2, "usage: python -m tilemeter.as_ttnn [--views=ttnn] SCRIPT"),
        (("--nothing",), 2, "as_ttnn: unknown option '--nothing'; usage: "),
        ((str(tmp_path / "absent.py"),), 1, "absent.py: no such file"),
        (("-m", "absent.module"), 1, "as_ttnn: no module 'absent.module'"),
    ):
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (status, "", 1), done.stderr
        assert said in done.stderr
    done = subprocess.run([*command, "--help"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("usage: python -m tilemeter.as_ttnn [--views=ttnn] SCRIPT")
    assert "from tilemeter.as_ttnn import install" in done.stdout


def test_golden_functions_take_what_their_operations_take() -> None:
    assert {f"ttnn.{name}" for name in (*_ONE, *_TWO)} <= set(GOLDENS)
    known = {each.python_fully_qualified_name for each in ttnn.query_registered_operations(include_experimental=True)}
    assert [name for name in GOLDENS if name not in known] == []
    assert all(inspect.signature(golden).parameters for golden in GOLDENS.values())


@pytest.mark.parametrize(
    ("name", "golden"),
    [("add", "add"), ("add_", "add"), ("to_layout", "identity"), ("clip", "clamp"), ("linear", "matmul"), ("div", "divide")],
)
def test_an_operation_has_the_golden_function_that_its_definition_names(name: str, golden: str) -> None:
    assert ttnn.get_golden_function(getattr(ttnn, name)) is GOLDENS[f"ttnn.{golden}"]


def test_arguments_have_all_of_ttnns_names(device: Any) -> None:
    x = ttnn.ones([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    assert (ttnn.div(x, value=2.0).to_numpy() == 0.5).all()
    assert (ttnn.multiply_(input_a=x, input_b=3.0).to_numpy() == 3).all()
    assert list(ttnn.pad(ttnn.to_layout(x, ttnn.ROW_MAJOR_LAYOUT), [64, 32], [0, 0], 0.0).shape) == [64, 32]
    assert ttnn.typecast(x, ttnn.bfloat16, ttnn.float32).dtype == ttnn.float32
    for arguments in ({"sub_core_grids": None}, {"cq_id": 0, "sub_core_grids": None}):
        assert (ttnn.relu(x, **arguments).to_numpy() == 3).all()
    assert (ttnn.sigmoid(ttnn.zeros_like(x), vector_mode=4, mode=None).to_numpy() == 0.5).all()
    said = []
    for call in (lambda: ttnn.relu(x, nothing=1), lambda: ttnn.add(x, "a"), lambda: ttnn.relu(x, input=x)):
        with pytest.raises(TypeError) as caught:
            call()
        said.append(str(caught.value).split("\n\n"))
    assert [lines[0] for lines in said] == [f"\nttnn.{name}(): incompatible function arguments." for name in ("relu", "add", "relu")]
    assert said[1][1] == "Called with:\n  add(ttnn.Tensor, str)"
    assert said[1][2].startswith("Available signatures:\n  add(input_tensor_a: ttnn.Tensor, input_tensor_b: ")


def test_in_slow_mode_arguments_have_all_names_as_well(device: Any) -> None:
    x = ttnn.ones([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    with ttnn.manage_config("enable_fast_runtime_mode", False), ttnn.graph.capture() as taken:
        ttnn.div(x, value=2.0)
        with pytest.raises(TypeError, match="Called with"):
            ttnn.div(x, nothing=2.0)
    assert ["error" in record for record in taken.python_io] == [False, True]


def test_one_process_is_all_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not ttnn.using_distributed_env() and ttnn.distributed_context_is_initialized()
    assert (str(ttnn.distributed_context_get_rank()), str(ttnn.distributed_context_get_size())) == ("Rank(0)", "Size(1)")
    assert ttnn.distributed_context_allgather_int(5) == [5]
    for board, kind in (("n150", "N150"), ("n300", "N300"), ("p150", "P150"), ("e75", "CUSTOM")):
        monkeypatch.setenv("TILEMETER_DEVICE", board)
        assert str(ttnn.cluster.get_cluster_type()) == f"ClusterType.{kind}"


def test_bessel_functions_of_large_values_are_infinite(device: Any) -> None:
    x = ttnn.from_numpy(numpy.array([[0.0, 1.0, -1.0, 3e4, -3e4]], dtype=numpy.float32), layout=ttnn.TILE_LAYOUT, device=device)
    inf = float("inf")
    assert numpy.allclose(ttnn.i0(x).to_numpy(), [[1.0, 1.2660659, 1.2660659, inf, inf]])
    assert numpy.allclose(ttnn.i1(x).to_numpy(), [[0.0, 0.5651591, -0.5651591, inf, -inf]])
