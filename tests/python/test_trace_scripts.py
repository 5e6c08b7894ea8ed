# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The captured part of each script, traced as a function. Tracing records what a NO_DISPATCH capture does. A replay
gives the same values to the bit and, captured, the same nodes but for addresses. The saved plan has the replay's
addresses. All calls but those named can be lowered to flat primitives; each call that can, evaluated on the host in
float32 with what the script gives it, is what it computes, within what its dtype rounds."""

from __future__ import annotations

import pathlib
import re

import pytest
import script_processes
from test_scripts import NEED_TORCH, SCRIPTS

# They read values (a convolution reads weights on the device, to prepare them on the host), or draw random numbers by a seed.
REFUSED = {
    "cached_weights": "needs_concrete_array", "files_of_tensors": "needs_concrete_array",
    "creation_on_device": "random_by_seed", "reduction_and_data_movement": "random_by_seed",
    "random_rows_and_empty_parts": "random_by_seed",
    "printed_tensors": "needs_concrete_array", "reduction_sampling_moe": "random_by_seed", "sliding_window_convolution_ranks": "host_values",
    "sliding_window_prepared_folding": "host_values", **dict.fromkeys(NEED_TORCH, "needs_concrete_array"),
}
# Calls that have no lowering, or none for what they are given: all others have.
NOT_LOWERED = {
    "conv1d_depthwise": "conv1d",
    "data_movement_fills": "experimental.nlp_create_qkv_heads_falcon7b experimental.nlp_create_qkv_heads_vit fill_ones_rm fill_rm "
                           "indexed_fill plus_one scatter",
    "data_movement_reshape_padding": "reshape",
    "data_movement_tilize": "slice",
    "data_movement_tosa": "tosa_gather tosa_scatter",
    "eltwise_limits": "bcast",
    "eltwise_quantization": "quantize",
    "generic_programs": "generic_op",
    "heads_of_padded_rows": "experimental.create_qkv_heads experimental.create_qkv_heads_from_separate_tensors "
                            "transformer.split_query_key_value_and_split_heads",
    "host_copies": "copy_host_to_device_tensor",
    "linear_bias_ranks": "linear",
    "moreh_groups": "moreh_group_norm moreh_group_norm_backward",
    "normalization_distributed": "layer_norm_pre_all_gather",
    "rows_outside_shards": "geglu",
    "scatter_long_rows": "scatter",
    "sliding_window_block_weights": "Tensor.to_device",
    "sliding_window_classifier_head": "upsample",
    "sliding_window_convolution": "conv2d",
    "sliding_window_prepared_transposed": "Tensor.to_device",
    "sliding_window_rows": "Tensor.to_device conv2d tt.tt_metal.create_device_tensor",
    "sliding_window_preparation_in_dram": "Tensor.to_device conv2d tt.tt_metal.create_device_tensor",
    "softmax_row_masks": "scale_mask_softmax_in_place",
    "sort_counts": "sort",
    "tensors_of_lists": "Tensor.to_device Tensor.to_layout",
    "tensors_without_elements": "linear max min",
    "topk_router": "composite_example composite_example_multiple_return experimental.topk_router_gpt",
    "unet_decoder": "Tensor.to_device conv_transpose2d",
    "video_transformer": "experimental.wan_fused_rmsnorm_post_allgather experimental.wan_fused_rmsnorm_pre_allgather "
                         "transformer.ring_distributed_scaled_dot_product_attention",
}
# Calls whose lowering gives something else, and why.
NEXT_TO_POLES = "of bfloat16, x - 0.5 and so on round, next to the poles of lgamma and digamma"
DIFFERENT: dict[str, dict[str, str]] = {
    "eltwise_quantization": {"multigammaln": NEXT_TO_POLES}, "gradients": {"multigammaln_bw": NEXT_TO_POLES},
    "linear_bias_ranks": {"linear": "an exponential behind the product shows how that was rounded"},
    # It has the first gradient written over what the second one reads; the graph has the call with what it is given.
    "training_loop": dict.fromkeys(("moreh_linear_backward", "moreh_matmul_backward"), "overwrites its own operands"),
}
# The capture of the first begins and ends within a function of its own. Tensors that the second gives for results become them,
# in other memory; in a function they stay where they are and take the values. Complex tensors are not traced. The masks are made on
# the host, and deallocated. Graphs do not say the tiles of the last.
NO_FUNCTION = (
    "in_a_thread", "accumulated_outputs", "complex_tensors", "group_norm_masks", "batches_from_dram_and_repeated_edges"
)


@pytest.mark.parametrize("script", [each for each in SCRIPTS if each.stem not in NO_FUNCTION], ids=lambda script: script.stem)
def test_the_captured_part_of_a_script_is_replayed_as_it_ran(script: pathlib.Path, tmp_path: pathlib.Path) -> None:
    if script.stem in NEED_TORCH:
        pytest.importorskip("torch")
    done = script_processes.run("traced_script", "main", str(script), str(tmp_path))
    assert done.returncode == 0, done.stderr
    printed = done.stdout.splitlines()  # by the script, too
    said = printed[next(i for i, line in enumerate(printed) if line.startswith(("lowered ", "refused "))):]
    at = next(i for i, line in enumerate(said) if line.startswith("calls "))
    said, calls = said[:at], said[at:]
    different = {line.partition(":")[0] for line in calls[1:]}
    assert different == set(DIFFERENT.get(script.stem, {})), calls
    if script.stem in REFUSED:
        assert said == [f"refused {REFUSED[script.stem]}"]
        return
    assert re.fullmatch(r"lowered \d+ of \d+: (.*)", said[0])[1] == NOT_LOWERED.get(script.stem, "all")  # type: ignore[index]
    assert said[1:] == ["equal"]
