# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The boards of the system: the one that is modelled."""

from __future__ import annotations

import pathlib

from tilemeter import _tilemeter
from tilemeter._src.device.device import _description, board_name
from tilemeter._src.types.enums import Named


class ClusterType(Named):
    """A kind of system."""

    INVALID = 0
    N150 = 1
    N300 = 2
    T3K = 3
    GALAXY = 4
    TG = 5
    P100 = 6
    P150 = 7
    P150_X2 = 8
    P150_X4 = 9
    P150_X8 = 13
    SIMULATOR_WORMHOLE_B0 = 10
    SIMULATOR_BLACKHOLE = 11
    N300_2x2 = 12
    P300 = 14
    SIMULATOR_QUASAR = 15
    BLACKHOLE_GALAXY = 16
    P300_X2 = 17
    CUSTOM = 18


def get_cluster_type() -> ClusterType:
    """The kind of the board that is modelled; CUSTOM for those that TT-NN 0.81.1 does not know."""
    name = {"T3000": "T3K"}.get(board_name().upper(), board_name().upper())
    return ClusterType.__members__.get(name, ClusterType.CUSTOM)


def serialize_cluster_descriptor() -> str:
    """Writes the descriptor of the chips that are modelled, as reports have it, into a new temporary folder; its path."""
    import tempfile

    file = pathlib.Path(tempfile.mkdtemp(prefix="cluster_")) / "cluster_descriptor.yaml"
    file.write_text(_tilemeter.cluster_descriptor(_description()))
    return str(file)
