# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What a program asks of a GPU that is modelled and can't have, by name."""

from __future__ import annotations

import ctypes
import warnings
from typing import Any

# Functions of PyTorch whose result, or its size, is what a device has computed.
_OF_VALUES = {
    "_local_scalar_dense": "item(), bool() or another number of a tensor", "equal": "torch.equal()", "nonzero": "nonzero()",
    "masked_select": "masked_select()", "_unique2": "unique()", "unique_dim": "unique(dim=...)",
    "unique_consecutive": "unique_consecutive()", "unique_dim_consecutive": "unique_consecutive(dim=...)",
    "repeat_interleave.Tensor": "repeat_interleave() of repeats on the device, without output_size",
}  # fmt: skip
_kept: list[Any] = []  # registrations last as long as their library


class ValuesAreNotThere(RuntimeError):
    """The program goes on by values that nobody has computed."""


def _refusal(name: str, words: str) -> Any:
    def refuse(*arguments: Any, **keywords: Any) -> Any:
        if name == "repeat_interleave.Tensor" and keywords.get("output_size") is not None:
            import torch

            repeats = arguments[0]
            return torch.empty((keywords["output_size"],), dtype=repeats.dtype, device=repeats.device)
        raise ValuesAreNotThere(f"{words}: the program goes on by values (aten::{name.partition('.')[0]}), which a GPU that is modelled does not have; values=\"zeros\" goes on by zeros")

    return refuse


def refuse_values() -> None:
    """From here on functions of CUDA's tensors that give values raise ValuesAreNotThere."""
    import torch

    library = torch.library.Library("aten", "IMPL")  # noqa: TOR901: for good
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of kernels that are replaced, as is meant
        for name, words in _OF_VALUES.items():
            packet = getattr(torch.ops.aten, name.partition(".")[0], None)
            if packet is not None and hasattr(packet, name.partition(".")[2] or "default"):
                library.impl(name, _refusal(name, words), "CUDA")
    _kept.append(library)


def refused_name(error: BaseException) -> str | None:
    """What can't run on a modelled GPU and made this error; None: something else did."""
    text = str(error)
    if "libcuda.so cannot found" in text or type(error).__module__.startswith(("triton", "torch._inductor")):
        return "a kernel that is compiled at run time (torch.compile, Triton)"
    function = getattr(ctypes.CDLL(None), "tilemeter_refused", None)
    if function is None:
        return None
    function.restype = ctypes.c_char_p
    said = function()
    return None if said is None else said.decode()
