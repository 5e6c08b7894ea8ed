# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A torch model's parameters as tensors of ours, in a tree with the names of its modules. Needs torch.

    parameters = preprocess_model_parameters(initialize_model=lambda: model, device=device)
    ttnn.linear(x, parameters.encoder.layers[0].dense.weight, bias=parameters.encoder.layers[0].dense.bias)

With a model_name and CONFIG.enable_model_cache they are kept in CONFIG.model_cache_path, under a version (the commit that
is checked out, unless given), and read from there the next time.
"""

from __future__ import annotations

import inspect
import logging
import os
import shutil
import subprocess
from typing import Any, Callable

from tilemeter._src.base.config import CONFIG, manage_config
from tilemeter._src.models.module_args import infer_ttnn_module_args, merge_ttnn_module_args_into_parameters
from tilemeter._src.models.parameters import (
    Conv2dArgs, MaxPool2dArgs, ParameterDict, ParameterList, dump_parameters, load_parameters, make_parameter_dict,
)
from tilemeter._src.operations import wrapped
from tilemeter._src.tensors import conversion as _conversion
from tilemeter._src.types.types import TILE_LAYOUT
from tilemeter._tilemeter import DataType, Layout, MeshDevice, Tensor

try:
    import torch
except ImportError:
    raise ImportError("Torch is not installed. Model preprocessing functions require torch to be installed.") from None


Convert = Callable[[Any, Any], bool]
Preprocessor = Callable[..., Any]

_log = logging.getLogger("tilemeter")

torch_dtype_to_ttnn_dtype = {
    torch.uint8: DataType.UINT8,
    torch.int16: DataType.UINT16,
    torch.int32: DataType.INT32,
    torch.int64: DataType.UINT32,
    torch.bfloat16: DataType.BFLOAT16,
    torch.float32: DataType.BFLOAT16,
    torch.float64: DataType.BFLOAT16,
}


def preprocess_linear_weight(
    weight: Any, *, dtype: DataType, layout: Layout = TILE_LAYOUT, weights_mesh_mapper: Any = None
) -> Tensor:
    """The weight of a torch.nn.Linear, transposed to [in_features, out_features], on the host."""
    made: Tensor = _conversion.from_torch(
        weight.T.contiguous(), dtype=dtype, layout=layout, mesh_mapper=weights_mesh_mapper
    )
    return made


def preprocess_linear_bias(
    bias: Any, *, dtype: DataType, layout: Layout = TILE_LAYOUT, weights_mesh_mapper: Any = None
) -> Tensor:
    """The bias of a torch.nn.Linear as one row, on the host."""
    made: Tensor = _conversion.from_torch(bias.reshape((1, -1)), dtype=dtype, layout=layout, mesh_mapper=weights_mesh_mapper)
    return made


def preprocess_layernorm_parameter(parameter: Any, *, dtype: DataType, layout: Layout = TILE_LAYOUT) -> Tensor:
    """A weight or bias of a torch.nn.LayerNorm as one row, on the host."""
    made: Tensor = _conversion.from_torch(parameter.reshape((1, -1)), dtype=dtype, layout=layout)
    return made


def preprocess_embedding_weight(weight: Any, *, dtype: DataType) -> Tensor:
    """The table of a torch.nn.Embedding as rows, on the host."""
    made: Tensor = _conversion.from_torch(weight, dtype=dtype)
    return made


def fold_batch_norm2d_into_conv2d(conv: Any, bn: Any) -> tuple[Any, Any]:
    """Weight and bias of a torch.nn.Conv2d that does what it and the torch.nn.BatchNorm2d behind it do together.

    Raises RuntimeError for a norm that keeps no statistics.
    """
    if not bn.track_running_stats:
        raise RuntimeError("BatchNorm2d must have track_running_stats=True to be folded into Conv2d")
    factor = bn.weight / torch.sqrt(bn.running_var + bn.eps)
    before = 0 if conv.bias is None else conv.bias
    return conv.weight * factor.reshape(-1, 1, 1, 1), (before - bn.running_mean) * factor + bn.bias


def default_preprocessor(model: Any, name: Any, ttnn_module_args: Any) -> ParameterDict:
    """The parameters of a Linear, LayerNorm or Embedding as bfloat16; nothing for other modules."""
    found: dict[str, Tensor] = {}
    if isinstance(model, torch.nn.Embedding):
        found["weight"] = preprocess_embedding_weight(model.weight, dtype=DataType.BFLOAT16)
    elif isinstance(model, (torch.nn.Linear, torch.nn.LayerNorm)):
        is_linear = isinstance(model, torch.nn.Linear)
        weight = preprocess_linear_weight if is_linear else preprocess_layernorm_parameter
        bias = preprocess_linear_bias if is_linear else preprocess_layernorm_parameter
        if model.weight is not None:
            found["weight"] = weight(model.weight, dtype=DataType.BFLOAT16)
        if model.bias is not None:
            found["bias"] = bias(model.bias, dtype=DataType.BFLOAT16)
    return make_parameter_dict(found)


def _own_parameters(model: Any) -> list[tuple[str, Any]]:
    return [(name, parameter) for name, parameter in model.named_parameters() if "." not in name]


def _joined(name: Any, child: Any) -> Any:
    return f"{name}.{child}" if name else child


def _custom(preprocessor: Preprocessor, model: Any, name: Any, options: dict[str, Any]) -> Any:
    """The result of a user's preprocessor for a module; it gets those of the options that it names."""
    names = list(inspect.signature(preprocessor).parameters)
    if len(names) < 2:
        raise RuntimeError("Custom preprocessor must have at least two parameters: model and name")
    for each in names[2:]:
        if each not in options:
            raise RuntimeError(f"Unsupported parameter: {each}")
    return preprocessor(model, name, **{each: options[each] for each in names[2:]})


def _left_in_torch(model: Any) -> dict[Any, Any]:
    parameters = dict(_own_parameters(model))
    if isinstance(model, torch.nn.Linear):
        parameters["weight"] = model.weight.T.contiguous()
    return parameters


def convert_torch_model_to_ttnn_model(
    model: Any, *, convert_to_ttnn: Convert, custom_preprocessor: Preprocessor | None, name: Any, ttnn_module_args: Any
) -> Any:
    """The tree of a module's parameters, on the host: a ParameterList of a ModuleList, else a ParameterDict.

    What a custom_preprocessor gives for a module counts; where it gives nothing, default_preprocessor, then the parameters
    as they are, and the module's children likewise. Parameters of modules for which convert_to_ttnn is False stay torch's.
    """

    def of(child: Any, child_name: Any, child_args: Any) -> Any:
        return convert_torch_model_to_ttnn_model(
            child, convert_to_ttnn=convert_to_ttnn, custom_preprocessor=custom_preprocessor, name=child_name,
            ttnn_module_args=child_args,
        )

    if isinstance(model, torch.nn.ModuleList):
        return ParameterList(
            of(child, _joined(name, str(index)), None if ttnn_module_args is None else ttnn_module_args[index])
            for index, child in enumerate(model.children())
        )
    if custom_preprocessor is not None:
        options = {"ttnn_module_args": ttnn_module_args, "convert_to_ttnn": convert_to_ttnn}
        given = _custom(custom_preprocessor, model, name, options)
        if given:
            return make_parameter_dict(given)
    children, own = list(model.named_children()), _own_parameters(model)
    if convert_to_ttnn(model, name):
        known = default_preprocessor(model, name, ttnn_module_args)
        if known:
            if len(known) != len(children) + len(own):
                raise RuntimeError("Not all children or parameters were converted using default_preprocessor_parameters!")
            return known
        parameters = make_parameter_dict(
            {each: _conversion.from_torch(value, dtype=torch_dtype_to_ttnn_dtype[value.dtype]) for each, value in own}
        )
    else:
        parameters = make_parameter_dict(_left_in_torch(model))
    for child_name, child in children:
        key: int | str = int(child_name) if child_name.isdigit() else child_name
        child_args = None if ttnn_module_args is None else ttnn_module_args.get(key)
        child_parameters = of(child, _joined(name, key), child_args)
        if child_parameters:
            parameters[key] = child_parameters
    return parameters


def preprocess_remaining_children_and_parameters(
    model: Any, name: Any, convert_to_ttnn: Convert, custom_preprocessor: Preprocessor | None, parameters: dict[Any, Any],
    ttnn_module_args: dict[Any, Any], *, already_preprocessed_children: Any,
) -> dict[Any, Any]:
    """Adds to a module's parameters those of the children that are not yet there: for custom preprocessors."""
    for child_name, child in model.named_children():
        if child_name not in already_preprocessed_children:
            parameters[child_name] = convert_torch_model_to_ttnn_model(
                child, name=name, convert_to_ttnn=convert_to_ttnn, custom_preprocessor=custom_preprocessor,
                ttnn_module_args=ttnn_module_args.get(child_name),
            )
    for own_name, parameter in _own_parameters(model):
        if own_name not in already_preprocessed_children:
            parameters[own_name] = _conversion.from_torch(parameter, dtype=torch_dtype_to_ttnn_dtype[parameter.dtype])
    return parameters


def move_to_device(object: Any, device: MeshDevice) -> Any:
    """Tensors of a tree go to the device, each in its place, in DRAM unless their memory config says otherwise."""
    if isinstance(object, (ParameterDict, ParameterList)):
        for key, value in list(object.items() if isinstance(object, ParameterDict) else enumerate(object)):
            object[key] = move_to_device(value, device)
        return object
    return wrapped.to_device(object, device) if isinstance(object, Tensor) else object


def git_hash() -> str | None:
    """The commit that is checked out in the working folder, short; None where there is none."""
    try:
        said = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        _log.warning("model_preprocessing: no git hash: cached weights have no version: %s", error)
        return None
    return said.stdout.strip()


def _preprocessed(
    initialize_model: Callable[[], Any], run_model: Callable[[Any], Any] | None, convert_to_ttnn: Convert,
    custom_preprocessor: Preprocessor | None, device: MeshDevice | None, prefix: str | None,
) -> ParameterDict:
    model = initialize_model()
    if model.training:
        _log.warning("model_preprocessing: putting the model in eval mode")
        model.eval()
    module_args = infer_ttnn_module_args(model=model, run_model=run_model, device=device)
    parameters = convert_torch_model_to_ttnn_model(
        model, convert_to_ttnn=convert_to_ttnn, custom_preprocessor=custom_preprocessor, name=prefix or "",
        ttnn_module_args=module_args,
    )
    if module_args is not None:
        parameters = merge_ttnn_module_args_into_parameters(parameters, module_args)
    return make_parameter_dict(parameters)


def _kept(model_name: str, version: str | None, make: Callable[[], ParameterDict] | None) -> ParameterDict:
    """A model's parameters from their folder, or made and written to it. Raises RuntimeError without either."""
    folder_name = model_name.replace("/", "_")
    if folder_name in ("", ".", ".."):
        raise ValueError(f"model_name: expected a name for a folder, got {model_name!r}")
    folder = CONFIG.model_cache_path / folder_name
    version_file = folder / "version.txt"
    version = git_hash() if version is None else version
    known = version_file.read_text(encoding="utf-8").partition("\n")[0] if version_file.is_file() else None
    if folder.exists() and known == (version or ""):
        return load_parameters(folder)
    if make is None:
        raise RuntimeError(f"Cached weights for the model {model_name} (version \"{version}\") don't exist")
    if known is None and folder.exists() and any(folder.iterdir()):
        raise RuntimeError(f"{folder}: expected parameters that were kept before, found a folder without version.txt")
    parameters = make()
    # Whole or not at all: what is half-written has another name.
    unfinished = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    try:
        dump_parameters(unfinished, parameters)
        (unfinished / version_file.name).write_text(version or "", encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return parameters


def _as_modules(parameters: Any) -> Any:
    """Raises where a convolution or pooling is to become a module: those are no part of TT-NN any more."""
    if isinstance(parameters, ParameterList):
        return ParameterList(_as_modules(value) for value in parameters)
    if not isinstance(parameters, ParameterDict):
        return parameters
    module_args = parameters.get("ttnn_module_args")
    if module_args is None:
        return make_parameter_dict({name: _as_modules(value) for name, value in parameters.items()})
    if isinstance(module_args, Conv2dArgs) and isinstance(parameters.weight, torch.Tensor):
        return parameters
    for kind, name in ((Conv2dArgs, "Conv2d"), (MaxPool2dArgs, "MaxPool2d")):
        if isinstance(module_args, kind):
            raise AttributeError(f"module 'ttnn' has no attribute '{name}'")
    raise RuntimeError(f"Unsupported ttnn module args: {type(module_args)}")


def preprocess_model(
    *,
    model_name: str | None = None,
    version: str | None = None,
    initialize_model: Callable[[], Any] | None = None,
    convert_to_ttnn: Convert | None = None,
    custom_preprocessor: Preprocessor | None = None,
    device: MeshDevice | None = None,
    prefix: str = "",
    run_model: Callable[[Any], Any] | None = None,
    reader_patterns_cache: dict[Any, Any] | None = None,
) -> Any:
    """preprocess_model_parameters, and, with run_model, the sizes that convolutions, poolings and group norms ran on.

    run_model(model) calls the model. As in TT-NN 0.81.1 convolutions must stay torch's then (convert_to_ttnn), and poolings
    and group norms that ran as children of modules with parameters are refused: AttributeError, RuntimeError.
    """
    convert = convert_to_ttnn or (lambda model, name: True)

    def make() -> ParameterDict:
        if initialize_model is None:
            raise TypeError("preprocess_model: expected initialize_model, or a model_name whose parameters are cached")
        return _preprocessed(initialize_model, run_model, convert, custom_preprocessor, device, prefix)

    with manage_config("enable_logging", False), manage_config("enable_comparison_mode", False):
        if model_name is None or not CONFIG.enable_model_cache:
            parameters = make()
        else:
            parameters = _kept(model_name, version, None if initialize_model is None else make)
        if device is not None:
            parameters = move_to_device(parameters, device)
        return _as_modules(parameters)


def preprocess_model_parameters(
    *,
    model_name: str | None = None,
    version: str | None = None,
    initialize_model: Callable[[], Any] | None = None,
    convert_to_ttnn: Convert | None = None,
    custom_preprocessor: Preprocessor | None = None,
    device: MeshDevice | None = None,
    prefix: str = "",
) -> Any:
    """The parameters of a torch model, by the names of its modules; on the device, if one is given.

    initialize_model() gives the model; not needed where its parameters are cached under model_name and version.
    convert_to_ttnn(module, name) says whose parameters become tensors of ours (all, unless given), and
    custom_preprocessor(module, name) gives those of a module, or nothing; it may also ask for ttnn_module_args and
    convert_to_ttnn by these names. prefix stands before the names that both are told.
    """
    return preprocess_model(
        model_name=model_name, version=version, initialize_model=initialize_model, convert_to_ttnn=convert_to_ttnn,
        custom_preprocessor=custom_preprocessor, device=device, prefix=prefix,
    )
