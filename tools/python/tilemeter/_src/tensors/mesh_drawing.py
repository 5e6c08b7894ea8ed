# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Drawings of meshes in text: which chip is where, and which part of a tensor it has. TT-NN's forms, without its colours."""

from __future__ import annotations

import textwrap
from typing import Callable, Sequence

from tilemeter._src.device import device as _device
from tilemeter._src.tensors.mesh_mappers import PlacementShard
from tilemeter._src.tensors.mesh_tensors import get_device_tensors, mesh_shape_of, tensor_topology
from tilemeter._src.types.mesh_coordinates import MeshCoordinate, MeshCoordinateRange
from tilemeter._tilemeter import MeshDevice, MeshShape, StorageType, Tensor

_WIDTH = 30  # of a cell


def _centred(text: str, width: int) -> str:
    before = (width - len(text)) // 2
    return " " * before + text + " " * (width - before - len(text))


def _cell(lines: Sequence[str], height: int) -> list[str]:
    """A block of lines in the middle of a cell, each in the middle of the block."""
    block = max(map(len, lines))
    drawn = [_centred(_centred(line, block), _WIDTH) for line in lines]
    above = (height - len(drawn)) // 2
    return [" " * _WIDTH] * above + drawn + [" " * _WIDTH] * (height - above - len(drawn))


def _table(title: str, rows: Sequence[Sequence[Sequence[str]]]) -> str:
    """Rows of cells, each of lines, in a frame under a title."""
    columns = len(rows[0])
    line = "─" * _WIDTH
    drawn = [_centred(each, columns * (_WIDTH + 1) + 1) for each in textwrap.wrap(title, columns * (_WIDTH + 1) + 1)]
    for number, row in enumerate(rows):
        left, middle, right = "┌┬┐" if number == 0 else "├┼┤"
        drawn.append(left + middle.join([line] * columns) + right)
        cells = [_cell(lines, max(map(len, row))) for lines in row]
        drawn += ["│" + "│".join(parts) + "│" for parts in zip(*cells)]
    drawn.append("└" + "┴".join([line] * columns) + "┘")
    return "\n".join(drawn)


def _panel(title: str, text: str) -> str:
    import shutil

    width = shutil.get_terminal_size().columns
    inner = width - 4
    rest = width - 4 - len(title)
    lines = [f"│ {line.ljust(inner)} │" for line in textwrap.wrap(text, inner)]
    return "\n".join([
        f"╭{'─' * (rest // 2)} {title} {'─' * (rest - rest // 2)}╮", *lines, f"╰{'─' * (width - 2)}╯"
    ])


def _grid(shape: MeshShape, lines: Callable[[MeshCoordinate], list[str]]) -> list[list[list[str]]]:
    rows, columns = shape
    return [[lines(MeshCoordinate(row, column)) for column in range(columns)] for row in range(rows)]


def _place(coord: MeshCoordinate) -> str:
    return f"({coord[0]}, {coord[1]})"


def visualize_mesh_device(mesh_device: MeshDevice) -> None:
    """Prints a mesh: number and place of each chip."""
    rows, columns = mesh_device.shape
    ids = mesh_device.get_device_ids()

    def lines(coord: MeshCoordinate) -> list[str]:
        return [f"Dev. ID: {ids[coord[0] * columns + coord[1]]}", _place(coord), ""]

    print(_table(f"MeshDevice(rows={rows}, cols={columns})", _grid(mesh_device.shape, lines)))


def _slices(tensor: Tensor, chip: int) -> str:
    """The part of the whole that a chip has, in Python's words."""
    topology = tensor_topology(tensor)
    places = list(MeshCoordinateRange(mesh_shape_of(tensor)))
    parts = topology.distribution_shape()
    indices = [chip] if len(parts) == 1 else [chip // parts[1], chip % parts[1]] if len(places) > 1 else [0] * len(parts)
    said = [":"] * len(tensor.shape)
    for count, index, placement in zip(parts, indices, topology.placements()):
        if isinstance(placement, PlacementShard) and count > 1:
            dim = placement.dim % len(said)
            size = list(tensor.shape)[dim]
            said[dim] = f"{index * size}:{(index + 1) * size}"
    return f"[{', '.join(said)}]"


def visualize_tensor(tensor: Tensor) -> None:
    """Prints how a tensor is spread over the chips of its mesh: the part of each, its shape, type and layout."""
    shape = mesh_shape_of(tensor)
    columns = shape[1]
    device = tensor.device()
    ids = [] if device is None else device.get_device_ids()
    parts = get_device_tensors(tensor)

    def lines(coord: MeshCoordinate) -> list[str]:
        chip = coord[0] * columns + coord[1]
        said = [_place(coord)] if device is None else [f"Dev. ID: {ids[chip]}", _place(coord)]
        if tensor._chip is not None and tensor._chip != chip:
            return [*said, ""]
        part = parts[0] if len(parts) == 1 else parts[chip]
        return [
            *said, _slices(tensor, chip), f"Shape: {list(part.shape)}", f"Dtype: {part.dtype.name}",
            f"Layout: {part.layout.name}",
        ]

    kind = StorageType.HOST if device is None else StorageType.DEVICE
    print(_panel("Placement Configuration", str(tensor_topology(tensor).placements())))
    print(_table(f"Tensor(storage: {kind})", _grid(shape, lines)))


def visualize_system_mesh() -> None:
    """Prints the chips of the board that is modelled."""
    count = _device.GetNumAvailableDevices()
    shape = MeshShape(count, 1)
    text = f"{shape}"
    print(f"\nSystemMesh Global Shape: {text}\n\nSystemMesh Local Shape: {text}\n")
    said = f"({shape[0]}, {shape[1]})"
    table = _grid(shape, lambda coord: [f"Dev. ID: {coord[0]}", _place(coord)])
    print(_table(f"SystemMesh Global Shape: {said} | Local Shape: {said}", table))
