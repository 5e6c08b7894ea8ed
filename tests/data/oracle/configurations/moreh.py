# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of moreh's operations: sums, and gradients of sums and of products of rows."""

from .tensor_specs import interleaved, interleaved_or_default, row, shape4, spec, up


def moreh_sum(rng, grid):
    dims = rng.choice((None, rng.randrange(4), sorted(rng.sample(range(4), rng.randrange(1, 5)))))
    if rng.random() < 0.1:
        dims = rng.choice((-1, -2, 4, 9, [1, -1]))  # refused
    return row([spec(shape4(rng, 400), rng.choice(("bfloat16", "bfloat16", "int32")), "TILE", interleaved(rng))],
               {"dim": dims, "keepdim": rng.random() < 0.5}, interleaved_or_default(rng))


def dot_backward(rng, grid):
    """Rows; one call in five is refused."""
    width = rng.choice((rng.randrange(1, 400), 32 * rng.randrange(1, 20)))
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat8_b"))
    wanted = rng.choice((["input_grad", "other_grad"], ["input_grad"], ["other_grad"]))
    tensors = [spec(shape, dtype, "TILE", interleaved(rng))
               for shape in ((1, 1, 1, 1), (1, 1, 1, width), *(((1, 1, 1, width),) * (1 + len(wanted))))]
    if rng.random() < 0.2:
        rng.choice(tensors)["shape"][rng.choice((2, 3, 3))] += 1
    if rng.random() < 0.05:
        tensors[1]["dtype"] = "float32"
    return row(tensors, {"tensors": wanted})


def call_dot_backward(ttnn, inputs, args, out):
    return ttnn.moreh_dot_backward(*inputs[:3], **dict(zip(args["tensors"], inputs[3:])))


def repeat_gradient(rng, grid):
    """The gradient of a tensor that was repeated along one of the two outer dimensions."""
    shape = [1, rng.randrange(1, 5), *shape4(rng, 400)[2:]]
    if rng.random() < 0.8:  # TT-NN takes whole tiles only
        shape[2:] = up(shape[2]), up(shape[3])
    times = [1, 1, 1, 1]
    kind = rng.random()
    if kind < 0.1:
        times[rng.randrange(4)] = 0
    elif kind < 0.5:
        times[0] = rng.randrange(2, 7)
    elif kind < 0.9:
        times[1], shape[1] = rng.randrange(2, 7), 1
    else:  # refused
        times, shape[1] = rng.choice(([3, 2, 1, 1], [2, 1, 2, 1], [1, 3, 1, 2])), rng.randrange(1, 3)
    whole = [size * max(count, 1) for size, count in zip(shape, times)]
    layout = rng.choice(("TILE", "TILE", "TILE", "TILE", "ROW_MAJOR"))
    dtype = rng.choice(("bfloat16", "bfloat16", "bfloat16", "bfloat16", "float32"))
    return row([spec(whole, dtype, layout, interleaved(rng)), spec(shape, dtype, layout, interleaved(rng))], {"shape": times},
               interleaved_or_default(rng))


CONFIGURATIONS = {
    "moreh_dot_backward": (dot_backward, call_dot_backward),
    "moreh_sum": (moreh_sum, lambda ttnn, i, args, out: ttnn.moreh_sum(
        i[0], args["dim"], keepdim=args["keepdim"], memory_config=out)),
    "repeat_bw": (repeat_gradient, lambda ttnn, i, args, out: ttnn.repeat_bw(*i, args["shape"], memory_config=out)),
}
