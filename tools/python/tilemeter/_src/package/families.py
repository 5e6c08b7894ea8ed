# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's modules of operations by family: ttnn.operations.conv2d.Conv2dConfig is ttnn.Conv2dConfig, and so on."""

from __future__ import annotations

import sys
import types
from typing import Any

from tilemeter._src.golden import golden_functions
from tilemeter._src.tensors import group_norm
from tilemeter._src.tensors.tensor import getitem

_FAMILIES = {
    "binary": "BinaryOpType",
    "ccl": "Topology",
    "comparison": "",
    "conv2d": (
        "Conv2dConfig Conv2dDRAMSliceHeight Conv2dDRAMSliceWidth Conv2dL1Full Conv2dL1FullSliceConfig Conv2dSliceConfig"
        " Op2DDRAMSliceHeight Op2DDRAMSliceWidth Op2DL1Full Op2DL1FullSliceConfig Op2DSliceConfig PaddingMode"
        " get_conv_output_dim prepare_conv_bias prepare_conv_weights"
    ),
    "core": (
        "allocate_tensor_on_device allocate_tensor_on_host as_tensor copy_device_to_host_tensor copy_host_to_device_tensor"
        " deallocate dump_tensor from_device from_torch load_tensor reallocate reshape to_device to_dtype to_layout"
        " to_memory_config to_torch typecast unsqueeze_to_4D"
    ),
    "creation": "",
    "data_movement": "",
    "embedding": "EmbeddingsType",
    "losses": "LossReductionMode",
    "matmul": (
        "MatmulMultiCoreReuseMultiCast1DProgramConfig MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig"
        " MatmulMultiCoreReuseMultiCastProgramConfig MatmulMultiCoreReuseProgramConfig"
    ),
    "normalization": (
        "DistributedLayerNormStage LayerNormDefaultProgramConfig LayerNormShardedMultiCoreProgramConfig LayerNormType"
        " SoftmaxDefaultProgramConfig SoftmaxProgramConfig SoftmaxShardedMultiCoreProgramConfig"
        " create_group_norm_input_mask create_group_norm_input_negative_mask create_group_norm_weight_bias_rm create_layer_norm_reciprocals"
        " determine_expected_group_norm_dram_grid_size determine_expected_group_norm_sharded_config_and_grid_size"
        " dram_group_norm_params_from_torch get_group_norm_cores_across_channel"
    ),
    "pool": "",
    "reduction": "ReduceType",
    "ternary": "",
    "transformer": "SDPAProgramConfig",
    "unary": "GeluVariant SigmoidMode",
}
# Names that only the family has.
_OWN: dict[str, dict[str, Any]] = {
    "activations": {"get_golden_function_for_activation": golden_functions.get_golden_function_for_activation},
    "core": {"__getitem__": getitem},
    "pool": {
        name: getattr(golden_functions, name)
        for name in (
            "golden_maxpool2d", "golden_avg_pool2d", "golden_adaptive_avg_pool2d", "golden_adaptive_max_pool2d",
            "golden_global_avg_pool2d", "golden_grid_sample", "golden_rotate", "golden_upsample",
        )
    },
    "normalization": {
        "dram_group_norm_virtual_columns": group_norm.dram_group_norm_virtual_columns,
        "find_closest_largest_divisor": group_norm.find_closest_largest_divisor,
        "find_max_tile_span": group_norm.find_max_tile_span,
    },
}


def add_to(operations: types.ModuleType, package: types.ModuleType) -> None:
    """Gives the module its families, of what the complete package has."""
    moreh = {name.removeprefix("moreh_"): value for name, value in vars(package).items() if name.startswith("moreh_")}
    for family in (*_FAMILIES, "activations", "moreh"):
        module = types.ModuleType(f"{operations.__name__}.{family}", f"TT-NN's names around {family}.")
        named = {name: getattr(package, name) for name in _FAMILIES.get(family, "").split()}
        own = moreh if family == "moreh" else _OWN.get(family, {})
        vars(module).update(**named, **own, ttnn=package)
        sys.modules[module.__name__] = module
        setattr(operations, family, module)
