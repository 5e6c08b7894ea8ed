# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random calls on shards of every form, without a program config, of the operations that take shards of any shape."""

from .shard_forms import FLAT, shards_in_banks, shards_made_by_cores, shards_of
from .tensor_specs import FLOATS, interleaved, interleaved_or_default, row, spec, up

SHARDS = FLAT + ("ND_SHARDED",)
UNARY = ("relu", "gelu", "exp", "sqrt", "neg", "sigmoid", "silu")
BINARY = ("add", "multiply", "subtract", "divide", "eq", "gt", "maximum")
TERNARY = ("where", "addcmul", "addcdiv", "lerp", "mac")
GRADIENTS = ("softplus_bw", "relu_bw", "exp_bw", "gelu_bw", "silu_bw", "tanh_bw")


def some_shape(rng, layout="TILE"):
    unit = 32 if layout == "TILE" else 1
    sides = [unit * rng.choice((1, 2, 3, 4, 6, 8, 12, 16)) if layout == "TILE" else 8 * rng.randrange(1, 40) for _ in range(2)]
    if rng.random() < 0.25:
        sides = [max(1, each - rng.choice((0, 0, 3, 17))) for each in sides]
    return (*rng.choice(((1, 1), (1, 1), (1, 3), (2, 2))), *sides)[-rng.choice((2, 3, 4, 4, 4)):]


def tensor_in_shards(rng, grid, layout="TILE", nd=0.1):
    """A shape and its shards."""
    if rng.random() < nd:
        shape = some_shape(rng, layout)
        return shape, shards_of(rng, grid, shape, layout, ("ND_SHARDED",))
    if rng.random() < 0.05:
        shape = some_shape(rng, layout)
        return shape, shards_in_banks(rng, grid, shape, layout)
    if layout == "TILE" and rng.random() < 0.4:
        return shards_made_by_cores(rng, grid)
    shape = some_shape(rng, layout)
    return shape, shards_of(rng, grid, shape, layout)


def some_layout(rng, rows=0.25):
    layout = "ROW_MAJOR" if rng.random() < rows else "TILE"
    if rng.random() < 0.08:
        return layout, rng.choice(("int32", "int32", "uint32", "uint16"))
    return layout, rng.choice((*FLOATS, *FLOATS, "bfloat4_b") if layout == "TILE" else ("bfloat16", "float32"))


def wherever(rng, grid, shape, layout, memory):
    """The memory config asked for a result: none, no shards, the same, others, or a layout whose shards TT-NN chooses."""
    kind = rng.random()
    if kind < 0.35:
        return None
    if kind < 0.6:
        return memory
    if kind < 0.75:
        return interleaved(rng)
    if kind < 0.87:
        return shards_of(rng, grid, shape, layout)
    return {"memory_layout": rng.choice((memory["memory_layout"], *FLAT)) if memory["memory_layout"] in FLAT else rng.choice(FLAT),
            "buffer_type": "L1"}


def unary(rng, grid):
    layout, dtype = some_layout(rng)
    shape, memory = tensor_in_shards(rng, grid, layout)
    if rng.random() < 0.1:
        return row([spec(shape, dtype, layout, interleaved(rng))], {}, memory)
    return row([spec(shape, dtype, layout, memory)], {}, wherever(rng, grid, shape, layout, memory))


def operand(rng, grid, shape, layout, dtype, memory):
    """Beside a tensor in shards: in the same, in others or in none; sometimes broadcast."""
    if rng.random() < 0.25:
        shape = [rng.choice((each, 1)) for each in shape]
    kind = rng.random()
    if kind < 0.45 and list(shape) == list(shape):
        return spec(shape, dtype, layout, memory)
    if kind < 0.7:
        return spec(shape, dtype, layout, shards_of(rng, grid, shape, layout))
    return spec(shape, dtype, layout, interleaved(rng))


def several(count):
    def generate(rng, grid):
        layout, dtype = some_layout(rng, 0.1)
        shape, memory = tensor_in_shards(rng, grid, layout)
        inputs = [spec(shape, dtype, layout, memory)]
        inputs += [operand(rng, grid, shape, layout, dtype, memory) for _ in range(count - 1)]
        if rng.random() < 0.15:
            rng.shuffle(inputs)
        return row(inputs, {}, wherever(rng, grid, shape, layout, memory))
    return generate


def with_number(rng, grid):
    layout, dtype = some_layout(rng, 0.1)
    shape, memory = tensor_in_shards(rng, grid, layout)
    return row([spec(shape, dtype, layout, memory)], {"scalar": 2.5}, wherever(rng, grid, shape, layout, memory))


def pair(rng, grid):
    return with_number(rng, grid) if rng.random() < 0.25 else several(2)(rng, grid)


def call_named(name):
    return lambda ttnn, inputs, args, out: getattr(ttnn, name)(*inputs, *([args["scalar"]] if "scalar" in args else []), memory_config=out)


def call_ternary(name):
    more = {"value": 2.0} if name in ("addcmul", "addcdiv") else {}
    return lambda ttnn, inputs, args, out: getattr(ttnn, name)(*inputs, memory_config=out, **more)


ELTWISE = {
    **{f"{name}:shards": (unary, call_named(name)) for name in UNARY},
    **{f"{name}:shards": (pair, call_named(name)) for name in BINARY},
    **{f"{name}:shards": (several(3), call_ternary(name)) for name in TERNARY},
    **{f"{name}:shards": (several(2), call_named(name)) for name in GRADIENTS},
}


def reduced(rng, grid):
    layout, dtype = some_layout(rng, 0.1)
    shape, memory = tensor_in_shards(rng, grid, layout, nd=0.2)
    dims = rng.choice((-1, -1, -2, -2, None, [-2, -1], rng.randrange(len(shape))))
    keep = rng.random() < 0.6
    return row([spec(shape, dtype, layout, memory)], {"dim": dims, "keepdim": keep}, wherever(rng, grid, shape, layout, memory))


def reduced_along_one(rng, grid):
    made = reduced(rng, grid)
    if isinstance(made["args"]["dim"], list):  # argmax takes one dimension
        made["args"]["dim"] = made["args"]["dim"][0]
    return made


def call_reduce(name):
    return lambda ttnn, inputs, args, out: getattr(ttnn, name)(inputs[0], dim=args["dim"], keepdim=args["keepdim"], memory_config=out)


REDUCTION = {
    **{f"{name}:shards": (reduced, call_reduce(name)) for name in ("sum", "mean", "max", "min")},
    "argmax:shards": (reduced_along_one, call_reduce("argmax")),
}


def softmax(rng, grid):
    layout, dtype = some_layout(rng, 0)
    shape, memory = tensor_in_shards(rng, grid, layout)
    return row([spec(shape, dtype, layout, memory)], {"dim": rng.choice((-1, -1, -1, -2))}, wherever(rng, grid, shape, layout, memory))


def norm(rng, grid):
    layout, dtype = some_layout(rng, 0)
    shape, memory = tensor_in_shards(rng, grid, layout)
    inputs, args = [spec(shape, dtype, layout, memory)], {}
    for name in ("weight", "bias"):
        if rng.random() < 0.4:
            inputs.append(spec((1, shape[-1]), "bfloat16", "TILE", interleaved(rng)))
            args[name] = True
    return row(inputs, args, wherever(rng, grid, shape, layout, memory))


def call_norm(name):
    def call(ttnn, inputs, args, out):
        rest = list(inputs[1:])
        named = {each: rest.pop(0) for each in ("weight", "bias") if args.get(each)}
        return getattr(ttnn, name)(inputs[0], memory_config=out, **named)
    return call


NORMALIZATION = {
    "softmax:shards": (softmax, lambda ttnn, i, args, out: ttnn.softmax(i[0], dim=args["dim"], memory_config=out)),
    **{f"{name}:shards": (norm, call_norm(name)) for name in ("layer_norm", "rms_norm")},
}


def moved(rng, grid, nd=0.15):
    layout, dtype = some_layout(rng, 0.4)
    shape, memory = tensor_in_shards(rng, grid, layout, nd)
    return shape, layout, dtype, memory


def into_shards(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    return row([spec(shape, dtype, layout, interleaved(rng))], {}, memory)


def out_of_shards(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    return row([spec(shape, dtype, layout, memory)], {}, interleaved(rng))


def to_other_shards(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    there = shards_of(rng, grid, shape, layout, FLAT if rng.random() < 0.9 else SHARDS)
    return row([spec(shape, dtype, layout, memory)], {}, there)


def to_wrong_shards(rng, grid):
    """Shards that do not fit the tensor, mostly: too few, too high, too wide, of a fraction of a tile."""
    made = rng.choice((into_shards, to_other_shards))(rng, grid)
    there, step = made["out_mem"], 32 if made["inputs"][0]["layout"] == "TILE" else rng.choice((1, 8, 16))
    shard = there["shard_shape"]
    at = rng.randrange(len(shard) - 2, len(shard))
    shard[at] = max(1, shard[at] + rng.choice((-2, -1, 1, 2)) * rng.choice((step, step, step, step // 2 or 1)))
    return made


def between(rng, grid):
    return rng.choice((into_shards, out_of_shards, to_other_shards, to_other_shards, to_wrong_shards))(rng, grid)


def typecast(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    return row([spec(shape, dtype, layout, memory)], {"to": rng.choice(("bfloat16", "float32", "bfloat8_b", "int32"))},
               wherever(rng, grid, shape, layout, memory))


def clone(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    return row([spec(shape, dtype, layout, memory)], {}, wherever(rng, grid, shape, layout, memory))


def to_layout(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    dtype = dtype if dtype != "bfloat8_b" or rng.random() < 0.3 else "bfloat16"
    return row([spec(shape, dtype, layout, memory)], {"to": "TILE" if layout == "ROW_MAJOR" else "ROW_MAJOR"},
               rng.choice((None, interleaved(rng), memory)))


def tilized(rng, grid):
    shape, memory = tensor_in_shards(rng, grid, "TILE")
    shape = tuple(up(each) if i >= len(shape) - 2 else each for i, each in enumerate(shape))
    return row([spec(shape, rng.choice(("bfloat16", "float32")), "ROW_MAJOR", memory)], {},
               rng.choice((None, interleaved(rng), memory, memory)))


def untilized(rng, grid):
    made = tilized(rng, grid)
    made["inputs"][0]["layout"] = "TILE"
    return made


def transpose(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    dims = rng.choice(((-2, -1), (-2, -1), (0, 1), (1, -2)))
    if len(shape) < 4:
        dims = (-2, -1)
    out = wherever(rng, grid, shape, layout, memory)
    return row([spec(shape, dtype, layout, memory)], {"dim0": dims[0], "dim1": dims[1]}, out)


def permute(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    dims = list(range(len(shape)))
    rng.shuffle(dims)
    return row([spec(shape, dtype, layout, memory)], {"dims": dims}, wherever(rng, grid, shape, layout, memory))


def sliced(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    start, end = [], []
    for i, size in enumerate(shape):
        step = 32 if layout == "TILE" and i >= len(shape) - 2 else 8 if i == len(shape) - 1 else 1
        first = step * rng.randrange(0, max(1, size // step)) if rng.random() < 0.4 else 0
        last = min(size, first + step * rng.randrange(1, max(2, (size - first) // step + 1))) if rng.random() < 0.5 else size
        start.append(first)
        end.append(last)
    return row([spec(shape, dtype, layout, memory)], {"start": start, "end": end},
               wherever(rng, grid, [b - a for a, b in zip(start, end)], layout, memory))


def padded(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid, nd=0.25)
    padding = [[0, rng.choice((0, 0, 1, 2))] for _ in shape[:-2]]
    padding += [[0, rng.choice((0, 32, 64, 5))] if layout == "TILE" else [rng.choice((0, 0, 2)), rng.choice((0, 0, 8, 16))]
                for _ in range(2)]
    padding = padding[-len(shape):]
    after = [size + sum(pad) for size, pad in zip(shape, padding)]
    return row([spec(shape, dtype, layout, memory)], {"padding": padding}, wherever(rng, grid, after, layout, memory))


def joined(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid, nd=0)
    dim = rng.choice((-1, -1, -2, 0))
    inputs = [spec(shape, dtype, layout, memory)]
    for _ in range(rng.choice((1, 1, 2))):
        inputs.append(spec(shape, dtype, layout, memory) if rng.random() < 0.7 else operand(rng, grid, shape, layout, dtype, memory))
    after = list(shape)
    after[dim] = sum(each["shape"][dim] for each in inputs)
    out = dict(memory)
    if rng.random() < 0.5:
        across = dim % len(shape) == len(shape) - 1
        out["shard_shape"] = [memory["shard_shape"][0] * (1 if across else len(inputs)),
                              memory["shard_shape"][1] * (len(inputs) if across else 1)]
    return row(inputs, {"dim": dim}, rng.choice((out, out, wherever(rng, grid, after, layout, memory))))


def repeated(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    times = [rng.choice((1, 1, 2)) for _ in shape]
    return row([spec(shape, dtype, layout, memory)], {"times": times},
               wherever(rng, grid, [a * b for a, b in zip(shape, times)], layout, memory))


def reshaped(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    volume = 1
    for each in shape:
        volume *= each
    width = rng.choice([n for n in range(1, volume + 1) if volume % n == 0 and n % 8 == 0 and n <= 2048] or [shape[-1]])
    after = rng.choice(((1, 1, volume // width, width), (volume // width, width), (1, volume // shape[-1], shape[-1])))
    return row([spec(shape, dtype, layout, memory)], {"shape": list(after)}, rng.choice((None, wherever(rng, grid, after, layout, memory))))


def divided(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    dim = rng.choice((-1, -2))
    size = max(32 if layout == "TILE" else 8, shape[dim] // 2)
    return row([spec(shape, dtype, layout, memory)], {"split_size": size, "dim": dim}, rng.choice((None, interleaved(rng), memory)))


def repeated_in_a_row(rng, grid):
    shape, layout, dtype, memory = moved(rng, grid)
    dim, times = rng.randrange(-len(shape), len(shape)), rng.choice((1, 2, 2, 3, 4))
    after = [size * (times if i == dim % len(shape) else 1) for i, size in enumerate(shape)]
    return row([spec(shape, dtype, layout, memory)], {"repeats": times, "dim": dim}, wherever(rng, grid, after, layout, memory))


def call_repeat_interleave(ttnn, inputs, args, out):
    return ttnn.repeat_interleave(inputs[0], args["repeats"], args["dim"], memory_config=out)


# ---- tensors of one dimension

def vector(rng, grid):
    """A vector in shards, or not, and another one's place: (size, layout, dtype, memory)."""
    layout = rng.choice(("TILE", "ROW_MAJOR"))
    dtype = rng.choice(("bfloat16", "bfloat16", "float32", "int32") + (("bfloat8_b",) if layout == "TILE" else ()))
    size = rng.choice((32, 64, 96, 128, 256, 512, 1024, 2048, 8 * rng.randrange(1, 200), rng.randrange(1, 3000)))
    kinds = ("WIDTH_SHARDED",) * 4 + FLAT + ("ND_SHARDED",)
    memory = shards_of(rng, grid, [size], layout, kinds) if rng.random() < 0.9 else interleaved(rng)
    return size, layout, dtype, memory


def beside(rng, grid, size, layout, memory):
    if memory["memory_layout"] == "INTERLEAVED":
        return shards_of(rng, grid, [size], layout, ("WIDTH_SHARDED",) + FLAT)
    return wherever(rng, grid, [size], layout, memory)


def of_a_vector(arguments):
    """A configuration of an operation on a vector; `arguments(rng, size)` gives its arguments and the result's size."""
    def generate(rng, grid):
        size, layout, dtype, memory = vector(rng, grid)
        args, after = arguments(rng, size)
        return row([spec([size], dtype, layout, memory)], args, beside(rng, grid, after, layout, memory))
    return generate


def vector_repeats(rng, size):
    times = rng.choice((1, 2, 2, 3, 4))
    return {"repeats": times, "dim": rng.choice((0, -1))}, times * size


def vector_times(rng, size):
    times = rng.choice((1, 2, 2, 3, 4))
    return {"times": [times]}, times * size


def vector_slice(rng, size):
    step = rng.choice((32, 8, 1))
    first = step * rng.randrange(0, max(1, size // step)) if rng.random() < 0.5 else 0
    last = min(size, first + step * rng.randrange(1, max(2, (size - first) // step + 1)))
    return {"start": [first], "end": [last]}, last - first


def vector_padding(rng, size):
    padding = [rng.choice((0, 0, 8, 3)), rng.choice((0, 5, 8, 32, 64))]
    return {"padding": [padding]}, size + sum(padding)


def vector_shape(rng, size):
    width = rng.choice([n for n in range(1, size + 1) if size % n == 0])
    shape = rng.choice(([size // width, width], [size, 1], [1, size], [1, 1, size // width, width]))
    return {"shape": shape}, shape[-1]


DATA_MOVEMENT = {
    "to_memory_config:shards": (between, lambda ttnn, i, args, out: ttnn.to_memory_config(i[0], out)),
    "interleaved_to_sharded:shards": (into_shards, lambda ttnn, i, args, out: ttnn.interleaved_to_sharded(i[0], out)),
    "sharded_to_interleaved:shards": (out_of_shards, lambda ttnn, i, args, out: ttnn.sharded_to_interleaved(i[0], out)),
    "reshard:shards": (to_other_shards, lambda ttnn, i, args, out: ttnn.reshard(i[0], out)),
    "typecast:shards": (typecast, lambda ttnn, i, args, out: ttnn.typecast(i[0], getattr(ttnn, args["to"]), memory_config=out)),
    "clone:shards": (clone, lambda ttnn, i, args, out: ttnn.clone(i[0], memory_config=out)),
    "to_layout:shards": (to_layout, lambda ttnn, i, args, out: ttnn.to_layout(i[0], getattr(ttnn, args["to"] + "_LAYOUT"), memory_config=out)),
    "tilize:shards": (tilized, lambda ttnn, i, args, out: ttnn.tilize(i[0], memory_config=out)),
    "untilize:shards": (untilized, lambda ttnn, i, args, out: ttnn.untilize(i[0], memory_config=out)),
    "transpose:shards": (transpose, lambda ttnn, i, args, out: ttnn.transpose(i[0], args["dim0"], args["dim1"], memory_config=out)),
    "permute:shards": (permute, lambda ttnn, i, args, out: ttnn.permute(i[0], args["dims"], memory_config=out)),
    "slice:shards": (sliced, lambda ttnn, i, args, out: ttnn.slice(i[0], args["start"], args["end"], memory_config=out)),
    "pad:shards": (padded, lambda ttnn, i, args, out: ttnn.pad(i[0], args["padding"], 0.0, memory_config=out)),
    "concat:shards": (joined, lambda ttnn, i, args, out: ttnn.concat(i, dim=args["dim"], memory_config=out)),
    "repeat:shard_forms": (repeated, lambda ttnn, i, args, out: ttnn.repeat(i[0], args["times"], memory_config=out)),
    "reshape:shard_forms": (reshaped, lambda ttnn, i, args, out: ttnn.reshape(i[0], args["shape"], memory_config=out)),
    "split:shards": (divided, lambda ttnn, i, args, out: ttnn.split(i[0], args["split_size"], args["dim"], memory_config=out)),
    "repeat_interleave:shards": (repeated_in_a_row, call_repeat_interleave),
    "repeat_interleave:vector_in_shards": (of_a_vector(vector_repeats), call_repeat_interleave),
    "repeat:vector_in_shards": (of_a_vector(vector_times), lambda ttnn, i, args, out: ttnn.repeat(i[0], args["times"], memory_config=out)),
    "slice:vector_in_shards": (of_a_vector(vector_slice), lambda ttnn, i, args, out: ttnn.slice(
        i[0], args["start"], args["end"], memory_config=out)),
    "pad:vector_in_shards": (of_a_vector(vector_padding), lambda ttnn, i, args, out: ttnn.pad(i[0], args["padding"], 0.0, memory_config=out)),
    "reshape:vector_in_shards": (of_a_vector(vector_shape), lambda ttnn, i, args, out: ttnn.reshape(i[0], args["shape"], memory_config=out)),
}
