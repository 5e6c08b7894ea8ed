# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A model's parameters, as a tree that has the names of its modules; and the files that keep one."""

from __future__ import annotations

import pathlib
import pickle
from typing import Any, TextIO

from tilemeter._src.models.dot_access import DotAccessDict
from tilemeter._src.tensors.conversion import dump_tensor, load_tensor
from tilemeter._tilemeter import Tensor

_POOL_FILE = ".max_pool2d_module_args"


def _is_torch_tensor(value: object) -> bool:
    return hasattr(value, "detach")


def _block(brackets: str, lines: list[str], indentation: str) -> str:
    if not lines:
        return brackets
    inside = ",\n".join(f"{indentation}  {line}" for line in lines)
    return f"{brackets[0]}\n{inside}\n{indentation}{brackets[1]}"


def _text(parameters: Any, indentation: str = "") -> str:
    deeper = f"{indentation}  "
    if isinstance(parameters, ParameterDict):
        return _block("{}", [f"{key}: {_text(value, deeper)}" for key, value in parameters.items()], indentation)
    if isinstance(parameters, ParameterList):
        return _block("[]", [_text(value, deeper) for value in parameters], indentation)
    if isinstance(parameters, ModuleArgs):
        return _block("{}", [f"{key}: {value}" for key, value in parameters.items()], indentation)
    if isinstance(parameters, Tensor):
        return f"ttnn.Tensor(shape={parameters.shape}, layout={parameters.layout}, dtype={parameters.dtype})"
    if _is_torch_tensor(parameters):
        return f"torch.Tensor(shape={parameters.shape}, dtype={parameters.dtype})"
    return repr(parameters)


def repr_parameters(file: TextIO, parameters: Any, indentation: str = "") -> None:
    """Writes a tree of parameters: shape, layout and dtype of each, one per line."""
    file.write(_text(parameters, indentation))


class ParameterList(list[Any]):
    """The parameters of the modules of a list, by number."""

    def __repr__(self) -> str:
        return _text(self)

    def __contains__(self, index: object) -> bool:
        return isinstance(index, int) and index < len(self)


class ParameterDict(DotAccessDict):
    """The parameters of a module, by name: parameters["weight"] or parameters.weight."""

    def __repr__(self) -> str:
        return _text(self)


class ModuleArgs(DotAccessDict):
    """The arguments that a module was built with, and the sizes that it ran on."""


class Conv2dArgs(ModuleArgs):
    """Arguments of a torch.nn.Conv2d."""


class ConvTranspose2dArgs(ModuleArgs):
    """Arguments of a torch.nn.ConvTranspose2d."""


class MaxPool2dArgs(ModuleArgs):
    """Arguments of a torch.nn.MaxPool2d."""


class GroupNormArgs(ModuleArgs):
    """Arguments of a torch.nn.GroupNorm."""


def make_parameter_dict(dictionary: dict[Any, Any]) -> ParameterDict:
    """The dictionary, and those within it, as ParameterDict; ModuleArgs stay what they are."""
    if isinstance(dictionary, ParameterDict):
        return dictionary
    return ParameterDict(
        (key, make_parameter_dict(value) if isinstance(value, dict) and not isinstance(value, ModuleArgs) else value)
        for key, value in dictionary.items()
    )


def dump_parameters(folder: pathlib.Path, parameters: dict[Any, Any]) -> None:
    """Writes a tree into a new folder: a folder for each module, a file for each tensor. Raises RuntimeError for what is
    neither."""
    import torch

    folder.mkdir(parents=True)
    for name, value in parameters.items():
        path = folder / str(name)
        if isinstance(value, ParameterDict):
            dump_parameters(path, value)
        elif isinstance(value, ParameterList):
            for index, element in enumerate(value):
                dump_parameters(path / str(index), element)
        elif isinstance(value, Tensor):
            dump_tensor(f"{path}.tensorbin", value)
        elif _is_torch_tensor(value):
            torch.save(value, f"{path}.pt")
        elif isinstance(value, MaxPool2dArgs):
            path.with_name(f"{name}{_POOL_FILE}").write_bytes(pickle.dumps(dict(value), pickle.HIGHEST_PROTOCOL))
        else:
            raise RuntimeError(f"Unsupported type: {type(value)}")


def load_parameters(folder: pathlib.Path) -> ParameterDict:
    """The tree that dump_parameters wrote. Raises RuntimeError for a file that it does not write."""
    import torch

    loaded: dict[Any, Any] = {}
    for path in sorted(folder.iterdir()):
        name: int | str = int(path.stem) if path.stem.isdigit() else path.stem
        if path.name == "version.txt":
            continue
        if path.is_dir():
            inner = load_parameters(path)
            numbered = all(isinstance(key, int) for key in inner)
            loaded[name] = ParameterList(inner[key] for key in sorted(inner)) if numbered else inner
        elif path.suffix == ".tensorbin":
            loaded[name] = load_tensor(path)
        elif path.suffix == ".pt":
            loaded[name] = torch.load(path)
        elif path.suffix == _POOL_FILE:
            loaded[name] = MaxPool2dArgs(pickle.loads(path.read_bytes()))
        else:
            raise RuntimeError(f"{path}: Unrecognized file extension!")
    return ParameterDict(loaded)
