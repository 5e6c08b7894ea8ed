# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What programs are made of: inputs, and calls whose tensors are inputs and results of others."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tilemeter._tilemeter import TensorSpec


class ProgramInput:
    """A tensor that is alive before the first step. Without an address it is allocated then; with one it is the allocation of the
    state that lies there."""

    def __init__(self, spec: TensorSpec, *, address: int | None = None, name: str = "") -> None:
        self.spec, self.address, self.name = spec, address, name

    def __repr__(self) -> str:
        return f"ProgramInput({self.name or self.spec})"


class ProgramStep:
    """A call of a program: op(*args, **kwargs), where inputs and results of steps stand for tensors, also in lists.

        x = ProgramInput(spec)
        halves = ProgramStep(ttnn.split, x, 32, 3)
        total = ProgramStep(ttnn.add, halves[0], halves[1], frees=[x, halves])

    A step among the arguments is its first result. frees: what the program lets go of after it; a step there: all of its results.
    """

    def __init__(self, op: Callable[..., Any], *args: Any, frees: Sequence[Any] = (), name: str = "", **kwargs: Any) -> None:
        self.op, self.args, self.kwargs, self.frees = op, args, kwargs, list(frees)
        self.name = name or str(getattr(op, "python_fully_qualified_name", getattr(op, "__name__", type(op).__name__)))

    def __getitem__(self, index: int) -> ProgramResult:
        if index < 0:
            raise IndexError(f"{self!r}: results are counted from 0, found {index}")
        return ProgramResult(self, index)

    def __repr__(self) -> str:
        return f"ProgramStep({self.name})"


@dataclasses.dataclass(frozen=True)
class ProgramResult:
    """A result of a step."""

    step: ProgramStep
    index: int


def leaves_of(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from leaves_of(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from leaves_of(each)
    else:
        yield value
