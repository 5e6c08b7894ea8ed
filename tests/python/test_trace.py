# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of arrays as graphs: arrays, tracing, compiled functions, graphs, errors."""

from __future__ import annotations

import ctypes
import dataclasses
import gc
import threading
from collections import OrderedDict, namedtuple
from typing import Any

import numpy as np
import pytest
import tilemeter.trace as tp

X3 = np.arange(3.0)


def ones(*shape: int, dtype: Any = np.float64) -> Any:
    return np.ones(shape, dtype)


# ---- lazy arrays


def test_nothing_runs_before_use_and_one_use_runs_once() -> None:
    runs = tp.lazy_statistics()["runs"]
    inp = tp.full((2, 3), value=0.5)
    out = inp.tanh()
    assert out.is_pending and tp.lazy_statistics()["runs"] == runs
    out.eval()
    assert not out.is_pending and tp.lazy_statistics()["runs"] == runs + 1
    np.testing.assert_allclose(np.asarray(out), np.full((2, 3), 0.46211716), rtol=1e-6)
    repr(out), np.from_dlpack(out), out.eval()
    assert tp.lazy_statistics()["runs"] == runs + 1


@pytest.mark.parametrize("use", [repr, np.asarray, np.from_dlpack, lambda x: x.eval(), lambda x: x.tolist(), str])
def test_each_use_triggers_one_evaluation(use: Any) -> None:
    out = tp.full((2,), value=0.25).exp()
    runs = tp.lazy_statistics()["runs"]
    use(out), use(out)
    assert tp.lazy_statistics()["runs"] == runs + 1


def test_tripy_texts() -> None:
    trace_ir, flat_ir, stablehlo = tp.tripy_texts(tp.full((2, 3), value=0.5).tanh(), device="gpu:0")
    assert "t1 = unaryelementwise(t0, kind=Kind.TANH)" in trace_ir
    assert "BroadcastOp(t_inter1, broadcast_dim=[])" in flat_ir
    assert "stablehlo.tanh" in stablehlo


# ---- arrays in Python


def test_operators_follow_numpy() -> None:
    a, b = np.arange(6.0).reshape(2, 3) + 1, np.array([2.0, 3.0, 4.0])
    x, y = tp.array(a), tp.array(b)
    for got, want in [(x + y, a + b), (x - 1, a - 1), (2 * x, 2 * a), (x / y, a / b), (1 / x, 1 / a), (x // y, a // b), (x % y, a % b),
                      (x**2, a**2), (x @ y, a @ b), (-x, -a), (abs(-x), a), (x > y, a > b), (x == a, a == a), (round(x / 3), np.rint(a / 3)),
                      (a + y, a + b), (np.float64(2) * x, 2 * a)]:
        np.testing.assert_allclose(np.asarray(got), want)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int8, np.int32, np.uint32, np.int64])
def test_bits_follow_numpy(dtype: Any) -> None:
    a = (np.arange(6).reshape(2, 3) * 11).astype(dtype)
    b = np.array([1, 0, 6]).astype(dtype)
    for f in (lambda x, y: x & y, lambda x, y: x | y, lambda x, y: x ^ y, lambda x, y: ~x ^ y, lambda x, y: True ^ x, np.bitwise_and,
              np.bitwise_or, np.bitwise_xor, lambda x, y: np.invert(x) & 1):
        want = f(a, b)
        for got in (f(tp.array(a), tp.array(b)), tp.trace_graph(f, args=(a, b))(a, b), tp.trace_graph(f, args=(a, b), to="numpy")(a, b)):
            assert np.asarray(got).dtype == want.dtype
            np.testing.assert_array_equal(np.asarray(got), want)
    with pytest.raises(tp.TraceError, match="expected integers or bool") as raised:
        tp.trace_graph(lambda x: x & 1, args=(X3,))
    assert raised.value.kind == "dtype_mismatch"


def test_more_of_numpys_functions() -> None:
    x = np.array([-1.5, -0.0, 0.5, 2.75, np.inf, -np.inf, np.nan])
    for f in (np.isfinite, np.trunc, np.arctan):
        np.testing.assert_allclose(np.asarray(tp.jit(f)(x)), f(x), rtol=1e-15)


def test_numbers_of_python_are_weak_and_those_of_numpy_are_not() -> None:
    x = tp.array(np.ones(2, np.float32))
    assert (x * 2.0).dtype == np.float32 and (x * np.float64(2)).dtype == np.float64


def test_indexing_follows_numpy() -> None:
    a = np.arange(24.0).reshape(2, 3, 4)
    x = tp.array(a)
    for key in [0, -1, (0, 1), slice(1, None), (Ellipsis, 2), (None, 0), (slice(None, None, -1),), (0, slice(None), slice(1, 3)),
                np.array([1, 0])]:
        np.testing.assert_array_equal(np.asarray(x[key]), a[key])


def test_built_in_functions() -> None:
    def f(x: Any) -> Any:
        assert len(x) == 3 and isinstance(x, tp.Array) and x.shape == (3,)
        total = sum(row for row in x)
        for a, b in zip(x, x):
            total = total + a * b
        return total + abs(x[0]) + round(x[1])

    assert float(tp.jit(f)(X3)) == 9.0
    for built_in in (lambda x: max(x[0], x[1]), lambda x: min(x[0], x[1]), lambda x: sorted(x)):
        with pytest.raises(tp.TraceError) as raised:
            tp.jit(built_in)(X3)
        assert raised.value.kind == "needs_concrete_bool"


@pytest.mark.parametrize("value", [np.ones(2, complex), np.complex64(1), np.array(["a"]), np.array([object()]), np.ones(2, np.longdouble),
                                   np.zeros(2, [("a", float)])])
def test_other_element_types_are_refused(value: Any) -> None:
    for use in (tp.array, tp.full((2,), value=1.0).add, tp.jit(lambda x: x), lambda x: tp.trace_graph(lambda x: x, args=(x,))):
        with pytest.raises(tp.TraceError, match=f"found elements of type {value.dtype.name}, expected an array or a number") as raised:
            use(value)
        assert raised.value.kind == "bad_argument"


def test_bytes_may_be_in_another_order() -> None:
    np.testing.assert_array_equal(np.asarray(tp.array(np.arange(3, dtype=">f4") + 0.5)), np.arange(3, dtype=np.float32) + 0.5)


def test_dtypes_go_in_and_out() -> None:
    for dtype in (np.float64, np.float32, np.float16, np.int64, np.int32, np.int16, np.int8, np.uint8, np.uint16, np.uint32, np.uint64, bool):
        a = np.ones((2, 2), dtype)
        assert np.asarray(tp.array(a)).dtype == a.dtype and (np.asarray(tp.array(a)) == a).all()
    assert np.asarray(tp.array(np.arange(6).reshape(2, 3).T)).tolist() == np.arange(6).reshape(2, 3).T.tolist()


# ---- spellings


def _ours(x: Any) -> Any:
    return tp.round(tp.sin(tp.sum(x))), tp.tanh(x) * 2.0


def _methods(x: Any) -> Any:
    return x.sum().sin().round(), x.tanh() * 2.0


def _numpy(x: Any) -> Any:
    return np.round(np.sin(np.sum(x))), np.multiply(np.tanh(x), 2.0)


def _torch(x: Any) -> Any:
    import torch

    return torch.round(torch.sin(torch.sum(x))), torch.mul(torch.tanh(x), 2.0)


def test_spellings_are_one_text() -> None:
    spellings = [_ours, _methods, _numpy]
    try:
        import torch  # noqa: F401

        spellings.append(_torch)
    except ImportError:
        pass
    texts = set()
    for spelling in spellings:
        spelling.__name__ = "f"
        texts.add(str(tp.trace_graph(spelling, args=(X3,))))
    assert len(texts) == 1, texts


def test_wrapping_disappears() -> None:
    def f(x: Any) -> Any:
        return np.tanh(x)

    def wrapped(x: Any) -> Any:
        return (lambda y: (lambda z: f(z))(y))(x)

    wrapped.__name__ = "f"
    assert str(tp.trace_graph(f, args=(X3,))) == str(tp.trace_graph(wrapped, args=(X3,)))


# ---- graphs


def test_usage_example() -> None:
    def fn(x: Any) -> Any:
        y, z = np.sum(x), np.prod(x)
        a, b, c = np.sin(y), np.cos(z), np.tan(z)
        return np.round(a), np.floor(b), np.ceil(c)

    graph = tp.trace_graph(fn, args=(np.array([1.0]),))
    assert len(graph) == 8
    for value in (1.0, 2.0):
        for got, want in zip(graph(np.array([value])), fn(np.array([value]))):
            assert np.asarray(got) == want
    for got, want in zip(tp.trace_graph(fn, args=(np.array([1.0]),), to="numpy")(np.array([2.0])), fn(np.array([2.0]))):
        assert got == want
    assert len(tp.trace_graph(lambda x: fn(x)[:1], args=(np.array([1.0]),))) == 3
    assert "stablehlo.tan" in tp.trace_graph(fn, args=(np.array([1.0]),), to="stablehlo")


def test_graphs_come_back_from_text_and_file(tmp_path: Any) -> None:
    table = np.linspace(0, 1, 64).reshape(8, 8)
    graph = tp.trace_graph(lambda x: np.tanh(x @ table), args=(ones(2, 8),))
    assert tp.parse(graph.text()) == graph.graph
    graph.save(tmp_path / "f.graph")
    loaded = tp.load(tmp_path / "f.graph")
    assert loaded.graph == graph.graph
    np.testing.assert_array_equal(np.asarray(loaded(ones(2, 8))), np.asarray(graph(ones(2, 8))))
    text = (tmp_path / "f.graph").read_text()
    (tmp_path / "g.graph").write_text(text.replace("tanh", "tahn"))
    with pytest.raises(tp.TraceError):
        tp.load(tmp_path / "g.graph")
    with pytest.raises(tp.TraceError, match="line 1"):
        tp.parse("not a graph")


def test_types_are_enough() -> None:
    graph = tp.trace_graph(lambda x, y: x @ y, args=(tp.Type((1 << 20, 1 << 18), "f32"), tp.Type((1 << 18, 4), "f32")))
    assert graph.result_types[0].shape == (1 << 20, 4)


def test_equations_know_where_they_come_from() -> None:
    def f(x: Any) -> Any:
        with tp.scope("encoder"), tp.scope("0"):
            return np.tanh(x) + np.sum(x)

    equations = tp.trace_graph(f, args=(X3,)).equations
    line = f.__code__.co_firstlineno + 2
    assert [each["operation"] for each in equations] == ["tanh", "sum", "add"]
    assert all(each["file"] == __file__ and each["line"] == line and each["scope"] == "encoder/0" for each in equations)


def test_concrete_mode_follows_values_and_keeps_guards() -> None:
    def f(x: Any) -> Any:
        if np.sum(x) > 0:
            return x * x
        return -x

    graph = tp.trace_graph(f, args=(X3,), concrete=True)
    assert graph.guards and graph.assumptions
    assert np.asarray(graph(X3)).tolist() == [0, 1, 4]
    with pytest.raises(tp.TraceError) as raised:
        graph(-X3)
    assert raised.value.kind == "guard_failed"
    compiled = tp.jit(f, concrete=True)
    for x in (X3, -X3, X3 * 2, -X3 * 2):
        np.testing.assert_array_equal(np.asarray(compiled(x)), f(x))


# ---- compiled functions


def count(calls: list[tuple[Any, ...]], **options: Any) -> int:
    traced = 0

    def f(*args: Any, **kwargs: Any) -> Any:
        nonlocal traced
        traced += 1
        return args[0]

    compiled = tp.jit(f, **options)
    for call in calls:
        compiled(*call)
    return traced


def test_what_makes_a_call_another_one() -> None:
    assert count([(ones(2) * i,) for i in range(100)]) == 1
    assert count([(ones(2),), (ones(3),), (ones(2),), (ones(3),)]) == 2
    assert count([(ones(2),), (ones(2, 1),)]) == 2
    assert count([(ones(2),), (ones(2, dtype=np.float32),)]) == 2
    assert count([(1.0, True), (1.0, False), (1.0, True)], static_argnums=1) == 2
    assert count([(1.0, 1), (1.0, True), (1.0, 1.0)], static_argnums=(1,)) == 3
    assert count([((ones(2), ones(2)),), ([ones(2), ones(2)],)]) == 2


def test_explain_names_the_first_difference() -> None:
    f = tp.jit(lambda x: x)
    f(ones(2, 3)), f(ones(2, 4))
    assert "shape[1] is 4, was 3" in f.explain()
    f(ones(2, 4).astype(np.float32))
    assert "element type is f32" in f.explain()


def test_a_changed_closure_is_traced_again() -> None:
    scale = 2.0
    f = tp.jit(lambda x: x * scale)
    assert float(f(1.0)) == 2.0
    scale = 3.0
    assert float(f(1.0)) == 3.0 and "closure" in f.explain()


@dataclasses.dataclass
class Layer:
    weight: Any
    bias: Any


Pair = namedtuple("Pair", "a b")


@pytest.mark.parametrize("tree", [1.0, (1.0, 2.0), [1.0, 2.0], {"a": 1.0, "b": [2.0, (3.0,)]}, Pair(1.0, 2.0), Layer(1.0, [2.0]), None,
                                  (), OrderedDict(b=1.0, a=2.0), (1.0, None, {"x": (2.0,)}), [[[1.0]]]], ids=repr)
def test_structures_round_trip(tree: Any) -> None:
    def plain(value: Any) -> Any:
        if isinstance(value, tp.Array):
            return float(value)
        if isinstance(value, Layer):
            return Layer(plain(value.weight), plain(value.bias))
        if isinstance(value, dict):
            return type(value)((name, plain(each)) for name, each in value.items())
        if isinstance(value, Pair):
            return Pair(*map(plain, value))
        return type(value)(map(plain, value)) if isinstance(value, (tuple, list)) else value

    f = tp.jit(lambda x: x)
    for _ in range(2):
        assert plain(f(tree)) == tree and type(f(tree)) is type(f(tree))
    assert plain(tp.trace_graph(lambda x: x, args=(tree,))(tree)) == tree
    assert plain(tp.jit(lambda x: {"y": f(x)})(tree)) == {"y": tree}


def test_keywords_defaults_and_methods() -> None:
    class Model:
        @tp.jit
        def twice(x: Any) -> Any:  # type: ignore[misc]
            return x + x

    f = tp.jit(lambda x, y=2.0, *, z=1.0: x * y + z)
    assert float(f(3.0)) == 7.0 and float(f(3.0, y=3.0)) == 10.0 and float(f(x=3.0, z=0.0)) == 6.0
    assert float(Model.twice(2.0)) == 4.0


def test_results_of_another_structure_in_another_signature() -> None:
    f = tp.jit(lambda x: (x, x) if x.ndim else x)
    for _ in range(2):
        assert len(f(ones(2))) == 2 and float(f(1.0)) == 1.0
        nested = tp.jit(lambda y: (f(y), f(y[0])))(ones(2))
        assert len(nested[0]) == 2 and float(nested[1]) == 1.0


def test_compiled_functions_go_with_their_graphs() -> None:
    gc.collect()
    entries = tp.cache_statistics()["entries"]
    for _ in range(50):
        tp.jit(lambda x: x + 1.0)(1.0)
    gc.collect()
    assert tp.cache_statistics()["entries"] <= entries


# ---- choices and loops


def test_choices_and_loops_take_trees() -> None:
    def f(x: Any) -> Any:
        state = tp.while_loop(lambda s: s["i"] < 5, lambda s: {"i": s["i"] + 1, "x": s["x"] * 2.0}, {"i": 0, "x": x})
        carry, outputs = tp.scan(lambda c, row: (c + row, {"c": c}), x, np.arange(4.0))
        chosen = tp.cond(carry > 0, lambda s: (s["x"], 1.0), lambda s: (-s["x"], 2.0), state)
        return chosen, outputs, tp.switch(1, [lambda y: y, lambda y: y + 1.0], x)

    (a, b), outputs, c = tp.jit(f)(1.0)
    assert (float(a), float(b), float(c)) == (32.0, 1.0, 2.0)
    assert np.asarray(outputs["c"]).tolist() == [1.0, 1.0, 2.0, 4.0]


def test_length_of_a_loop_costs_nothing() -> None:
    graphs = [tp.trace_graph(lambda x: tp.scan(lambda c, _: (c * 1.5, None), x, None, length=n)[0], args=(1.0,)) for n in (10, 10**6)]
    assert graphs[0].count() == graphs[1].count()


# ---- operations and methods of one's own


def test_custom_operations() -> None:
    clip = tp.custom_op("test_clip", infer=lambda x: x, compute=lambda x: np.clip(x, 0, 1))
    assert np.asarray(clip(tp.array([-1.0, 0.5, 2.0]))).tolist() == [0, 0.5, 1]
    assert np.asarray(tp.array([2.0]).test_clip()).tolist() == [1]
    lowered = tp.custom_op("test_twice", infer=lambda x: x, lower=lambda x: x + x)
    graph = tp.trace_graph(lambda x: lowered(x), args=(X3,))
    assert [each["operation"] for each in graph.equations] == ["test_twice"]
    assert "stablehlo.add" in graph.stablehlo() and np.asarray(graph(X3)).tolist() == [0, 2, 4]
    picture = graph.svg()
    assert picture._repr_svg_() == picture and "test_twice(%" in picture and picture.count('class="step') == 1
    scaled = tp.custom_op("test_scaled", infer=lambda x, *, by: tp.Type(x.shape, x.dtype), compute=lambda x, *, by: x * by)
    assert np.asarray(tp.jit(lambda x: scaled(x, by=3.0))(X3)).tolist() == [0, 3, 6]


def test_registered_methods() -> None:
    @tp.register_method("test_thrice")
    def thrice(self: Any) -> Any:
        return self * 3.0

    assert np.asarray(tp.array(X3).test_thrice()).tolist() == [0, 3, 6]
    with pytest.raises(tp.TraceError):
        tp.register_method("tanh")(thrice)
    with pytest.raises(AttributeError):
        tp.array(X3).no_such_method


# ---- errors


@pytest.mark.parametrize("kind, act, words", [
    ("shape_mismatch", lambda: tp.jit(np.matmul)(ones(2, 3), ones(2, 3)), "2,3"),
    ("needs_concrete_bool", lambda: tp.jit(lambda x: x if np.sum(x) > 0 else -x)(X3), "cond"),
    ("needs_concrete_int", lambda: tp.jit(lambda x: range(int(x)))(3), "static"),
    ("needs_concrete_float", lambda: tp.jit(lambda x: float(x))(3.0), "static"),
    ("needs_concrete_array", lambda: tp.jit(lambda x: np.asarray(x))(X3), ""),
    ("bad_argument", lambda: tp.jit(lambda x: x)("text"), "str"),
    ("bad_argument", lambda: tp.jit(lambda x: x)(object()), "object"),
    ("bad_argument", lambda: np.linalg.svd(tp.array(np.eye(2))), "svd"),
    ("bad_result", lambda: tp.jit(lambda x: "text")(1.0), "str"),
    ("bad_static_argument", lambda: tp.jit(lambda x, y: x, static_argnums=1)(1.0, [1]), "list"),
    ("immutable", lambda: tp.array(X3).__setitem__(0, 1.0), "where"),
    ("branch_type_mismatch", lambda: tp.cond(True, lambda a: a, lambda a: (a, a), X3), ""),
    ("structure_mismatch", lambda: tp.cond(True, lambda a: (a,), lambda a: [a], X3), "list"),
    ("no_rule", lambda: tp.custom_op("test_nothing", infer=lambda a: a)(1.0).eval(), "test_nothing"),
    ("optional_check", lambda: tp.jit(np.log, check_nans=True)(-1.0), "log"),
])
def test_errors_have_kinds(kind: str, act: Any, words: str) -> None:
    with pytest.raises(tp.TraceError, match=words) as raised:
        act()
    assert raised.value.kind == kind
    assert not tp.is_tracing()


def test_errors_name_the_callers_line() -> None:
    def f(x: Any) -> Any:
        return np.matmul(x, x)

    with pytest.raises(tp.TraceError) as raised:
        tp.jit(f)(ones(2, 3))
    assert raised.value.file == __file__ and raised.value.line == f.__code__.co_firstlineno + 1
    assert raised.value.operation == "matmul" and [str(each) for each in raised.value.types] == ["f64[2,3]", "f64[2,3]"]


def test_escaped_values_name_their_birth() -> None:
    kept = []
    tp.jit(lambda x: kept.append(x * 2.0) or x)(1.0)
    with pytest.raises(tp.TraceError, match="mul") as raised:
        kept[0] + 1.0
    assert raised.value.kind == "escaped_tracer"


def test_the_users_exceptions_pass_through() -> None:
    def f(x: Any) -> Any:
        raise ValueError("user's own")

    with pytest.raises(ValueError, match="user's own"):
        tp.jit(f)(1.0)
    assert not tp.is_tracing() and float(tp.jit(lambda x: x)(1.0)) == 1.0


def test_threads_trace_side_by_side() -> None:
    texts: list[str] = []

    def work(i: int) -> None:
        for _ in range(20):
            graph = tp.trace_graph(lambda x: np.tanh(x * float(i)), args=(X3,))
            texts.append(f"{i} {graph}")
            assert np.allclose(np.asarray(tp.jit(lambda x: x * i)(X3)), X3 * i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts) == 80 and len(set(texts)) == 4


def test_numbers_as_arguments_take_the_type_of_what_they_are_computed_with() -> None:
    x, i = np.array([1.0, 2.0], np.float32), np.array([1, 2], np.int32)
    traces: list[int] = []

    @tp.jit
    def scaled(x: Any, by: Any) -> Any:
        traces.append(1)
        return x * by + by

    for by in (2.0, 3.5, 1e3, -1.0):
        made = scaled(x, by)
        assert made.dtype == np.float32
        np.testing.assert_array_equal(np.asarray(made), x * np.float32(by) + np.float32(by))
    assert len(traces) == 1  # not for each number
    assert scaled(x, 2).dtype == np.float32 and scaled(x, 7).dtype == np.float32 and len(traces) == 2
    assert scaled(i, 2).dtype == np.int32 and scaled(i, 0.5).dtype == np.float64
    assert scaled(x, np.float64(2.0)).dtype == np.float64  # NumPy's are not weak
    assert scaled(2.0, 3.0).dtype == np.float64 and scaled(2, 3).dtype == np.int64
    half = np.array([1.5], np.float16)
    assert scaled(half, 2.0).dtype == np.float16 and scaled(x, True).dtype == np.float32
    once = tp.jit(lambda x, by: x * by)
    once(x, np.float64(1.0)), once(x, 1.0)
    assert once.explain() == "argument 1 is a number, was an array"


@pytest.mark.parametrize("function", [
    lambda x, lr: x - lr * tp.grad(lambda x: tp.sum(x * x * lr))(x),
    lambda x, lr: tp.scan(lambda c, _: (c - lr * c, c), x, None, length=3)[0],
    lambda x, lr: tp.cond(tp.sum(x) > 0, lambda x: x * lr, lambda x: x / lr, x),
    lambda x, lr: tp.vmap(lambda row: row * lr + tp.exp(-lr))(x),
    lambda x, lr: tp.where(x > lr, x, lr * 2.0),
    lambda x, lr: tp.maximum(x, -lr) ** 2 + tp.sqrt(lr * lr),
    lambda x, lr: tp.jit(lambda x, lr: x * lr)(x, lr),
])
def test_numbers_as_arguments_are_weak_wherever_they_go(function: Any) -> None:
    x = np.array([1.0, -2.0, 3.0], np.float32)
    compiled, eager = tp.jit(function)(x, 0.25), function(tp.array(x), 0.25)
    assert compiled.dtype == np.float32
    np.testing.assert_allclose(np.asarray(compiled), np.asarray(eager), rtol=1e-6)
    assert tp.jit(tp.grad(lambda x, lr: tp.sum(function(x, lr))))(x, 0.25).dtype == np.float32
    assert tp.jit(function, concrete=True)(x, 0.25).dtype == np.float32


def test_elements_are_lent_without_a_copy() -> None:
    for dtype in ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool"):
        for shape in ((2, 3), (), (0, 3), (5,)):
            values = np.ones(shape, dtype)
            array = tp.array(values)
            view = memoryview(array)
            assert view.readonly and view.shape == shape and view.nbytes == values.nbytes
            made = np.asarray(array)
            assert made.dtype == values.dtype and made.shape == shape and not made.flags.writeable
            np.testing.assert_array_equal(made, values)
            assert array.numpy().dtype == values.dtype and array.numpy().shape == shape
    kept = np.asarray(tp.array([1.0, 2.0]) * 2)  # outlives its array
    np.testing.assert_array_equal(kept, [2.0, 4.0])
    assert np.asarray(tp.array([1, 2]), dtype=np.float32).dtype == np.float32 and np.array(tp.array([1, 2])).flags.writeable
    with pytest.raises(BufferError):
        memoryview(tp.array(np.ones(2)).astype("bfloat16"))
    with pytest.raises(tp.TraceError):
        tp.jit(lambda x: np.asarray(x))(np.ones(2))
    with pytest.raises((BufferError, TypeError)):
        (ctypes.c_char * 16).from_buffer(tp.array(np.ones(2)))


def test_graphs_are_called_by_types_under_frames_and_by_numpy() -> None:
    x = np.array([1.0, 2.0, 3.0], np.float32)
    of_types = tp.trace_graph(lambda a: a + 1, (tp.Type((3,), "float32"),))
    np.testing.assert_array_equal(np.asarray(of_types(x)), x + 1)
    nested = tp.trace_graph(lambda tree: tree["a"] * tree["b"][0], ({"a": tp.Type((3,), "float32"), "b": [tp.Type((), "float32")]},))
    np.testing.assert_array_equal(np.asarray(nested({"a": x, "b": [np.float32(2)]})), 2 * x)
    square = tp.trace_graph(lambda a: tp.sum(a * a), (x,))
    np.testing.assert_array_equal(np.asarray(tp.grad(square)(x)), 2 * x)
    np.testing.assert_array_equal(np.asarray(tp.jit(lambda a: square(a) + a)(x)), 14 + x)
    np.testing.assert_array_equal(np.asarray(tp.vmap(square)(np.stack([x, 2 * x]))), [14, 56])
    sized = tp.trace_graph(lambda a: a * 2, ("n",))
    assert tp.jit(lambda a: sized(a))(x).shape == (3,)
    with pytest.raises(tp.TraceError, match="expected f32"):
        tp.jit(lambda a: square(a))(np.ones(4, np.float32))
    for f, *args in (
        (tp.grad(lambda a: tp.sum(tp.tanh(a) * a)), x), (tp.vmap(lambda a: a * 2), x), (lambda a: tp.jvp(tp.exp, (a,), (a,))[1], x),
        (lambda a: tp.random.uniform(tp.random.key(1), (3,)) * a, x), (lambda a: tp.apply("flat.top_k", [a], {"k": 2})[0], x),
        (lambda a: a // 0, np.array([5, -5])), (lambda a: a % 0, np.array([5, -5])), (lambda a: a.astype("int32"), np.array([1e30, -1e30, np.nan])),
        (tp.grad(lambda a: tp.scan(lambda c, r: (c * r, c), a[0], a)[0]), x), (lambda a: a / a.shape[0], x),
    ):
        for target in ("numpy", "tilemeter"):
            made = tp.trace_graph(f, args, to=target)(*args)
            np.testing.assert_allclose(np.asarray(made), np.asarray(f(*(tp.array(each) for each in args))), rtol=1e-6)
    of_six = tp.trace_graph(lambda a: tp.sum(a) / a.shape[0], (x,), to="numpy")
    for wrong in (np.ones(6, np.float32), np.ones(3), np.ones((3, 1), np.float32)):
        with pytest.raises(tp.TraceError, match="input 'a': found"):
            of_six(wrong)
