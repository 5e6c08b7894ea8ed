# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors: made, converted, printed, indexed, spread over meshes."""
