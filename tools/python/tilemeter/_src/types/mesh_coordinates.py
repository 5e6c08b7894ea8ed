# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Places of chips in a mesh, and blocks of them."""

from __future__ import annotations

import itertools
from typing import Any, Iterator

from tilemeter._tilemeter import MeshShape


class MeshCoordinate:
    """The place of a chip in a mesh: MeshCoordinate(0, 1) or MeshCoordinate([0, 1])."""

    def __init__(self, *coords: Any) -> None:
        given = coords[0] if len(coords) == 1 and not isinstance(coords[0], int) else coords
        self._coords = tuple(int(each) for each in given)

    def dims(self) -> int:
        """Number of dimensions."""
        return len(self._coords)

    def __getitem__(self, index: int) -> int:
        return self._coords[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self._coords)

    def __len__(self) -> int:
        return len(self._coords)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MeshCoordinate) and self._coords == other._coords

    def __hash__(self) -> int:
        return hash(self._coords)

    def __repr__(self) -> str:
        return f"MeshCoordinate({list(self._coords)})"


class MeshCoordinateRange:
    """A block of chips: MeshCoordinateRange(start, end), both inclusive, or MeshCoordinateRange(mesh_shape)."""

    def __init__(self, start: MeshCoordinate | MeshShape, end: MeshCoordinate | None = None) -> None:
        if isinstance(start, MeshShape):
            sizes = tuple(start)
            self.start = MeshCoordinate(*(0 for _ in sizes))
            self.end = MeshCoordinate(*(size - 1 for size in sizes))
        else:
            self.start, self.end = start, start if end is None else end

    def __iter__(self) -> Iterator[MeshCoordinate]:
        ranges = (range(first, last + 1) for first, last in zip(self.start, self.end))
        return (MeshCoordinate(*each) for each in itertools.product(*ranges))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MeshCoordinateRange) and (self.start, self.end) == (other.start, other.end)

    def __hash__(self) -> int:
        return hash((self.start, self.end))

    def __repr__(self) -> str:
        return f"MeshCoordinateRange(start={self.start}, end={self.end})"


class MeshCoordinateRangeSet:
    """Blocks of chips."""

    def __init__(self, range: MeshCoordinateRange | None = None) -> None:
        self._ranges = [] if range is None else [range]

    def merge(self, range: MeshCoordinateRange) -> None:
        """Adds a block."""
        if range not in self._ranges:
            self._ranges.append(range)

    def __repr__(self) -> str:
        return f"MeshCoordinateRangeSet([{', '.join(map(str, self._ranges))}])"
