# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions and modules of torch for tensors of ttnn, with tt_lib's names and parameters."""

from __future__ import annotations

from typing import Any, Callable

import torch

from tilemeter._src.fallbacks.conversion_wrapper import convert_tt_tensors_wrapper

_functional = torch.nn.functional


def _row(values: Any, *shape: int) -> Any:
    return None if values is None else values.reshape(shape)


@convert_tt_tensors_wrapper
def full(size: Any, fill_value: float) -> Any:
    """A tensor of one value."""
    return torch.full(tuple(size), fill_value, dtype=torch.float32)


@convert_tt_tensors_wrapper
def tensor_slice(input: Any, slices: Any) -> Any:
    """A part: slices and Ellipsis in a list."""
    return input[tuple(slices)]


@convert_tt_tensors_wrapper
def reshape(input: Any, N: int, C: int, H: int, W: int, output_layout: Any = None, output_on_device: bool = True) -> Any:  # noqa: N803
    """The values as [N, C, H, W]."""
    return input.reshape(N, C, H, W)


@convert_tt_tensors_wrapper
def permute(input: Any, dims: Any, output_layout: Any = None, output_on_device: bool = True) -> Any:
    """Dimensions in another order."""
    return input.permute(*dims)


@convert_tt_tensors_wrapper
def chunk(input: Any, chunks: int, dim: int = 0) -> Any:
    """Parts along a dimension."""
    return input.chunk(chunks, dim)


@convert_tt_tensors_wrapper
def conv2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """torch's convolution."""
    return _functional.conv2d(input, weight, _row(bias, -1), stride, padding, dilation, groups)


@convert_tt_tensors_wrapper
def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """torch's norm of groups of channels."""
    return _functional.group_norm(input, num_groups, _row(weight, -1), _row(bias, -1), eps)


def _normalized(shape: Any, *parameters: Any) -> tuple[list[int], list[Any]]:
    sizes = [shape] if isinstance(shape, int) else list(shape)
    for values in parameters:
        if values is not None and list(values.shape[-len(sizes) :]) != sizes:
            raise AssertionError(f"expected a parameter of {sizes}, got {list(values.shape)}")
    return sizes, [_row(values, *sizes) for values in parameters]


@convert_tt_tensors_wrapper
def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """torch's norm over the last dimensions."""
    sizes, (weight, bias) = _normalized(normalized_shape, weight, bias)
    return _functional.layer_norm(input, sizes, weight, bias, eps)


@convert_tt_tensors_wrapper
def pad(
    input: Any, pad: Any, mode: str = "constant", value: Any = None, output_layout: Any = None, output_on_device: bool = True
) -> Any:
    """torch's padding: pairs from the last dimension on."""
    return _functional.pad(input, tuple(pad), mode, value)


@convert_tt_tensors_wrapper
def interpolate(
    input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None, antialias: bool = False,
) -> Any:
    """torch's resizing."""
    return _functional.interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias)


@convert_tt_tensors_wrapper
def repeat(input: Any, sizes: Any) -> Any:
    """Copies along each dimension."""
    return input.repeat(*sizes)


@convert_tt_tensors_wrapper
def repeat_interleave(input: Any, repeats: Any, dim: int | None = None, *, output_size: int | None = None) -> Any:
    """Each element several times."""
    return torch.repeat_interleave(input, repeats, dim, output_size=output_size)


@convert_tt_tensors_wrapper
def concat(tensors: Any, dim: int = 0) -> Any:
    """Tensors one after the other."""
    return torch.concat(list(tensors), dim)


@convert_tt_tensors_wrapper
def softmax(input: Any, dim: int | None = None) -> Any:
    """torch's softmax."""
    return _functional.softmax(input, dim)


@convert_tt_tensors_wrapper
def torch_argmax(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The place of the largest element."""
    return torch.argmax(input, dim=dim, keepdim=keepdim)


@convert_tt_tensors_wrapper
def torch_argmin(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The place of the smallest element."""
    return torch.argmin(input, dim=dim, keepdim=keepdim)


def _of_one(function: Callable[..., Any]) -> Callable[..., Any]:
    def of_one(input: Any) -> Any:
        return function(input)

    return convert_tt_tensors_wrapper(of_one)


def _of_two(function: Callable[..., Any]) -> Callable[..., Any]:
    def of_two(input: Any, other: Any) -> Any:
        return function(input, other)

    return convert_tt_tensors_wrapper(of_two)


silu = _of_one(_functional.silu)
ceil, floor, trunc, bitwise_not = (_of_one(each) for each in (torch.ceil, torch.floor, torch.trunc, torch.bitwise_not))
unary_fmod = binary_fmod = _of_two(torch.fmod)
unary_bitwise_or = binary_bitwise_or = _of_two(torch.bitwise_or)
unary_bitwise_and = binary_bitwise_and = _of_two(torch.bitwise_and)
unary_bitwise_xor = binary_bitwise_xor = _of_two(torch.bitwise_xor)
unary_bitwise_right_shift = binary_bitwise_right_shift = _of_two(torch.bitwise_right_shift)
unary_bitwise_left_shift = binary_bitwise_left_shift = _of_two(torch.bitwise_left_shift)


_TorchModule: Any = torch.nn.Module


class _Module(_TorchModule):  # type: ignore[misc]
    """A module of torch that takes a tensor of ttnn."""

    def __init__(self, made: torch.nn.Module, **parameters: Any) -> None:
        super().__init__()
        self.pt_fallback = made
        for name, values in parameters.items():
            setattr(made, name, None if values is None else torch.nn.Parameter(values))

    @convert_tt_tensors_wrapper
    def forward(self, input: Any) -> Any:
        """The result of torch's module."""
        return self.pt_fallback(input)


class Conv2d(_Module):
    """torch.nn.Conv2d with given weights."""

    @convert_tt_tensors_wrapper
    def __init__(
        self, weights: Any, biases: Any, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
        padding: Any = 0, dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros",
    ) -> None:
        made = torch.nn.Conv2d(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode)
        super().__init__(made, weight=weights, bias=_row(biases, -1))


class BatchNorm2d(_Module):
    """torch.nn.BatchNorm2d with given parameters and statistics."""

    @convert_tt_tensors_wrapper
    def __init__(
        self, weights: Any, biases: Any, running_mean: Any, running_var: Any, num_batches_tracked: Any, num_features: int,
        eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True, track_running_stats: bool = True,
    ) -> None:
        made = torch.nn.BatchNorm2d(num_features, eps, momentum, affine, track_running_stats)
        super().__init__(made, weight=_row(weights, num_features), bias=_row(biases, num_features))
        made.running_mean, made.running_var = _row(running_mean, num_features), _row(running_var, num_features)
        made.num_batches_tracked = torch.tensor(num_batches_tracked.item())


class GroupNorm(_Module):
    """torch.nn.GroupNorm with given parameters."""

    @convert_tt_tensors_wrapper
    def __init__(
        self, weights: Any, biases: Any, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True
    ) -> None:
        made = torch.nn.GroupNorm(num_groups, num_channels, eps, affine)
        super().__init__(made, weight=_row(weights, num_channels), bias=_row(biases, num_channels))


class LayerNorm(_Module):
    """torch.nn.LayerNorm with given parameters."""

    @convert_tt_tensors_wrapper
    def __init__(
        self, weights: Any, biases: Any, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True
    ) -> None:
        sizes, (weights, biases) = _normalized(normalized_shape, weights, biases)
        super().__init__(torch.nn.LayerNorm(sizes, eps, elementwise_affine), weight=weights, bias=biases)


class _Pool(_Module):
    channels_last = reshape_2d = False

    @convert_tt_tensors_wrapper
    def forward(self, input: Any) -> Any:
        """The result of torch's module, channels last where they were."""
        output = self.pt_fallback(input.permute(0, 3, 1, 2) if self.channels_last else input)
        output = output.permute(0, 2, 3, 1) if self.channels_last else output
        return output.reshape(1, 1, -1, output.shape[3]) if self.reshape_2d else output


class MaxPool2d(_Pool):
    """torch.nn.MaxPool2d."""

    @convert_tt_tensors_wrapper
    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: bool = False,
        ceil_mode: bool = False, channels_last: bool = False, reshape_2d: bool = False,
    ) -> None:
        super().__init__(torch.nn.MaxPool2d(kernel_size, stride, padding, dilation, return_indices, ceil_mode))
        self.channels_last, self.reshape_2d = channels_last, reshape_2d


class AdaptiveAvgPool2d(_Pool):
    """torch.nn.AdaptiveAvgPool2d."""

    @convert_tt_tensors_wrapper
    def __init__(self, output_size: Any, channels_last: bool = False) -> None:
        super().__init__(torch.nn.AdaptiveAvgPool2d(output_size))
        self.channels_last = channels_last


__all__ = [name for name in dir() if not name.startswith("_") and name not in ("torch", "annotations", "Any", "Callable")]
