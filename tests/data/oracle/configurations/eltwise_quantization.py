# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of quantization: scales and zero points as numbers and as tensors, of a whole tensor or of each channel.

A scale or zero point that a row's arguments don't have is a tensor, the next of its inputs."""

from .tensor_specs import interleaved, interleaved_or_default, last_dimensions, row, shape4, spec


def quantization(rng, names, dtypes, to):
    shape = list(last_dimensions(rng, shape4(rng, 200)))
    axis = rng.randrange(-len(shape), len(shape)) if rng.random() < 0.5 else None
    if rng.random() < 0.03:
        axis = rng.choice((len(shape), -len(shape) - 1))
    tensors, args = [spec(shape, rng.choice(dtypes), "TILE", interleaved(rng))], {}
    whole = rng.random() < 0.3  # numbers for the whole tensor
    for name in names:
        if whole or rng.random() < (0.15 if axis is not None else 0.4):
            args[name] = rng.choice((0.5, 0.125, 3.0)) if name.endswith("scale") else rng.randrange(-5, 9)
            continue
        size = shape[axis] if axis is not None and -len(shape) <= axis < len(shape) and rng.random() < 0.9 else 1
        of_one = rng.choice(([1], [1, 1])) if axis is None else [size]
        if rng.random() < 0.04:
            of_one = [2]
        dtype = rng.choice(("bfloat16", "bfloat16", "float32")) if name.endswith("scale") else "int32"
        if rng.random() < 0.05:
            dtype = rng.choice(("int32", "uint32", "bfloat8_b", "bfloat16"))
        tensors.append(spec(of_one, dtype, "TILE", interleaved(rng)))
    if axis is not None:
        args["axis"] = axis
    if rng.random() < 0.4:
        args["dtype"] = rng.choice(to)
    if rng.random() < 0.2:
        args["tensors"] = ["output_tensor"]
        tensors.append(spec(shape, args.get("dtype", to[0]), "TILE", interleaved(rng)))
    else:
        args["tensors"] = []
    return row(tensors, args, interleaved_or_default(rng))


QUANTIZED = ("int32", "int32", "uint8")


def quantize(rng, grid):
    return quantization(rng, ("scale", "zero_point"), ("bfloat16", "bfloat16", "float32", "bfloat8_b"), QUANTIZED)


def dequantize(rng, grid):
    return quantization(rng, ("scale", "zero_point"), QUANTIZED, ("bfloat16", "float32"))


def requantize(rng, grid):
    return quantization(rng, ("in_scale", "in_zero_point", "out_scale", "out_zero_point"), QUANTIZED, QUANTIZED)


def called(operation, *names):
    def call(ttnn, inputs, args, out):
        left = iter(inputs[1:])
        values = [args[name] if name in args else next(left) for name in names]
        given = {"output_tensor": next(left)} if args["tensors"] else {}
        if "dtype" in args:
            given["dtype"] = getattr(ttnn, args["dtype"])
        return getattr(ttnn, operation)(inputs[0], *values, axis=args.get("axis"), memory_config=out, **given)

    return call


CONFIGURATIONS = {
    "dequantize": (dequantize, called("dequantize", "scale", "zero_point")),
    "quantize": (quantize, called("quantize", "scale", "zero_point")),
    "requantize": (requantize, called("requantize", "in_scale", "in_zero_point", "out_scale", "out_zero_point")),
}
