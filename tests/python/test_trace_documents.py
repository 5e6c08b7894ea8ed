# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The examples of documents on tracing, as they stand there but for their imports: Ivy's graph tracer, Tripy's architecture,
computation graphs in practice."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import time
from typing import Any

import numpy as np
import pytest

import tilemeter
import tilemeter.trace as ivy
import tilemeter.trace as tp
from tilemeter.trace import trace_graph

PROGRAM = pathlib.Path(tilemeter.__file__).parent / "bin" / "tilemeter"

# ---- Tripy

TRACE_IR = """==== Trace IR ====
t0 = fill(value=0.5, shape=(2, 3), dtype=float32)
t1 = unaryelementwise(t0, kind=Kind.TANH)
outputs:
    t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)]
"""
FLAT_IR = """==== Flat IR ====
t_inter1: [shape=(), dtype=(float32), loc=(gpu:0)] = ConstantOp(data=0.5, dtype=float32, device=gpu:0)
t0: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)] = BroadcastOp(t_inter1, broadcast_dim=[])
t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)] = TanhOp(t0)
outputs:
    t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)]
"""
STABLEHLO = """==== StableHLO IR ====
1: module {
2:   func.func @main() -> tensor<2x3xf32> {
3:     %0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
4:     %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
5:     %2 = stablehlo.tanh %1 : tensor<2x3xf32>
6:     return %2 : tensor<2x3xf32>
7:   }
8: }
9:
"""


def test_a_day_in_the_life_of_a_tensor() -> None:
    before = tp.lazy_statistics()
    inp = tp.full((2, 3), value=0.5)
    out = inp.tanh()
    waiting = tp.lazy_statistics()
    assert waiting["runs"] == before["runs"] and waiting["held_bytes"] == before["held_bytes"]
    texts = [text.rstrip() for text in tp.tripy_texts(out, device="gpu:0")]
    assert texts == [text.rstrip() for text in (TRACE_IR, FLAT_IR, STABLEHLO)]
    assert tp.lazy_statistics()["runs"] == before["runs"]  # to print is no use of values
    out.eval()
    assert tp.lazy_statistics()["runs"] == before["runs"] + 1
    np.testing.assert_allclose(out.numpy(), np.tanh(np.full((2, 3), 0.5, np.float32)), rtol=1e-6)
    repr(out), np.from_dlpack(out), out.eval()
    assert tp.lazy_statistics()["runs"] == before["runs"] + 1


def test_methods_are_registered_out_of_line() -> None:
    @tp.register_method("twice_tanh")
    def twice_tanh(self: Any) -> Any:
        return 2.0 * self.tanh()

    inp = tp.full((2, 3), value=0.5)
    np.testing.assert_allclose(inp.twice_tanh().numpy(), 0.92423431, rtol=1e-6)
    assert [each["operation"] for each in trace_graph(lambda x: x.twice_tanh(), args=(np.ones(3),)).equations] == ["tanh", "mul"]


def test_what_is_not_needed_stays_pending() -> None:
    inp = tp.full((2, 3), value=0.5)
    one, other = inp.tanh(), inp.exp()
    one.eval()
    assert other.is_pending and not one.is_pending


# ---- Ivy


def test_graph_construction() -> None:
    def example_function(x):
        y = ivy.mean(x)     # Node 1
        z = ivy.sqrt(y)     # Node 2
        return z

    graph = trace_graph(example_function, args=(ivy.array([1., 2., 3.]),))
    assert [each["operation"] for each in graph.equations] == ["mean", "sqrt"]
    assert graph.equations[1]["operands"] == graph.equations[0]["results"]
    assert float(graph(ivy.array([1., 2., 3.]))) == pytest.approx(2**0.5) and graph.equations[0]["operands"] == graph.params


def test_performance_comparison() -> None:
    def fn(x):
        return ivy.sqrt(ivy.mean(x))

    compiled_fn = tp.jit(fn)
    x = ivy.array([1., 2., 3.])
    start = time.time()
    result = fn(x)
    print(f"Original: {time.time() - start:.4f}s")
    start = time.time()
    assert float(compiled_fn(x)) == float(result)
    print(f"Compiled: {time.time() - start:.4f}s")


def test_usage_example() -> None:
    # Define a function with multiple operations
    def fn(x):
        y = ivy.sum(x)
        z = ivy.prod(x)
        a = ivy.sin(y)
        b = ivy.cos(z)
        c = ivy.tan(z)
        i = ivy.round(a)
        j = ivy.floor(b)
        k = ivy.ceil(c)
        return i, j, k

    # Compile the function
    x = ivy.array([1.])
    comp_fn = trace_graph(fn, args=(x,), to="tilemeter")

    assert len(comp_fn) == 8
    for value in (1.0, 2.0):
        expected = np.round(np.sin(value)), np.floor(np.cos(value)), np.ceil(np.tan(value))
        for found in (fn(ivy.array([value])), comp_fn(ivy.array([value])), trace_graph(fn, args=(x,), to="numpy")(np.array([value]))):
            assert tuple(map(float, found)) == expected
    assert len(trace_graph(lambda x: fn(x)[:1], args=(x,))) == 3  # of one result: what it needs


def test_torchs_functions_are_traced_and_stay_what_they_are() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    linear = torch.nn.functional.linear
    weight, bias = torch.arange(6.0).double().reshape(2, 3), torch.tensor([1.0, -1.0]).double()
    graph = trace_graph(lambda x: torch.nn.functional.linear(x, weight, bias), args=(np.ones((4, 3)),))
    assert torch.nn.functional.linear is linear
    np.testing.assert_allclose(np.asarray(graph(np.ones((4, 3)))), np.ones((4, 3)) @ weight.numpy().T + bias.numpy())


# ---- computation graphs in practice


def phases(*numbers: str) -> str:
    done = subprocess.run([PROGRAM, "phases", *numbers], capture_output=True, text=True, timeout=120, env=os.environ)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not beside the package")
def test_one_command_runs_all_phases_and_one_a_single_phase() -> None:
    everything = phases()
    for number in "12345":
        alone = phases("--only", number)
        assert len(alone.splitlines()) > 3 and alone.strip() in everything, number


def by_hand() -> Any:
    """max((a + b) * 6, 0), with 6 as a product, and a difference that nobody uses."""
    graph = tp.GraphBuilder("phases")
    a, b = graph.add_input("a", tp.Type((3,), "float32")), graph.add_input("b", tp.Type((3,), "float32"))
    two, three = graph.add_const(np.float32(2)), graph.add_const(np.float32(3))
    six = graph.add_op("mul", [two, three])
    total = graph.add_op("add", [a, b])
    product = graph.add_op("mul", [total, six])
    graph.add_op("sub", [total, product])
    graph.set_results([graph.add_op("relu", [product])])
    return graph


def test_a_graph_by_hand_is_evaluated_in_its_order() -> None:
    graph = by_hand().graph()
    graph.verify()
    assert len(graph) == 5 and graph.param_names == ["a", "b"] and tp.parse(graph.text()) == graph
    defined = set(graph.params)
    for equation in graph.equations:
        assert all(operand in defined for operand in equation["operands"] if isinstance(operand, int))
        defined.update(equation["results"])
    values = graph.run([np.float32([1, -2, 3]), np.float32([1, 1, -5])])
    np.testing.assert_array_equal(np.asarray(values[0]), [12, 0, 0])
    with pytest.raises(tp.TraceError):
        graph.run([np.float32([1, -2, 3])])


def test_constants_are_folded_and_dead_code_is_gone() -> None:
    graph = by_hand().graph().simplified()
    assert [each["operation"] for each in graph.equations] == ["add", "mul", "relu"]
    np.testing.assert_array_equal(np.asarray(graph.run([np.float32([1, -2, 3]), np.float32([1, 1, -5])])[0]), [12, 0, 0])


def test_bad_operands_of_a_graph_by_hand_are_refused_and_leave_it_as_it_is() -> None:
    graph = by_hand()
    for operation, operands, kind in [("add", [0, 99], "undefined_value"), ("add", [0], "wrong_arity"), ("ad", [0, 1], "bad_argument"),
                                      ("matmul", [0, graph.add_const(np.ones((2, 2), np.float32))], "shape_mismatch")]:
        with pytest.raises(tp.TraceError) as raised:
            graph.add_op(operation, operands)
        assert raised.value.kind == kind and len(graph) == 5


def test_the_same_perceptron_by_hand_and_traced_is_one_graph() -> None:
    types = [tp.Type(shape, "float64") for shape in ((4, 8), (8, 16), (16,), (16, 2), (2,))]
    builder = tp.GraphBuilder("mlp")
    x, w1, b1, w2, b2 = (builder.add_input(name, each) for name, each in zip(("x", "w1", "b1", "w2", "b2"), types))
    hidden = builder.add_op("relu", [builder.add_op("add", [builder.add_op("matmul", [x, w1]), b1])])
    builder.set_results([builder.add_op("add", [builder.add_op("matmul", [hidden, w2]), b2])])
    assert builder.graph() == trace_graph(mlp, args=types).graph


def mlp(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    return tp.relu(x @ w1 + b1) @ w2 + b2


def test_the_same_perceptron_traced_and_by_torch_fx_in_one_table() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    generator = np.random.default_rng(0)
    inputs = [generator.standard_normal(shape) for shape in ((4, 8), (8, 16), (16,), (16, 2), (2,))]

    class MLP(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x, w1, b1, w2, b2):
            return torch.relu(x @ w1 + b1) @ w2 + b2

    ours, theirs = trace_graph(mlp, args=inputs), torch.fx.symbolic_trace(MLP())
    named = {"matmul": "matmul", "add": "add", "relu": "relu"}
    calls = [named[node.target.__name__] for node in theirs.graph.nodes if node.op == "call_function"]
    assert [each["operation"] for each in ours.equations] == calls == ["matmul", "add", "relu", "matmul", "add"]
    np.testing.assert_allclose(np.asarray(ours(*inputs)), theirs(*map(torch.from_numpy, inputs)).numpy(), rtol=1e-12)
    table = ours.table(more=True)
    for column in ("opcode", "name", "target", "args", "kwargs"):
        assert column in table
    assert "f64[4,16]" in table  # which torch.fx's has not


QUESTIONS = pathlib.Path(__file__).resolve().parents[2] / "runtime" / "trace" / "QUESTIONS.md"


@pytest.mark.skipif(not QUESTIONS.is_file(), reason="the checkout's document is not here")
def test_answers_to_the_questions_name_tests_that_are_there() -> None:
    rows = [line for line in QUESTIONS.read_text().splitlines() if line.startswith("| ") and "?" in line.split("|")[1]]
    assert len(rows) == 10
    for row in rows:
        held = re.findall(r"\[[^]]+\]\(([^)]+)\) `(\w+)`", row)
        assert len(held) >= 2, row
        for file, test in held:
            text = (QUESTIONS.parent / file).read_text()
            assert re.search(rf"def {test}\(|^TEST(_F|_P)?\(\w+, {test}\)", text, flags=re.M), (file, test)
        for file, heading in re.findall(r"\]\(([^)#]+\.md)(?:#([^)]+))?\)", row):
            headings = re.findall(r"^#+ (.+)$", (QUESTIONS.parent / file).read_text(), flags=re.M)
            anchors = {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}
            assert not heading or heading in anchors, (file, heading)


@pytest.mark.skipif(not QUESTIONS.is_file(), reason="the checkout's document is not here")
def test_gradients_in_ten_lines_run(capsys: pytest.CaptureFixture[str]) -> None:
    code = QUESTIONS.read_text().partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {}
    exec(code, names)
    assert len(code.splitlines()) <= 11 and "'needed_by'" in capsys.readouterr().out
    assert (names["w"].to_numpy() < 1).all() and np.isfinite(names["w"].to_numpy()).all()
    names["ttnn"].close_device(names["device"])
