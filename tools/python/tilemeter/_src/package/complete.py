# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The last steps of `import tilemeter`, when all its names are there."""

from __future__ import annotations

import types

from tilemeter import _tilemeter
from tilemeter._src.base import late_modules
from tilemeter._src.base.public_names import tidy
from tilemeter._src.captures import views
from tilemeter._src.device import sub_device
from tilemeter._src.golden import comparison_mode
from tilemeter._src.golden.registration import attach_known_golden_functions
from tilemeter._src.operations import wrapped
from tilemeter._src.package import families, native_modules
from tilemeter._src.tensors import tensor
from tilemeter._src.types import json_texts

# Nothing names these: when they are imported, they give classes of the extension module methods, and operations a comparer.
_ADDING = (comparison_mode, json_texts, sub_device)
# The public modules that `import tilemeter` does not run: with those that the package's __init__ imports, all of tilemeter/*.
_LATE = (
    "as_ttnn", "attach", "commands", "compiled", "conformance", "demo", "fleet", "graph_tracer_utils", "jax_tt",
    "model_preprocessing", "pytest_plugin", "torch", "torch_tracer", "trace", "tracer", "tracy", "tt_lib",
)


def complete(package: types.ModuleType) -> None:
    """Gives the package its operations, TT-NN's modules of their names, and, as its public modules, a tidy dir()."""
    names = vars(package)
    for name in wrapped.NAMES:
        names.setdefault(name, getattr(wrapped, name))
    tensor.complete(names)
    views.read_environment()
    attach_known_golden_functions()
    setattr(_tilemeter, "device", package.device)  # ttnn._ttnn.device
    families.add_to(package.operations, package)
    native_modules.add_to(_tilemeter, names)
    for name, value in names.items():
        if isinstance(value, types.ModuleType) and value.__name__ == f"{package.__name__}.{name}" and not name.startswith("_"):
            tidy(value)
    tidy(package)
    # Of these dir() knows, `import *` does not: `torch` would hide PyTorch.
    names.update({name: late_modules.module(name) for name in _LATE})
