# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Calls whose programs serve other shapes, numbers or positions too: what the random configurations of the families leave
out. For record_program_cache.py alone."""

from .tensor_specs import DRAM, interleaved, interleaved_or_default, row, shape4, sharded, spec

FLOATS = ("bfloat16", "float32", "bfloat8_b")
UNARY = ("relu", "gelu", "silu", "tanh", "sigmoid", "sin", "reciprocal", "neg", "isnan", "erf", "exp", "log")
SCALAR = ("add", "subtract", "multiply", "divide", "maximum", "eq", "gt", "rsub", "remainder", "fmod", "floor_div",
          "squared_difference", "bias_gelu", "ldexp", "logaddexp", "xlogy", "logical_and")


def numbers(rng):
    return {"value": rng.choice((0.5, 2.0, 3.0)), "low": -1.0, "high": 2.0}


def one(rng, grid):
    if rng.random() < 0.25:
        shape, config = sharded(rng, grid)
        return row([spec(shape, rng.choice(FLOATS), "TILE", config)], numbers(rng), rng.choice((None, config)))
    return row([spec(shape4(rng, 200), rng.choice(FLOATS), "TILE", interleaved(rng))], numbers(rng), interleaved_or_default(rng))


def integers(rng, grid):
    made = one(rng, grid)
    made["inputs"][0]["dtype"] = rng.choice(("int32", "uint32"))
    made["args"]["value"] = rng.randrange(1, 5)
    return made


def two(rng, grid):
    made = one(rng, grid)
    return made | {"inputs": [dict(made["inputs"][0]) for _ in range(2)]}


def cache(rng, grid):
    heads, users, length, width = rng.choice((1, 2, 8)), rng.choice((1, 4, 32)), 32 * rng.randrange(2, 5), rng.choice((32, 64))
    dtype = rng.choice(("bfloat16", "bfloat16", "float32", "bfloat8_b"))
    return row([spec((users, heads, length, width), dtype, "TILE", interleaved(rng)),
                spec((1, heads, 32, width), dtype, "TILE", interleaved(rng))], {"position": rng.randrange(60), "user": 0})


def of(name, *arguments):
    """Calls `name` with the row's numbers of these names, or with these tensors."""
    def call(ttnn, inputs, args, out):
        given = [inputs[each] if isinstance(each, int) else args[each] for each in arguments]
        return getattr(ttnn, name)(inputs[0], *given, memory_config=out)
    return call


def seed(args):
    return int(args["value"] * 4)


CONFIGURATIONS = {
    **{f"{name}:more": (one, of(name)) for name in (*UNARY, "zeros_like", "ones_like")},
    **{f"{name}:more": (one, of(name, "low", "high")) for name in ("clip", "clamp", "threshold")},
    **{f"{name}:more": (one, of(name, "value")) for name in ("fill", "full_like", "rpow", "pow")},
    **{f"{name}:scalar": (one, of(name, "value")) for name in SCALAR},
    **{f"{name}:integers": (integers, of(name, "value")) for name in SCALAR},
    "typecast:more": (one, lambda ttnn, i, args, out: ttnn.typecast(
        i[0], ttnn.float32 if args["value"] > 1 else ttnn.bfloat16, memory_config=out)),
    "where:scalars": (one, of("where", "low", "high")),
    "where:tts": (two, of("where", 1, "high")),
    "where:tst": (two, lambda ttnn, i, args, out: ttnn.where(i[0], args["high"], i[1], memory_config=out)),
    **{f"{name}:value": (two, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(
        i[0], i[1], i[1], value=args["value"], memory_config=out)) for name in ("addcmul", "addcdiv")},
    "lerp:value": (two, of("lerp", 1, "value")),
    "add_:more": (two, lambda ttnn, i, args, out: ttnn.add_(i[0], i[1])),
    "add:activation": (two, lambda ttnn, i, args, out: ttnn.add(
        i[0], i[1], memory_config=out, activations=[ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU)])),
    "add:dtype": (two, lambda ttnn, i, args, out: ttnn.add(
        i[0], i[1], memory_config=out, dtype=ttnn.float32 if args["value"] > 1 else ttnn.bfloat16)),
    "quantize:more": (one, lambda ttnn, i, args, out: ttnn.quantize(i[0], args["value"], 0, memory_config=out)),
    "rand:more": (one, lambda ttnn, i, args, out: ttnn.rand(i[0].shape, i[0].device(), seed=seed(args))),
    "dropout:more": (one, lambda ttnn, i, args, out: ttnn.experimental.dropout(
        i[0], probability=0.25, scale=1.5, seed=seed(args))),
    "uniform:more": (one, lambda ttnn, i, args, out: ttnn.uniform(i[0], args["low"], args["high"], seed(args))),
    "bernoulli:more": (one, lambda ttnn, i, args, out: ttnn.bernoulli(i[0], seed(args))),
    "tril:more": (one, lambda ttnn, i, args, out: ttnn.tril(i[0], diagonal=int(args["value"]))),
    **{f"{name}:more": (two, lambda ttnn, i, args, out, name=name: getattr(ttnn, name)(i[0], i[1], memory_config=out)[0])
       for name in ("relu_bw", "gelu_bw")},
    "mul_bw:more": (two, lambda ttnn, i, args, out: ttnn.mul_bw(i[0], i[1], i[1], memory_config=out)[0]),
    "bitcast:more": (integers, lambda ttnn, i, args, out: ttnn.bitcast(i[0], ttnn.float32)),
    "update_cache:more": (cache, lambda ttnn, i, args, out: ttnn.update_cache(i[0], i[1], args["position"], batch_offset=0)),
    "fill_cache:more": (cache, lambda ttnn, i, args, out: ttnn.fill_cache(i[0], i[1], args["user"])),
    "plus_one:more": (lambda rng, grid: row([spec((32 * rng.randrange(1, 4),), "int32", "ROW_MAJOR", DRAM)]),
                      lambda ttnn, i, args, out: ttnn.plus_one(i[0])),
}
