# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Devices, meshes of them, sub-devices, clusters and processes."""
