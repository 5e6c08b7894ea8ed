# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Graphs for all sizes of the names in their shapes, from Python."""

import numpy as np
import pytest

import tilemeter.trace as tp


def attention(q, k, v):
    scores = q @ k.transpose((0, 2, 1)) / 8.0
    return tp.softmax(scores, axis=-1) @ v


def test_one_graph_is_called_with_any_sizes() -> None:
    graph = tp.trace_graph(attention, args=("b, n, 64",) * 3)
    assert repr(graph.result_types[0]) == "f32[b,n,64]"
    assert list(graph.sizes) == ["b", "n"]
    random = np.random.default_rng(0)
    for b, n in ((1, 1), (2, 3), (4, 8)):
        q, k, v = (random.standard_normal((b, n, 64)).astype("float32") for _ in range(3))
        np.testing.assert_allclose(np.asarray(graph(q, k, v)), np.asarray(attention(tp.array(q), tp.array(k), tp.array(v))),
                                   rtol=1e-6)
        plain = graph.at(b=b, n=n)
        assert plain.result_types[0].shape == (b, n, 64)
        np.testing.assert_array_equal(np.asarray(plain(q, k, v)), np.asarray(graph(q, k, v)))


def test_numbers_of_a_shape_stay_linked() -> None:
    graph = tp.trace_graph(lambda x: (x.reshape(x.shape[0] * 2, -1), x / x.shape[0], tp.arange(x.shape[0] // 2 + 1)),
                           args=("2*b, 6",))
    assert [each.shape for each in graph.result_types] == [(tp.Dim("4*b"), 3), (tp.Dim("2*b"), 6), (tp.Dim("b + 1"),)]
    halves, scaled, numbers = graph(np.ones((4, 6), "float32"))
    assert halves.shape == (8, 3) and numbers.shape == (3,)
    np.testing.assert_allclose(np.asarray(scaled), 0.25)


def test_what_is_asked_of_a_size_is_answered_where_it_is_certain() -> None:
    asked = {}

    def f(x):
        rows = x.shape[0]
        asked["even"] = rows % 2 == 0
        asked["positive"] = rows > 1
        asked["sum"] = rows + rows == 4 * tp.Dim("b")
        return x

    tp.trace_graph(f, args=("2*b",))
    assert asked == {"even": True, "positive": True, "sum": True}
    with pytest.raises(tp.TraceError, match="not certain for all sizes") as raised:
        tp.trace_graph(lambda x: x if x.shape[0] > 4 else -x, args=("b",))
    assert raised.value.kind == "needs_concrete_bool"
    tp.trace_graph(lambda x: x if x.shape[0] > 4 else -x, args=("b",), constraints=["b >= 5"])
    with pytest.raises(tp.TraceError) as raised:
        tp.trace_graph(lambda x: [x[i] for i in range(x.shape[0])], args=("b",))
    assert raised.value.kind == "needs_concrete_int"
    with pytest.raises(tp.TraceError) as raised:
        tp.trace_graph(lambda x: list(x), args=("b",))
    assert raised.value.kind == "needs_concrete_int"


@pytest.mark.parametrize(("f", "args", "constraints", "words"), [
    (lambda x, y: x + y, ("b", "n"), (), "b == n would have to hold"),
    (lambda x: x.reshape(x.shape[0], 9), ("b, 8",), (), "would have to hold"),
    (lambda x: x.reshape(-1, 8), ("b",), (), r"mod\(b, 8\) == 0 would have to hold"),
    (lambda x: x, ("b*n",), (), "can't be found"),
    (lambda x: x, ("b",), ("b >= 4", "b <= 3"), "no sizes keep"),
    (lambda x: x, ("b,, 3",), (), "column 3"),
    (lambda x: x, ("b",), ("b > ",), "column"),
])
def test_refusals_while_tracing_are_one_line(f, args, constraints, words) -> None:
    with pytest.raises(tp.TraceError, match=words) as raised:
        tp.trace_graph(f, args=args, constraints=constraints)
    assert "\n" not in str(raised.value)


def test_calls_are_checked() -> None:
    graph = tp.trace_graph(lambda x, y: (x, y), args=("b, 3", "b"), constraints=["b >= 2"])
    graph(np.ones((4, 3), "float32"), np.ones(4, "float32"))
    for shapes in (((4, 3), (5,)), ((4, 4), (4,)), ((4,), (4,)), ((1, 3), (1,)), ((0, 3), (0,))):
        with pytest.raises(tp.TraceError):
            graph(*(np.ones(shape, "float32") for shape in shapes))
    with pytest.raises(tp.TraceError, match="b >= 2"):
        graph.at(b=1)
    with pytest.raises(tp.TraceError, match="no size for 'b'"):
        graph.at()


def test_the_text_reads_back(tmp_path) -> None:
    graph = tp.trace_graph(lambda x: x[1:].reshape(-1), args=("b + 1, 3*n",), constraints=["mod(n, 2) == 0"])
    path = tmp_path / "f.graph"
    graph.save(path)
    assert tp.load(path).graph == graph.graph
    assert "where mod(n, 2) == 0" in str(graph)
    assert tp.load(path)(np.ones((3, 6), "float32")).shape == (12,)


def test_gradients_are_for_all_sizes() -> None:
    def loss(w, x):
        return ((x @ w) ** 2).mean()

    graph = tp.trace_graph(tp.grad(loss), args=("n", "b, n"))
    assert repr(graph.result_types[0]) == "f32[n]"
    w, x = np.arange(3, dtype="float32"), np.arange(12, dtype="float32").reshape(4, 3)
    np.testing.assert_allclose(np.asarray(graph(w, x)), 2 * x.T @ (x @ w) / 4, rtol=1e-5)
