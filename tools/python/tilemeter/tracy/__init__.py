# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's module for the Tracy profiler; nothing is profiled here. With `tilemeter.as_ttnn`, `import tracy` is this one."""

from __future__ import annotations


def signpost(header: str, message: str | None = None) -> None:
    """Marks a place in a profile."""


class Profiler:
    """A section to profile."""

    def enable(self) -> None:
        """Begins it."""

    def disable(self) -> None:
        """Ends it."""


def runctx(cmd: object, globals: dict[str, object], locals: dict[str, object], partialProfile: bool) -> None:  # noqa: N803
    """Runs a command."""
    exec(cmd, globals, locals)  # type: ignore[arg-type]
