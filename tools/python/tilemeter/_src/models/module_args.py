# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The arguments that the convolutions, poolings and group norms of a torch model are built with, and the sizes that
they run on."""

from __future__ import annotations

from typing import Any, Callable

import torch

from tilemeter._src.models.dot_access import DotAccessDict, make_dot_access_dict
from tilemeter._src.models.parameters import Conv2dArgs, ConvTranspose2dArgs, GroupNormArgs, MaxPool2dArgs, ModuleArgs
from tilemeter._tilemeter import DataType, MathFidelity

_CONVOLUTION = ("in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation", "groups", "padding_mode")


def _sizes(shape: Any) -> dict[str, Any]:
    return {"batch_size": shape[0], "input_height": shape[-2], "input_width": shape[-1]}


def _taken(module: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names}


def _of_convolution(module: Any, shape: Any, device: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        **_taken(module, *names),
        **_sizes(shape),
        "math_fidelity": MathFidelity.HiFi4,
        "dtype": DataType.BFLOAT16,
        "weights_dtype": DataType.BFLOAT16,
        "use_1d_systolic_array": True,
        "enable_auto_formatting": False,
        "conv_blocking_and_parallelization_config_override": {},
        "device": device,
    }


def _of_module(module: Any, shape: Any, device: Any) -> ModuleArgs | None:
    if isinstance(module, torch.nn.Conv2d):
        return Conv2dArgs(_of_convolution(module, shape, device, _CONVOLUTION))
    if isinstance(module, torch.nn.ConvTranspose2d):
        names = (*_CONVOLUTION[:5], "output_padding", *_CONVOLUTION[5:])
        return ConvTranspose2dArgs(_of_convolution(module, shape, device, names))
    if isinstance(module, torch.nn.MaxPool2d):
        built = _taken(module, "kernel_size", "stride", "padding", "dilation")
        batch, *sizes = _sizes(shape).items()
        return MaxPool2dArgs(
            {**built, **dict([batch]), "input_channels": shape[1], **dict(sizes), "dtype": DataType.BFLOAT16}
        )
    if isinstance(module, torch.nn.GroupNorm):
        built = _taken(module, "num_groups", "num_channels", "eps", "affine")
        return GroupNormArgs({**built, **_sizes(shape), "dtype": DataType.BFLOAT16})
    return None


def infer_ttnn_module_args(*, model: Any, run_model: Callable[[Any], Any] | None, device: Any) -> Any:
    """Runs a torch model and gives, by the names of its modules, what each is built with and the sizes that it ran on; a
    module of another kind has those of the modules that it called. None without run_model.

    Sizes are those of the first tensor that a module was called with, in elements.
    """
    if run_model is None:
        return None
    names = {module: name.rpartition(".")[2] for name, module in model.named_modules()}
    found: dict[Any, Any] = {}
    open_modules = [found]

    def enter(module: Any, args: Any, kwargs: Any) -> None:
        tensors = [each for each in (*args, *kwargs.values()) if isinstance(each, torch.Tensor)]
        built = _of_module(module, tensors[0].shape, device) if tensors else None
        inside: dict[Any, Any] = {} if built is None else built
        name = names[module]
        open_modules[-1][name] = inside
        if name.isdigit():
            open_modules[-1][int(name)] = inside
        open_modules.append(inside)

    def leave(module: Any, args: Any, output: Any) -> None:
        open_modules.pop()

    hooks = []
    for module in names:
        hooks.append(module.register_forward_pre_hook(enter, with_kwargs=True))
        hooks.append(module.register_forward_hook(leave))
    try:
        run_model(model)
    finally:
        for hook in hooks:
            hook.remove()
    whole: DotAccessDict = make_dot_access_dict(found, ignore_types=(ModuleArgs,))
    return whole[""]


def merge_ttnn_module_args_into_parameters(
    parameters: dict[Any, Any], ttnn_module_args: dict[Any, Any], path: list[str] | None = None
) -> dict[Any, Any]:
    """Puts each module's arguments, without the device, beside its parameters, as "ttnn_module_args".

    Raises RuntimeError where a name of both is not a dictionary in both, and differs.
    """
    if isinstance(ttnn_module_args, ModuleArgs):
        ttnn_module_args.pop("device", None)
        parameters["ttnn_module_args"] = ttnn_module_args
        return parameters
    for key, value in parameters.items():
        if key not in ttnn_module_args:
            continue
        place, other = [*(path or []), str(key)], ttnn_module_args[key]
        if isinstance(value, dict) and isinstance(other, dict):
            merge_ttnn_module_args_into_parameters(value, other, place)
        elif value != other:
            raise RuntimeError(f"Conflict at {'.'.join(place)}")
    return parameters
