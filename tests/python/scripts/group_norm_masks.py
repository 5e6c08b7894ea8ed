# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Masks of group_norm for channels on several cores: as wide as all channels in a row would need."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for channels, groups in ((48, 8), (96, 8), (320, 32), (64, 8), (960, 16)):
    for cores in (1, 2, 4, 8):
        mask = ttnn.to_device(ttnn.create_group_norm_input_mask(channels, groups, cores, ttnn.bfloat8_b), device)
        negative = ttnn.to_device(ttnn.create_group_norm_input_negative_mask(channels, groups, cores, ttnn.bfloat16), device)
        del mask, negative
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
