# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of what training loops call of moreh's: layer norms, losses, their gradients, clipped gradients; and of
indexing and folding."""

import math

from .tensor_specs import DRAM, edge, given, interleaved, interleaved_or_default, kernels, row, spec, up


def tiled(rng, shape, dtype="bfloat16"):
    return spec(shape, dtype, "TILE", interleaved(rng))


def sometimes_wrong(rng, tensors, wrong=(("dtype", "float32"), ("dtype", "bfloat8_b"), ("layout", "ROW_MAJOR"))):
    """One tensor of ten calls has another dtype or layout."""
    if rng.random() < 0.1:
        field, value = rng.choice(wrong)
        tensors = [each for each in tensors if field != "layout" or each["dtype"] != "bfloat8_b"]
        rng.choice(tensors)[field] = value


def with_kernels(rng, args):
    if rng.random() < 0.3:
        args["kernels"] = [rng.random() < 0.5, rng.random() < 0.5]
    return args


def normalized_shape(rng):
    """A normalized shape of two to four dimensions; some rows as long as a core or longer."""
    shape = [rng.randrange(1, 5), rng.randrange(1, 6), edge(rng), edge(rng)][-rng.choice((2, 3, 4, 4)):]
    if rng.random() < 0.15:
        shape[-1] = rng.randrange(3000, 30000)
        shape[-2] = rng.randrange(1, 65)
        shape[:-2] = [1] * (len(shape) - 2)
    return shape


def outer_shape(shape, dims):
    """The shape of the numbers that a norm leaves: the dimensions before those that it goes over, two at least."""
    outer = shape[:len(shape) - dims]
    return [1] * (2 - len(outer)) + outer


def layer_norm(rng, grid):
    shape = normalized_shape(rng)
    dims = rng.randrange(1, len(shape) + 1)
    inner = shape[-dims:]
    tensors, names = [tiled(rng, shape)], []
    for name, its in (("gamma", inner), ("beta", inner), ("output", shape), ("mean", outer_shape(shape, dims)),
                      ("rstd", outer_shape(shape, dims))):
        if rng.random() < (0.2 if name == "output" else 0.5):
            names.append(name)
            tensors.append(tiled(rng, its if len(its) > 1 else [1, *its]))
    sometimes_wrong(rng, tensors)
    if rng.random() < 0.05:
        dims = rng.choice((0, len(shape) + 1))
    args = {"normalized_dims": dims, "tensors": names}
    if rng.random() < 0.5:
        args["eps"] = rng.choice((1e-5, 1e-6, 0.05))
    return row(tensors, with_kernels(rng, args), interleaved_or_default(rng))


def call_layer_norm(ttnn, inputs, args, out):
    return ttnn.moreh_layer_norm(inputs[0], args["normalized_dims"], **given(args, "eps"),
                                 **dict(zip(args["tensors"], inputs[1:])), memory_config=out,
                                 compute_kernel_config=kernels(ttnn, args))


def layer_norm_backward(rng, grid):
    shape = normalized_shape(rng)
    dims = rng.randrange(1, len(shape) + 1)
    inner, outer = shape[-dims:], outer_shape(shape, dims)
    tensors, names = [tiled(rng, each) for each in (shape, shape, outer, outer)], []
    wanted = rng.choice(("input_grad", "gamma_grad", "beta_grad"))
    for name, its in (("gamma", inner), ("input_grad", shape), ("gamma_grad", inner), ("beta_grad", inner)):
        if name == wanted or rng.random() < 0.6:
            names.append(name)
            tensors.append(tiled(rng, its if len(its) > 1 else [1, *its]))
    return row(tensors, with_kernels(rng, {"normalized_dims": dims, "tensors": names}), interleaved_or_default(rng))


def call_layer_norm_backward(ttnn, inputs, args, out):
    return ttnn.moreh_layer_norm_backward(*inputs[:4], args["normalized_dims"], **dict(zip(args["tensors"], inputs[4:])),
                                          memory_config=out, compute_kernel_config=kernels(ttnn, args))


def classified(rng):
    """Scores [n, classes, ...], the shape of the classes' numbers, and that of their weights."""
    rank = rng.choice((2, 3, 4, 4, 5))
    shape = [rng.choice((rng.randrange(1, 6), rng.randrange(1, 200))) if rank < 4 else rng.randrange(1, 5),
             rng.choice((rng.randrange(1, 12), rng.randrange(1, 300)) if rank < 4 else (rng.randrange(1, 40),)),
             *(rng.choice((rng.randrange(1, 80), 32)) for _ in range(rank - 2))]
    target = [1, shape[0]] if rank == 2 else [shape[0], *shape[2:]]
    return shape, target, [1, shape[1]]


LOSS_DTYPES = (("dtype", "float32"), ("dtype", "uint32"), ("layout", "ROW_MAJOR"))


def nll_loss(rng, grid):
    shape, target, weight = classified(rng)
    reduction = rng.choice(("mean", "sum", "none", "none"))
    tensors, names = [tiled(rng, shape), tiled(rng, target, "int32")], []
    for name, its in (("weight_tensor", weight), ("divisor_tensor", [1, 1]),
                      ("output_tensor", target if reduction == "none" else [1, 1])):
        if rng.random() < (0.9 if name == "divisor_tensor" and reduction == "mean" else 0.4):
            names.append(name)
            tensors.append(tiled(rng, its))
    sometimes_wrong(rng, tensors, LOSS_DTYPES)
    args = {"reduction": reduction, "tensors": names}
    if rng.random() < 0.5:
        args["ignore_index"] = rng.choice((-100, -1, 0, 1, 7))
    return row(tensors, with_kernels(rng, args), interleaved_or_default(rng))


def call_nll_loss(ttnn, inputs, args, out):
    return ttnn.moreh_nll_loss(*inputs[:2], args["reduction"], **dict(zip(args["tensors"], inputs[2:])),
                               **given(args, "ignore_index"), memory_config=out, compute_kernel_config=kernels(ttnn, args))


def nll_loss_backward(rng, grid):
    shape, target, weight = classified(rng)
    tensors, names = [tiled(rng, target, "int32"), tiled(rng, [1, 1])], []
    for name, its in (("weight_tensor", weight), ("input_grad_tensor", shape), ("divisor_tensor", [1, 1])):
        if rng.random() < (0.9 if name == "input_grad_tensor" else 0.5):
            names.append(name)
            tensors.append(tiled(rng, its))
    sometimes_wrong(rng, tensors, LOSS_DTYPES)
    args = {"reduction_mean": rng.random() < 0.5, "tensors": names}
    if rng.random() < 0.5:
        args["ignore_index"] = rng.choice((-100, -1, 0, 1, 7))
    return row(tensors, with_kernels(rng, args), interleaved_or_default(rng))


def call_nll_loss_backward(ttnn, inputs, args, out):
    return ttnn.moreh_nll_loss_backward(*inputs[:2], args["reduction_mean"], **dict(zip(args["tensors"], inputs[2:])),
                                        **given(args, "ignore_index"), memory_config=out,
                                        compute_kernel_config=kernels(ttnn, args))


def nll_loss_unreduced_backward(rng, grid):
    shape, target, weight = classified(rng)
    tensors, names = [tiled(rng, target, "int32"), tiled(rng, target)], []
    for name, its in (("weight_tensor", weight), ("input_grad_tensor", shape)):
        if rng.random() < (0.9 if name == "input_grad_tensor" else 0.5):
            names.append(name)
            tensors.append(tiled(rng, its))
    sometimes_wrong(rng, tensors, LOSS_DTYPES)
    args = {"tensors": names}
    if rng.random() < 0.5:
        args["ignore_index"] = rng.choice((-100, -1, 0, 1, 7))
    return row(tensors, with_kernels(rng, args), interleaved_or_default(rng))


def call_nll_loss_unreduced_backward(ttnn, inputs, args, out):
    return ttnn.moreh_nll_loss_unreduced_backward(*inputs[:2], **dict(zip(args["tensors"], inputs[2:])),
                                                  **given(args, "ignore_index"), memory_config=out,
                                                  compute_kernel_config=kernels(ttnn, args))


def clip_grad_norm(rng, grid):
    count = rng.choice((1, 2, 3, rng.randrange(1, 20), rng.randrange(grid[0] * grid[1] - 1, grid[0] * grid[1] + 5)))
    few = count > 20
    tensors = [tiled(rng, [1, 1, 32, 32] if few else [rng.randrange(1, 3), rng.randrange(1, 3), edge(rng), edge(rng)])
               for _ in range(count)]
    args = {"max_norm": rng.choice((1.0, 0.1, 2.5))}
    if rng.random() < 0.6:
        args["norm_type"] = rng.choice((2.0, 1.0, 3.0, 2.5, -1.5))
    if rng.random() < 0.3:
        args["tensors"] = ["total_norm"]
        tensors.append(tiled(rng, [1, 1]))
    sometimes_wrong(rng, tensors)
    return row(tensors, with_kernels(rng, args), interleaved_or_default(rng))


def call_clip_grad_norm(ttnn, inputs, args, out):
    total = {"total_norm": inputs[-1]} if "tensors" in args else {}
    return ttnn.moreh_clip_grad_norm(inputs[:-1] if total else inputs, args["max_norm"], **given(args, "norm_type"), **total,
                                     memory_config=out, compute_kernel_config=kernels(ttnn, args))


def getitem(rng, grid):
    layout, rank = rng.choice(("TILE", "ROW_MAJOR")), rng.choice((1, 2, 3, 4, 5, 5))
    shape = [rng.randrange(1, 6) for _ in range(rank - 2)] + [rng.choice((rng.randrange(1, 70), 32)) for _ in range(min(rank, 2))]
    if layout == "ROW_MAJOR":
        shape[-1] += shape[-1] % 2
    last = rank - (layout == "ROW_MAJOR" and rank > 1 and rng.random() < 0.9)  # rows are taken whole
    first = rng.randrange(last)
    dims = list(range(first, min(last, first + rng.choice((1, 1, 2, 3)))))
    size = rng.choice((1, rng.randrange(1, 20), rng.randrange(1, 200)))
    of_index = rng.choice(("ROW_MAJOR", layout))
    tensors = [spec(shape, rng.choice(("bfloat16", "int32")), layout, interleaved(rng))]
    tensors += [spec([size] if of_index == "ROW_MAJOR" else [1, size], "int32", of_index, interleaved(rng)) for _ in dims]
    wrong = rng.random()
    if wrong < 0.03:
        tensors[0]["dtype"] = "float32"
    elif wrong < 0.06:
        tensors[-1]["dtype"] = "uint32"
    elif wrong < 0.09:
        tensors[-1]["shape"][-1] += 1
    elif wrong < 0.12:
        dims = [2 * each for each in dims]
    elif wrong < 0.15 and layout == "ROW_MAJOR":
        tensors[-1] |= {"layout": "TILE", "shape": [1, size]}
    return row(tensors, {"index_dims": dims, "tensors": ["input"]}, interleaved_or_default(rng))


def fold(rng, grid):
    output, kernel = [rng.randrange(4, 40), rng.randrange(4, 40)], [rng.randrange(1, 5), rng.randrange(1, 5)]
    args = {"output_size": output, "kernel_size": kernel}
    dilation, padding, stride = [[default, default] for default in (1, 0, 1)]
    if rng.random() < 0.5:
        args["dilation"] = dilation = [rng.randrange(1, 3), rng.randrange(1, 3)]
    if rng.random() < 0.5:
        args["padding"] = padding = [rng.randrange(0, 3), rng.randrange(0, 3)]
    if rng.random() < 0.5:
        args["stride"] = stride = [rng.randrange(1, 4), rng.randrange(1, 4)]
    places = math.prod(max(0, (output[i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1) for i in (0, 1))
    channels = rng.randrange(1, 9) * math.prod(kernel)
    shape = [channels, max(places, 1)] if rng.random() < 0.3 else [rng.randrange(1, 5), channels, max(places, 1)]
    if rng.random() < 0.1:
        shape[rng.choice((-1, -2))] += 1
    tensors = [spec(shape, rng.choice(("bfloat16", "bfloat16", "float32")), rng.choice(("ROW_MAJOR",) * 12 + ("TILE",)),
                    interleaved(rng))]
    wrong = rng.random()
    if wrong < 0.05:
        args[rng.choice(("output_size", "kernel_size", "stride"))] = [2]
    return row(tensors, args, interleaved_or_default(rng))


def call_fold(ttnn, inputs, args, out):
    return ttnn.moreh_fold(inputs[0], None, args["output_size"], args["kernel_size"],
                           **given(args, "dilation", "padding", "stride"), memory_config=out)


CONFIGURATIONS = {
    "moreh_clip_grad_norm": (clip_grad_norm, call_clip_grad_norm),
    "moreh_fold": (fold, call_fold),
    "moreh_getitem": (getitem, lambda ttnn, i, args, out: ttnn.moreh_getitem(
        i[0], list(i[1:]), args["index_dims"], memory_config=out)),
    "moreh_layer_norm": (layer_norm, call_layer_norm),
    "moreh_layer_norm_backward": (layer_norm_backward, call_layer_norm_backward),
    "moreh_nll_loss": (nll_loss, call_nll_loss),
    "moreh_nll_loss_backward": (nll_loss_backward, call_nll_loss_backward),
    "moreh_nll_loss_unreduced_backward": (nll_loss_unreduced_backward, call_nll_loss_unreduced_backward),
}
