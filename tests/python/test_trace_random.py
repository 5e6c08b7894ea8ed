# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random numbers by keys."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import tilemeter.trace as tp

random = tp.random


def words(value: Any) -> list[str]:
    return [f"{each:08x}" for each in np.asarray(value).ravel().tolist()]


def test_words_are_those_of_the_scheme() -> None:
    assert words(random.split(random.key(0), 1)) == ["6b200159", "99ba4efe"]
    assert words(random.split(random.key(0), 1, scheme="original")) == ["375f238f", "cddb151d"]
    assert words(random.key(-2)) == ["ffffffff", "fffffffe"]
    assert words(random.key(np.int64(4294967301))) == ["00000001", "00000005"]
    assert words(random.fold_in(random.key(0), 7)) == ["a1ef7a4d", "116eb6b3"]


def test_arguments_are_those_of_numpy() -> None:
    key = random.key(3)
    assert random.bits(key, (2, 3), np.uint8).dtype == np.uint8
    assert random.uniform(key, 4).shape == (4,) and random.uniform(key).shape == ()
    drawn = np.asarray(random.uniform(key, (100,), np.float64, minval=2.0, maxval=3.0))
    assert drawn.dtype == np.float64 and (drawn >= 2).all() and (drawn < 3).all()
    assert random.normal(key, (2,), "bfloat16").shape == (2,)
    assert np.asarray(random.bernoulli(key, 0.5, (3,))).dtype == np.bool_
    assert set(np.asarray(random.randint(key, (50,), 1, 4)).tolist()) == {1, 2, 3}
    assert sorted(np.asarray(random.permutation(key, 5)).tolist()) == [0, 1, 2, 3, 4]
    rows = np.asarray(random.permutation(key, np.arange(6.0).reshape(3, 2)))
    assert sorted(map(tuple, rows.tolist())) == [(0, 1), (2, 3), (4, 5)]
    assert random.categorical(key, np.zeros((2, 3)), shape=(4,)).shape == (4, 2)


def test_equal_keys_draw_equal_numbers_compiled_or_not() -> None:
    def f(key: Any) -> Any:
        a, b = random.split(key)
        return random.normal(a, (3,)), random.uniform(b, (2,))

    plain, compiled = f(random.key(5)), tp.jit(f)(random.key(5))
    for a, b in zip(plain, compiled):
        assert np.array_equal(np.asarray(a), np.asarray(b))
    other = tp.jit(f)(random.key(6))
    assert not np.array_equal(np.asarray(plain[0]), np.asarray(other[0]))


def test_lanes_draw_by_their_own_keys() -> None:
    keys = random.split(random.key(0), 3)
    drawn = tp.vmap(lambda key: random.uniform(key, (2,)))(keys)
    for i in range(3):
        assert np.array_equal(np.asarray(drawn)[i], np.asarray(random.uniform(keys[i], (2,))))


def dropout(x: Any, key: Any) -> Any:
    return np.where(random.bernoulli(key, 0.5, x.shape), x * x, 0.0)


def test_the_way_back_sees_the_same_mask() -> None:
    x, key = np.arange(1.0, 65.0), random.key(1)
    y = np.asarray(dropout(tp.array(x), key))
    gradient = np.asarray(tp.jit(tp.grad(lambda x: np.sum(dropout(x, key))))(x))
    assert np.array_equal(gradient, np.where(y == 0, 0, 2 * x))
    # Drawn again from the key, on the way back.
    again = tp.grad(lambda x: np.sum(tp.checkpoint(dropout)(x, key)))
    assert np.array_equal(np.asarray(again(x)), gradient)
    assert str(tp.trace_graph(again, args=(x,)).lowered()).count("threefry2x32") >= 1


def test_reused_keys_are_named_with_both_places() -> None:
    def f(key: Any) -> Any:
        noise = random.normal(key, (3,))
        return noise + random.uniform(key, (3,))

    (reuse,) = random.reused_keys(f, random.key(0))
    first, second = (int(place.rsplit(":", 1)[1]) for place in (reuse.first, reuse.second))
    assert second == first + 1 and reuse.first.startswith(__file__)
    assert re.search(r"random_uniform \(at .*\): found a key that random_uniform \(at .*\) uses before", reuse.text)

    def good(key: Any) -> Any:
        a, b = random.split(key)
        return random.normal(a, (3,)) + random.uniform(b, (3,))

    assert random.reused_keys(good, random.key(0)) == []
    assert random.reused_keys(tp.trace_graph(good, args=(random.key(0),))) == []
    assert len(random.reused_keys(lambda key: tp.scan(lambda c, _: (c + random.uniform(key), None), np.float32(0), None, length=3)[0],
                                  random.key(0))) == 1


SITUATIONS: list[tuple[str, Any, str]] = [
    ("bad_argument", lambda: random.uniform(shape=(3,)), "no key"),
    ("bad_argument", lambda: random.uniform(random.key(0), (3,), scheme="newest"), "newest"),
    ("dtype_mismatch", lambda: random.uniform(np.ones(2), (3,)), r"u32\[2\]"),
    ("shape_mismatch", lambda: random.uniform(random.split(random.key(0)), (3,)), r"u32\[2,2\]"),
    ("bad_argument", lambda: random.randint(random.key(0), (3,), 5, 5), "low < high"),
    ("bad_argument", lambda: random.key(1.5), "f64|float"),
    ("dtype_mismatch", lambda: random.uniform(random.key(0), (3,), np.int32), "i32"),
]


@pytest.mark.parametrize("kind, act, text", SITUATIONS)
def test_errors_have_kinds(kind: str, act: Any, text: str) -> None:
    with pytest.raises(tp.TraceError) as raised:
        act()
    assert raised.value.kind == kind and re.search(text, str(raised.value))


def test_each_probability_has_its_draw() -> None:
    key = random.key(0)
    p = np.full(8, 0.5, np.float32)
    np.testing.assert_array_equal(np.asarray(random.bernoulli(key, p)), [False, False, True, True, False, True, True, False])  # JAX's
    np.testing.assert_array_equal(np.asarray(random.bernoulli(key, tp.array(p))), np.asarray(random.bernoulli(key, p, (8,))))
    assert random.bernoulli(key, p.reshape(4, 2)).shape == (4, 2) and random.bernoulli(key, 0.5).shape == ()
    assert random.bernoulli(key, p[:3], (5, 3)).shape == (5, 3) and random.bernoulli(key, [0.1, 0.9]).shape == (2,)
    many = np.asarray(random.bernoulli(key, np.array([[0.0], [1.0], [0.25]]), (3, 4000))).mean(1)
    assert many[0] == 0 and many[1] == 1 and abs(many[2] - 0.25) < 0.03
    for shape in ((3,), (4,), (4, 2), ()):
        with pytest.raises(tp.TraceError, match="expected a shape that p is spread to"):
            random.bernoulli(key, np.full((4, 3), 0.5), shape)


def _draw(key: Any) -> Any:
    return random.uniform(key, (2,))


REUSING: dict[str, Any] = {
    "carried": lambda q: tp.scan(lambda c, _: (c, _draw(c)), q, np.arange(3))[1],
    "carried by a while": lambda q: tp.while_loop(lambda c: c[1] < 3.0, lambda c: (c[0], c[1] + tp.sum(_draw(c[0]))), (q, np.float32(0)))[1],
    "after a loop": lambda q: _draw(q) + _draw(tp.scan(lambda c, x: (c, x), q, np.arange(3))[0]),
    "carried in two": lambda q: tp.scan(lambda c, _: ((c[0], c[1]), _draw(c[1])), (np.float32(0), q), np.arange(3))[1],
    "reshaped": lambda q: _draw(q.reshape(1, 2)[0]) + _draw(q),
    "stacked": lambda q: _draw(tp.stack([q, q + 1])[0]) + _draw(q),
    "stacked twice": lambda q: tp.scan(lambda c, k: (c, _draw(k)), np.float32(0), tp.stack([q, q, q]))[1],
    "chosen": lambda q: _draw(tp.where(True, q, q)) + _draw(q),
    "chosen of two": lambda q: _draw(tp.where(q[0] > 0, random.split(q)[0], random.split(random.fold_in(q, 1))[0])) + _draw(random.split(q)[0]),
    "identity": lambda q: _draw(tp.identity(q)) + _draw(q),
    "in parts": lambda q: _draw(tp.concat([q[0:1], q[1:2]])) + _draw(q),
    "flipped back": lambda q: _draw(tp.flip(tp.flip(q))) + _draw(q),
    "in both branches": lambda q: _draw(tp.cond(q[0] > 0, lambda k: k, lambda k: tp.identity(k), q)) + _draw(q),
    "in a call": lambda q: tp.call(lambda k: _draw(k), q) + _draw(q),
    "gathered": lambda q: _draw(tp.gather(tp.reshape(q, (1, 2)), np.array([0]))[0]) + _draw(q),
}
FRESH: dict[str, Any] = {
    "split and carried": lambda q: tp.scan(lambda c, _: (lambda keys: (keys[0], _draw(keys[1])))(random.split(c)), q, np.arange(3))[1],
    "rows of a split": lambda q: tp.scan(lambda c, k: (c, _draw(k)), np.float32(0), random.split(q, 3))[1],
    "two of a split": lambda q: (lambda keys: _draw(keys[0]) + _draw(tp.reshape(keys, (4,))[2:]))(random.split(q)),
    "folded by trip": lambda q: tp.scan(lambda c, i: (c, _draw(random.fold_in(q, i))), np.float32(0), np.arange(3))[1],
    "one of each branch": lambda q: tp.cond(q[0] > 0, _draw, _draw, q),
    "reversed words": lambda q: _draw(tp.flip(q)) + _draw(q),
}


@pytest.mark.parametrize("name", REUSING)
def test_a_key_is_known_again_wherever_it_was_moved(name: str) -> None:
    assert random.reused_keys(REUSING[name], random.key(0))


@pytest.mark.parametrize("name", FRESH)
def test_keys_of_their_own_are_not_reported(name: str) -> None:
    assert random.reused_keys(FRESH[name], random.key(0)) == []
