# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The boards of the system: the one that is modelled."""

from __future__ import annotations

from tilemeter._src.device.cluster import (
    ClusterType as ClusterType, get_cluster_type as get_cluster_type,
    serialize_cluster_descriptor as serialize_cluster_descriptor,
)
from tilemeter._src.device.device import board_name as board_name
from tilemeter._src.types.enums import Named as Named
