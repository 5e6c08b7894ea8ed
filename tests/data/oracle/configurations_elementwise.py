# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of the elementwise operations beyond those of configurations.py: the whole binary family with
activations, numbers on either side, shards and integers; operations of three operands; those that are made of others."""

from configurations import DRAM, FLOATS, L1, height, interleaved, row, shape4, sharded, spec, up

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


def one(rng, grid):
    return row([spec(shape4(rng), rng.choice(FLOATS), "TILE", interleaved(rng))], {}, rng.choice((None, interleaved(rng))))


def gate(rng, grid):
    shape = shape4(rng, 600)
    return row([spec((*shape[:3], up(shape[3], 64)), rng.choice(("bfloat16", "float32")), "TILE", interleaved(rng))], {},
               rng.choice((None, interleaved(rng))))


CONFIGURATIONS = {
    **{f"{name}:all": pair(name) for name in BINARY},
    **{f"{name}:all": pair(name, numbers=name in ("floor_div", "div_no_nan")) for name in TENSORS_ONLY},
    **{f"{name}:all": triple(name) for name in ("lerp", "mac", "addcmul", "addcdiv", "clamp")},
    **{f"{name}:all": (gate, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(i[0], -1, memory_config=out))
       for name in ("glu", "reglu", "geglu", "swiglu")},
    "polyval:all": (one, lambda ttnn, i, args, out: ttnn.polyval(i[0], [1.0, 2.0, 3.0], memory_config=out)),
    "logit:all": (one, lambda ttnn, i, args, out: ttnn.logit(i[0], eps=0.1, memory_config=out)),
    "rdiv:all": (one, lambda ttnn, i, args, out: ttnn.rdiv(i[0], 2.0, memory_config=out)),
}
