# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Convolutions of both packages: what of their arguments gradients are tried with."""

from __future__ import annotations

from typing import Any, NamedTuple

from in_torch import torch

import tilemeter as ttnn


def _pictures(x: Any, height: int, width: int, channels: int) -> Any:
    return x.reshape(-1, height, width, channels).permute(0, 3, 1, 2)


def _flat(x: Any) -> Any:
    return x.permute(0, 2, 3, 1).reshape(1, 1, -1, x.shape[1])


class Convolution(NamedTuple):
    """Its weights and bias are on the host, as TT-NN wants them: gradients reach the images, and the weights where it is lowered."""

    kind: str = "conv2d"
    kernel: tuple[int, int] = (3, 2)
    stride: tuple[int, int] = (1, 1)
    padding: tuple[int, int] = (0, 0)
    dilation: tuple[int, int] = (1, 1)
    output_padding: tuple[int, int] = (0, 0)
    groups: int = 1
    bias: bool = False
    size: tuple[int, int] = (8, 6)
    channels: tuple[int, int] = (32, 64)

    @property
    def weight_shape(self) -> tuple[int, ...]:
        given, made = self.channels
        front = (given, made // self.groups) if self.kind == "conv_transpose2d" else (made, given // self.groups)
        return (*front, *(self.kernel[1:] if self.kind == "conv1d" else self.kernel))

    def run(self, x: Any, weight: Any, bias: Any, device: Any) -> Any:
        options: dict[str, Any] = {
            "input_tensor": x, "weight_tensor": weight, "bias_tensor": bias, "device": device, "in_channels": self.channels[0],
            "out_channels": self.channels[1], "batch_size": 2, "groups": self.groups,
        }
        if self.kind == "conv1d":
            options |= {"input_length": self.size[1], "kernel_size": self.kernel[1], "stride": self.stride[1],
                        "padding": self.padding[1], "dilation": self.dilation[1]}
        else:
            options |= {"input_height": self.size[0], "input_width": self.size[1], "kernel_size": self.kernel,
                        "stride": self.stride, "padding": self.padding, "dilation": self.dilation}
        if self.kind == "conv_transpose2d":
            options["output_padding"] = self.output_padding
        return getattr(ttnn, self.kind)(**options)

    def in_torch(self, x: Any, weight: Any, bias: Any) -> Any:
        functions = torch.nn.functional
        pictures = _pictures(x, *self.size, self.channels[0])
        if self.kind == "conv1d":
            made = functions.conv1d(pictures[:, :, 0], weight, bias, self.stride[1], self.padding[1], self.dilation[1], self.groups)
            return _flat(made[:, :, None])
        if self.kind == "conv2d":
            return _flat(functions.conv2d(pictures, weight, bias, self.stride, self.padding, self.dilation, self.groups))
        return _flat(functions.conv_transpose2d(pictures, weight, bias, self.stride, self.padding, self.output_padding,
                                                self.groups, self.dilation))


CONVOLUTIONS = {
    "conv2d": Convolution(),
    "conv2d, strides, padding, bias": Convolution(stride=(2, 1), padding=(1, 0), bias=True),
    "conv2d, dilated": Convolution(kernel=(3, 3), dilation=(2, 1), padding=(2, 1)),
    "conv2d, in groups": Convolution(kernel=(3, 3), groups=2, channels=(64, 64)),
    "conv2d, of each channel": Convolution(kernel=(3, 3), groups=32, channels=(32, 32), padding=(1, 1)),
    "conv1d": Convolution("conv1d", kernel=(1, 3), size=(1, 12)),
    "conv1d, strides, padding, bias": Convolution("conv1d", kernel=(1, 4), size=(1, 12), stride=(1, 2), padding=(0, 1), bias=True),
    "conv1d, in groups": Convolution("conv1d", kernel=(1, 3), size=(1, 12), groups=2, channels=(64, 64)),
    "conv_transpose2d": Convolution("conv_transpose2d"),
    "conv_transpose2d, strides, bias": Convolution("conv_transpose2d", kernel=(3, 3), stride=(2, 2), padding=(1, 1), bias=True),
    "conv_transpose2d, output padding": Convolution("conv_transpose2d", kernel=(3, 3), stride=(2, 2), padding=(1, 1),
                                                    output_padding=(1, 1)),
}
