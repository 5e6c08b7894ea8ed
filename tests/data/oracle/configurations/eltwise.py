# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of operations element by element: unary ones; the binary ones with activations, numbers on either
side, shards and integers; those of three operands; those that are made of others."""

from . import in_shards
from .tensor_specs import (DRAM, FLOATS, interleaved, interleaved_or_default, last_dimensions, nd_shards, row, shape4,
                           sharded, spec, up)

INTEGERS = ("int32", "int32", "uint32", "uint16")
ACTIVATIONS = ("RELU", "GELU", "SILU", "SQUARE", "NEG", "SIGMOID")

# As compute::BinaryKind takes them: operation, dtypes, whether float types may be mixed.
EVERYTHING = (*FLOATS, *FLOATS, *INTEGERS)
BINARY = {
    **{name: (EVERYTHING, True) for name in (
        "add", "subtract", "multiply", "eq", "ne", "gt", "ge", "lt", "le", "rsub", "squared_difference", "logical_and",
        "logical_or", "logical_xor")},
    "divide": ((*FLOATS, "int32"), True),
    **{name: (FLOATS, False) for name in ("logaddexp", "logaddexp2", "ldexp", "bias_gelu", "xlogy")},
    **{name: ((*FLOATS, "int32", "uint32"), False) for name in ("maximum", "minimum", "remainder")},
    "fmod": ((*FLOATS, "int32"), False),
    **{name: (("int32", "uint32", "uint16"), False) for name in (
        "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift")},
    "logical_right_shift": (("int32", "uint32"), False),
}
TENSORS_ONLY = {
    **{name: (FLOATS, False) for name in ("atan2", "hypot", "pow")},
    "isclose": ((*FLOATS, "int32"), True),
    **{name: (("int32",), False) for name in ("gcd", "lcm")},
    "floor_div": ((*FLOATS, "int32"), False),
    "div_no_nan": (FLOATS, False),
    "addalpha": (FLOATS, True),
    "subalpha": (FLOATS, True),
}


def unary_of_nd_shards(rng, grid):
    layout = rng.choice(("TILE", "TILE", "ROW_MAJOR"))
    shape, memory = nd_shards(rng, grid, layout == "TILE")
    here, there = rng.choice(((memory, None), (memory, memory), (memory, interleaved(rng)), (interleaved(rng), memory)))
    return row([spec(shape, rng.choice(("bfloat16", "float32")), layout, here)], out=there)


def unary(rng, grid):
    if rng.random() < 0.25:
        shape, config = sharded(rng, grid)
        return row([spec(shape, rng.choice(FLOATS), "TILE", config)], out=config)
    layout = rng.choice(("TILE", "TILE", "TILE", "ROW_MAJOR"))
    dtype = rng.choice(FLOATS if layout == "TILE" else ("bfloat16", "float32"))
    return row([spec(shape4(rng), dtype, layout, interleaved(rng))], out=interleaved(rng))


def call_unary(name):
    return lambda ttnn, inputs, args, out: getattr(ttnn, name)(inputs[0], memory_config=out)


def binary(rng, grid):
    kind = rng.random()
    dtype = rng.choice(FLOATS)
    if kind < 0.15:
        shape, config = sharded(rng, grid)
        return row([spec(shape, dtype, "TILE", config)] * 2, out=config)
    shape = shape4(rng)
    if kind < 0.25:
        return row([spec(shape, dtype, "TILE", interleaved(rng))], {"scalar": 2.5}, interleaved(rng))
    if kind < 0.6:
        return row([spec(shape, dtype, "TILE", interleaved(rng)), spec(shape, dtype, "TILE", interleaved(rng))],
                   out=interleaved(rng))
    other = [rng.choice((each, each, 1)) for each in shape]
    sides = [list(shape), other]
    if rng.random() < 0.3:
        sides = [[rng.choice((each, each, 1)) for each in shape], other]
        sides[0] = [a if b != 1 else c for a, b, c in zip(sides[0], other, shape)]
    rng.shuffle(sides)
    second = dtype if rng.random() < 0.6 else rng.choice(FLOATS)
    return row([spec(sides[0], dtype, "TILE", interleaved(rng)), spec(sides[1], second, "TILE", interleaved(rng))],
               {"broadcast": True}, interleaved(rng))


def call_binary(name):
    def call(ttnn, inputs, args, out):
        other = args["scalar"] if "scalar" in args else inputs[1]
        return getattr(ttnn, name)(inputs[0], other, memory_config=out)
    return call


def activations(rng, args):
    for name in ("activations", "input_tensor_a_activations", "input_tensor_b_activations"):
        if rng.random() < 0.2:
            args[name] = [rng.choice(ACTIVATIONS) for _ in range(rng.choice((1, 1, 2)))]
    return args


def other_side(rng, shape):
    """Two shapes that broadcast to `shape`."""
    sides = [list(shape), [rng.choice((each, each, 1)) for each in shape]]
    if rng.random() < 0.3:
        rng.shuffle(sides)
    return sides


def pair(name, numbers=True):
    dtypes, mixed = {**BINARY, **TENSORS_ONLY}[name]

    def generate(rng, grid):
        kind, dtype = rng.random(), rng.choice(dtypes)
        fused = name in BINARY and name != "fmod" and "shift" not in name and not name.startswith("bitwise")
        args = activations(rng, {}) if fused and dtype in FLOATS and rng.random() < 0.4 else {}
        floats = dtype in FLOATS
        if numbers and kind < 0.25:
            args["scalar"] = rng.choice((2.5, 0.5, 3)) if floats else rng.choice((2, 3, 5))
            if name in ("multiply", "divide") and rng.random() < 0.2:
                args["scalar"] = 2.5
            if rng.random() < 0.4:
                shape, config = sharded(rng, grid)
                return row([spec(shape, dtype, "TILE", config)], args, rng.choice((config, None)))
            return row([spec(shape4(rng), dtype, "TILE", interleaved(rng))], args, rng.choice((None, interleaved(rng))))
        if kind < 0.45:
            shape, config = sharded(rng, grid)
            kind = rng.random()
            if kind < 0.5:
                return row([spec(shape, dtype, "TILE", config)] * 2, args, rng.choice((config, None)))
            if kind < 0.75:
                other = [rng.choice((each, 1)) for each in shape]
                return row([spec(shape, dtype, "TILE", config), spec(other, dtype, "TILE", interleaved(rng))], args,
                           rng.choice((config, None)))
            return row([spec(shape, dtype, "TILE", config), spec(shape, dtype, "TILE", interleaved(rng))], args,
                       rng.choice((config, None, DRAM)))
        shape = shape4(rng, 500)
        left, right = other_side(rng, shape) if rng.random() < 0.5 else (shape, shape)
        second = rng.choice(FLOATS) if floats and mixed and rng.random() < 0.3 else dtype
        return row([spec(left, dtype, "TILE", interleaved(rng)), spec(right, second, "TILE", interleaved(rng))], args,
                   rng.choice((None, interleaved(rng))))

    def call(ttnn, inputs, args, out):
        named = {key: [ttnn.UnaryWithParam(getattr(ttnn.UnaryOpType, each)) for each in value]
                 for key, value in args.items() if key.endswith("activations")}
        other = args["scalar"] if "scalar" in args else inputs[1]
        more = (2.0,) if name in ("addalpha", "subalpha") else ()
        return getattr(ttnn, name)(inputs[0], other, *more, memory_config=out, **named)

    return generate, call


def triple(name):
    def generate(rng, grid):
        dtype = rng.choice(("bfloat16", "bfloat16", "float32"))
        args = {}
        if rng.random() < 0.15:
            shape, config = sharded(rng, grid)
            return row([spec(shape, dtype, "TILE", config)] * 3, args, config)
        shape = shape4(rng, 400)
        shapes = [list(shape)] * 3
        if rng.random() < 0.6:
            which = rng.choice(("row", "column", "none", "outer"))
            other = list(shape)
            for at in {"row": (2,), "column": (3,), "none": (), "outer": (0, 1)}[which]:
                other[at] = 1
            shapes[rng.randrange(3)] = other
        if name == "lerp" and rng.random() < 0.3:
            args["number"], shapes = 0.5, shapes[:2]
        if name == "mac" and rng.random() < 0.3:
            args["number"], shapes = 2.0, shapes[:2]
        return row([spec(each, dtype, "TILE", interleaved(rng)) for each in shapes], args,
                   rng.choice((None, interleaved(rng))))

    def call(ttnn, inputs, args, out):
        rest = [*inputs[1:], *([args["number"]] if "number" in args else [])]
        more = {"value": 2.0} if name in ("addcmul", "addcdiv") else {}
        return getattr(ttnn, name)(inputs[0], *rest, memory_config=out, **more)

    return generate, call


def snake(rng, grid):
    """alpha and beta: a number for each column, or of each element; one call in six is refused."""
    dtype = rng.choice(("bfloat16", "float32"))
    if rng.random() < 0.25:
        shape, config = sharded(rng, grid)
        x = spec(shape, dtype, "TILE", config)
        other = x if rng.random() < 0.5 else spec(shape[-1:], dtype, "TILE", interleaved(rng))
        return row([x, other, other], {}, rng.choice((None, config)))
    shape = last_dimensions(rng, shape4(rng, 700))
    like = list(rng.choice((shape, shape[-1:], (1, shape[-1]), (1, 1, 1, shape[-1]))))
    inputs = [spec(shape, dtype, "TILE", interleaved(rng)), *(spec(like, dtype, "TILE", interleaved(rng)) for _ in range(2))]
    kind = rng.random()
    if kind < 0.05:
        inputs[rng.randrange(1, 3)]["dtype"] = "bfloat8_b"
    elif kind < 0.1:
        inputs[rng.randrange(3)]["layout"] = "ROW_MAJOR"
    elif kind < 0.17:
        inputs[rng.randrange(1, 3)]["shape"] = rng.choice(([1, 1], [2, *shape], [shape[-2], 1]))
    return row(inputs, {}, interleaved_or_default(rng))


def one(rng, grid):
    return row([spec(shape4(rng), rng.choice(FLOATS), "TILE", interleaved(rng))], {}, rng.choice((None, interleaved(rng))))


def gate(rng, grid):
    shape = shape4(rng, 600)
    return row([spec((*shape[:3], up(shape[3], 64)), rng.choice(("bfloat16", "float32")), "TILE", interleaved(rng))], {},
               rng.choice((None, interleaved(rng))))


def where(rng, grid):
    """args: which of the branches are numbers."""
    dtype = rng.choice(("bfloat16", "bfloat16", "float32"))
    if rng.random() < 0.12:
        shape, config = sharded(rng, grid)
        return row([spec(shape, dtype, "TILE", config)] * 3, out=config)
    shape = shape4(rng, 400)
    broadcast = rng.random() < 0.6
    args, inputs = {}, []
    for name in ("condition", "x", "y"):
        if name != "condition" and rng.random() < 0.2:
            args[name] = rng.choice((0.5, 2.0))
            continue
        kind = rng.choice(("row", "column", "one", "outer", "none", "none", "none")) if broadcast else "none"
        own = list(shape)
        if kind in ("row", "one"):
            own[2] = 1
        if kind in ("column", "one"):
            own[3] = 1
        if kind == "outer":
            own[0] = own[1] = 1
        inputs.append(spec(own, dtype if rng.random() < 0.8 else rng.choice(("bfloat16", "float32")), "TILE", interleaved(rng)))
    return row(inputs, args, interleaved(rng))


def call_where(ttnn, inputs, args, out):
    rest = list(inputs[1:])
    branches = [args[name] if name in args else rest.pop(0) for name in ("x", "y")]
    return ttnn.where(inputs[0], *branches, memory_config=out)


def triangle(rng, grid):
    shape = last_dimensions(rng, shape4(rng, 400))
    return row([spec(shape, rng.choice(("bfloat16", "bfloat16", "float32", "bfloat8_b")), "TILE", interleaved(rng))],
               {"diagonal": rng.choice((0, 0, 1, -1, 7))}, interleaved_or_default(rng))


def concat_gradients(rng, grid):
    """Two tensors one after the other: in tiles or rows, cut between tiles or within."""
    layout = rng.choice(("TILE", "TILE", "TILE", "ROW_MAJOR"))
    shape, dim = list(shape4(rng, 300)), rng.randrange(-4, 4)
    if rng.random() < 0.6:
        shape[2:] = up(shape[2]), up(shape[3])
    first, second = list(shape), list(shape)
    second[dim] = 32 * rng.randrange(1, 6) if dim % 4 > 1 and rng.random() < 0.6 else rng.randrange(1, 9)
    whole = list(shape)
    whole[dim] = first[dim] + second[dim]
    dtype = rng.choice(FLOATS if layout == "TILE" else ("bfloat16", "float32"))
    args = {"dim": dim}
    if rng.random() < 0.2:
        args["are_required_outputs"] = rng.choice(([True, False], [False, True]))
    if rng.random() < 0.05:
        whole[dim] += rng.choice((-1, 32))  # refused
    return row([spec(each, dtype, layout, interleaved(rng)) for each in (whole, first, second)], args,
               rng.choice((None, interleaved(rng))))


def call_concat_gradients(ttnn, inputs, args, out):
    gradients = ttnn.concat_bw(*inputs, args["dim"], are_required_outputs=args.get("are_required_outputs", [True, True]),
                               memory_config=out)
    return [each for each in gradients if each is not None]


def bcast(rng, grid):
    """Tiles and rows; one call in four is refused."""
    shape = list(shape4(rng, 200)[-rng.choice((2, 3, 4, 4)):])
    dim, other = rng.randrange(3), list(shape) if rng.random() < 0.5 else [1] * (len(shape) - 2) + shape[-2:]
    if dim != 1:
        other[-2] = rng.choice((1, 1, 1, 32, 20))
    if dim != 0:
        other[-1] = rng.choice((1, 1, 1, 32, 17))
    if rng.random() < 0.1:
        other = other[1:] if len(other) > 2 else other
    inputs = [spec(each, rng.choice(("bfloat16", "float32")), rng.choice(("ROW_MAJOR", "ROW_MAJOR", "TILE")), interleaved(rng))
              for each in (shape, other)]
    return row(inputs, {"math_op": rng.randrange(3), "dim": dim}, interleaved_or_default(rng))


def call_bcast(ttnn, inputs, args, out):
    math = (ttnn.BcastOpMath.ADD, ttnn.BcastOpMath.SUB, ttnn.BcastOpMath.MUL)[args["math_op"]]
    dim = (ttnn.BcastOpDim.H, ttnn.BcastOpDim.W, ttnn.BcastOpDim.HW)[args["dim"]]
    return ttnn.bcast(*inputs, math, dim, memory_config=out)


CONFIGURATIONS = {
    "bcast": (bcast, call_bcast),
    "relu:nd_shards": (unary_of_nd_shards, call_unary("relu")),
    **{name: (unary, call_unary(name)) for name in ("relu", "gelu", "exp", "sqrt")},
    **{name: (binary, call_binary(name)) for name in ("add", "multiply", "subtract")},
    **{f"{name}:all": pair(name) for name in BINARY},
    **{f"{name}:all": pair(name, numbers=name in ("floor_div", "div_no_nan")) for name in TENSORS_ONLY},
    **{f"{name}:all": triple(name) for name in ("lerp", "mac", "addcmul", "addcdiv", "clamp")},
    **{f"{name}:all": (gate, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(i[0], -1, memory_config=out))
       for name in ("glu", "reglu", "geglu", "swiglu")},
    "polyval:all": (one, lambda ttnn, i, args, out: ttnn.polyval(i[0], [1.0, 2.0, 3.0], memory_config=out)),
    "logit:all": (one, lambda ttnn, i, args, out: ttnn.logit(i[0], eps=0.1, memory_config=out)),
    "rdiv:all": (one, lambda ttnn, i, args, out: ttnn.rdiv(i[0], 2.0, memory_config=out)),
    "where": (where, call_where),
    "snake_beta": (snake, lambda ttnn, i, args, out: ttnn.snake_beta(*i, memory_config=out)),
    "concat_bw": (concat_gradients, call_concat_gradients),
    **{name: (triangle, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(
        i[0], diagonal=args["diagonal"], memory_config=out)) for name in ("tril", "triu")},
    **in_shards.ELTWISE,
}
