# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""tilemeter: what a tensor program does to a device's memory, with TT-NN's API.

`import tilemeter as ttnn` runs code that was written for TT-NN's operations and graph capture, without a device:
tile devices are modelled as the real ones allocate, values are computed on the host.
"""

from __future__ import annotations

import sys as _sys
from typing import TYPE_CHECKING

from tilemeter._src.fleet.sweep import sweep as sweep
from tilemeter._src.base.config import (
    CONFIG as CONFIG, CONFIG_OVERRIDES as CONFIG_OVERRIDES, CONFIG_PATH as CONFIG_PATH, Config as Config,
    load_config_from_dictionary as load_config_from_dictionary, load_config_from_json_file as load_config_from_json_file,
    manage_config as manage_config, save_config_to_json_file as save_config_to_json_file,
)
from tilemeter._src.device.device import (
    CloseDevice as CloseDevice, CloseDevices as CloseDevices, CreateDevice as CreateDevice, CreateDevices as CreateDevices,
    Device as Device, DispatchCoreConfig as DispatchCoreConfig, GetDefaultDevice as GetDefaultDevice,
    GetNumAvailableDevices as GetNumAvailableDevices, GetNumPCIeDevices as GetNumPCIeDevices,
    GetPCIeDeviceID as GetPCIeDeviceID, MeshEvent as MeshEvent, SetDefaultDevice as SetDefaultDevice,
    close_device as close_device, close_mesh_device as close_mesh_device, command_queue as command_queue,
    create_mesh_device as create_mesh_device, dump_device_memory_state as dump_device_memory_state,
    event_synchronize as event_synchronize, get_arch_name as get_arch_name,
    get_current_command_queue_id_for_thread as get_current_command_queue_id_for_thread, get_device_ids as get_device_ids,
    get_dram_alignment as get_dram_alignment, get_fabric_config as get_fabric_config, get_l1_alignment as get_l1_alignment,
    get_max_worker_l1_unreserved_size as get_max_worker_l1_unreserved_size, get_num_devices as get_num_devices,
    get_num_pcie_devices as get_num_pcie_devices,
    get_optimal_dram_bank_to_logical_worker_assignment as get_optimal_dram_bank_to_logical_worker_assignment,
    get_pcie_device_ids as get_pcie_device_ids, init_device_compute_kernel_config as init_device_compute_kernel_config,
    layernorm_default_compute_config as layernorm_default_compute_config, manage_device as manage_device,
    open_device as open_device, open_mesh_device as open_mesh_device, record_event as record_event,
    rmsnorm_default_compute_config as rmsnorm_default_compute_config, set_fabric_config as set_fabric_config,
    synchronize_device as synchronize_device, wait_for_event as wait_for_event,
)
from tilemeter._src.device.distributed_context import (
    Rank as Rank, Size as Size, distributed_context_allgather_int as distributed_context_allgather_int,
    distributed_context_barrier as distributed_context_barrier, distributed_context_get_rank as distributed_context_get_rank,
    distributed_context_get_size as distributed_context_get_size,
    distributed_context_is_initialized as distributed_context_is_initialized,
    distributed_context_local_to_world_rank as distributed_context_local_to_world_rank,
    distributed_context_recv_bytes as distributed_context_recv_bytes,
    distributed_context_send_bytes as distributed_context_send_bytes,
    distributed_context_subcontext_count as distributed_context_subcontext_count,
    distributed_context_subcontext_id as distributed_context_subcontext_id,
    distributed_context_subcontext_size as distributed_context_subcontext_size,
    distributed_context_subcontext_sizes as distributed_context_subcontext_sizes,
    distributed_context_world_rank as distributed_context_world_rank,
    distributed_context_world_size as distributed_context_world_size, get_num_links as get_num_links,
    get_usable_topology as get_usable_topology, init_distributed_context as init_distributed_context,
    using_distributed_env as using_distributed_env,
)
from tilemeter._src.device.profiler import (
    ReadDeviceProfiler as ReadDeviceProfiler, get_all_programs_perf_data as get_all_programs_perf_data,
    get_latest_programs_perf_data as get_latest_programs_perf_data, start_tracy_zone as start_tracy_zone,
    stop_tracy_zone as stop_tracy_zone, tracy_frame as tracy_frame, tracy_message as tracy_message,
)
from tilemeter._src.device.sub_device import (
    SubDevice as SubDevice, SubDeviceId as SubDeviceId, SubDeviceManagerId as SubDeviceManagerId,
)
from tilemeter._src.golden.comparison import pearson_correlation_coefficient as pearson_correlation_coefficient
from tilemeter._src.golden.registration import (
    attach_golden_function as attach_golden_function, create_module_if_not_exists as create_module_if_not_exists,
    dump_operations as dump_operations, get_fallback_function as get_fallback_function,
    get_golden_function as get_golden_function, query_registered_operations as query_registered_operations,
    register_python_operation as register_python_operation,
)
from tilemeter._src.operations.operation import (
    register_post_operation_hook as register_post_operation_hook, register_pre_operation_hook as register_pre_operation_hook,
)
from tilemeter._src.package.compiled import load_compiled as load_compiled
from tilemeter._src.package.complete import complete as _complete
from tilemeter._src.tensors.conversion import (
    allocate_tensor_on_device as allocate_tensor_on_device, allocate_tensor_on_host as allocate_tensor_on_host,
    as_tensor as as_tensor, copy_device_to_host_tensor as copy_device_to_host_tensor,
    copy_host_to_device_tensor as copy_host_to_device_tensor,
    copy_host_to_device_tensor_partial as copy_host_to_device_tensor_partial, dump_tensor as dump_tensor,
    from_buffer as from_buffer, from_numpy as from_numpy, from_torch as from_torch, load_tensor as load_tensor,
    to_dtype as to_dtype, to_numpy as to_numpy, to_torch as to_torch,
)
from tilemeter._src.tensors.group_norm import (
    create_group_norm_input_mask as create_group_norm_input_mask,
    create_group_norm_input_negative_mask as create_group_norm_input_negative_mask,
    create_group_norm_weight_bias_rm as create_group_norm_weight_bias_rm,
    create_layer_norm_reciprocals as create_layer_norm_reciprocals,
    determine_expected_group_norm_dram_grid_size as determine_expected_group_norm_dram_grid_size,
    determine_expected_group_norm_sharded_config_and_grid_size as determine_expected_group_norm_sharded_config_and_grid_size,
    dram_group_norm_params_from_torch as dram_group_norm_params_from_torch, find_max_tile_span as find_max_tile_span,
    get_group_norm_cores_across_channel as get_group_norm_cores_across_channel,
)
from tilemeter._src.tensors.mesh_drawing import (
    visualize_mesh_device as visualize_mesh_device, visualize_system_mesh as visualize_system_mesh,
    visualize_tensor as visualize_tensor,
)
from tilemeter._src.tensors.mesh_mappers import (
    ConcatMesh2dToTensor as ConcatMesh2dToTensor, ConcatMeshToTensor as ConcatMeshToTensor, CppMeshToTensor as CppMeshToTensor,
    CppTensorToMesh as CppTensorToMesh, MeshComposerConfig as MeshComposerConfig, MeshMapperConfig as MeshMapperConfig,
    MeshToTensor as MeshToTensor, PlacementReplicate as PlacementReplicate, PlacementShard as PlacementShard,
    ReplicateTensorToMesh as ReplicateTensorToMesh, ReplicateTensorToMeshWrapper as ReplicateTensorToMeshWrapper,
    ShardTensor2dMesh as ShardTensor2dMesh, ShardTensorToMesh as ShardTensorToMesh, TensorToMesh as TensorToMesh,
    concat_mesh_to_tensor_composer as concat_mesh_to_tensor_composer, create_mesh_composer as create_mesh_composer,
    create_mesh_mapper as create_mesh_mapper, distribute as distribute,
    replicate_tensor_to_mesh_mapper as replicate_tensor_to_mesh_mapper,
    shard_tensor_to_mesh_mapper as shard_tensor_to_mesh_mapper,
)
from tilemeter._src.tensors.mesh_tensors import (
    TensorTopology as TensorTopology, aggregate_tensor as aggregate_tensor, combine_device_tensors as combine_device_tensors,
    compute_distribution_to_mesh_mapping as compute_distribution_to_mesh_mapping, distribute_tensor as distribute_tensor,
    from_host_shards as from_host_shards, get_device_tensors as get_device_tensors,
)
from tilemeter._src.tensors.overlapped import OverlappedTensor as OverlappedTensor
from tilemeter._src.tensors.printing import set_printoptions as set_printoptions
from tilemeter._src.tensors.windows import (
    Conv1dConfig as Conv1dConfig, Conv2dDRAMSliceHeight as Conv2dDRAMSliceHeight, Conv2dDRAMSliceWidth as Conv2dDRAMSliceWidth,
    Conv2dL1Full as Conv2dL1Full, Conv2dL1FullSliceConfig as Conv2dL1FullSliceConfig,
    Op2DDRAMSliceHeight as Op2DDRAMSliceHeight, Op2DDRAMSliceWidth as Op2DDRAMSliceWidth, Op2DL1Full as Op2DL1Full,
    Op2DL1FullSliceConfig as Op2DL1FullSliceConfig, Op2DSliceConfig as Op2DSliceConfig,
    SlidingWindowParallelConfig as SlidingWindowParallelConfig, get_conv_output_dim as get_conv_output_dim,
    global_avg_pool2d as global_avg_pool2d,
)
from tilemeter._src.types.core import (
    corerange_to_cores as corerange_to_cores, create_sharded_memory_config as create_sharded_memory_config,
    create_sharded_memory_config_ as create_sharded_memory_config_, divup as divup, get_memory_config as get_memory_config,
    get_optimal_worker_cores_for_sharded_tensor as get_optimal_worker_cores_for_sharded_tensor, grid_to_cores as grid_to_cores,
    has_storage_type_of as has_storage_type_of, has_tile_padding as has_tile_padding, is_sharded as is_sharded,
    is_tensor_storage_on_device as is_tensor_storage_on_device, num_cores_to_corerangeset as num_cores_to_corerangeset,
    num_cores_to_corerangeset_in_subcoregrids as num_cores_to_corerangeset_in_subcoregrids, roundup as roundup,
    split_work_to_cores as split_work_to_cores, ttnn_dtype_to_torch_dtype as ttnn_dtype_to_torch_dtype,
)
from tilemeter._src.types.enums import (
    Arch as Arch, DispatchCoreAxis as DispatchCoreAxis, DispatchCoreType as DispatchCoreType,
    DistributedLayerNormStage as DistributedLayerNormStage, EmbeddingsType as EmbeddingsType, FabricConfig as FabricConfig,
    FabricManagerMode as FabricManagerMode, FabricReliabilityMode as FabricReliabilityMode,
    FabricTensixConfig as FabricTensixConfig, FabricType as FabricType, FabricUDMMode as FabricUDMMode,
    LayerNormType as LayerNormType, PaddingMode as PaddingMode, ReduceType as ReduceType, SigmoidMode as SigmoidMode,
    TileReshapeMapMode as TileReshapeMapMode, Topology as Topology,
)
from tilemeter._src.types.generic_values import register_generic_op_values as register_generic_op_values
from tilemeter._src.types.program_configs import (
    LayerNormDefaultProgramConfig as LayerNormDefaultProgramConfig,
    LayerNormShardedMultiCoreProgramConfig as LayerNormShardedMultiCoreProgramConfig,
    SoftmaxDefaultProgramConfig as SoftmaxDefaultProgramConfig, SoftmaxProgramConfig as SoftmaxProgramConfig,
    SoftmaxShardedMultiCoreProgramConfig as SoftmaxShardedMultiCoreProgramConfig,
)
from tilemeter._src.types.program_descriptor import (
    CBDescriptor as CBDescriptor, CBFormatDescriptor as CBFormatDescriptor, ComputeConfigDescriptor as ComputeConfigDescriptor,
    DataMovementConfigDescriptor as DataMovementConfigDescriptor, FaceGeometry as FaceGeometry,
    KernelDescriptor as KernelDescriptor, MeshProgramDescriptor as MeshProgramDescriptor,
    ProgramDescriptor as ProgramDescriptor, ReaderConfigDescriptor as ReaderConfigDescriptor, RuntimeArgs as RuntimeArgs,
    RuntimeArgsColProxy as RuntimeArgsColProxy, SemaphoreDescriptor as SemaphoreDescriptor,
    TensorAccessorArgs as TensorAccessorArgs, TileDescriptor as TileDescriptor, UnpackToDestMode as UnpackToDestMode,
    WriterConfigDescriptor as WriterConfigDescriptor, cb_descriptor_from_sharded_tensor as cb_descriptor_from_sharded_tensor,
    compute_program_descriptor_hash as compute_program_descriptor_hash, get_cb_address as get_cb_address,
    merge_program_descriptors as merge_program_descriptors,
)
from tilemeter._tilemeter import (
    CaptureError as CaptureError, Conv2dConfig as Conv2dConfig, Conv2dSliceConfig as Conv2dSliceConfig,
    Conv3dConfig as Conv3dConfig, GeluVariant as GeluVariant, LossReductionMode as LossReductionMode,
    IndexerScoreProgramConfig as IndexerScoreProgramConfig, MatmulMultiCoreProgramConfig as MatmulMultiCoreProgramConfig,
    MatmulMultiCoreReuseMultiCast1DProgramConfig as MatmulMultiCoreReuseMultiCast1DProgramConfig,
    MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig as MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig,
    MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig as MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig,
    MatmulMultiCoreReuseMultiCastProgramConfig as MatmulMultiCoreReuseMultiCastProgramConfig,
    MatmulMultiCoreReuseProgramConfig as MatmulMultiCoreReuseProgramConfig, MeshDevice as MeshDevice,
    MeshTraceId as MeshTraceId, MinimalMatmulConfig as MinimalMatmulConfig, OperationTimeoutError as OperationTimeoutError,
    OutOfMemoryError as OutOfMemoryError, ProgramMemoryClashError as ProgramMemoryClashError,
    ProgramMemoryExhaustedError as ProgramMemoryExhaustedError, ProgramMemoryTooLargeError as ProgramMemoryTooLargeError,
    SDPAProgramConfig as SDPAProgramConfig, begin_trace_capture as begin_trace_capture,
    create_global_circular_buffer as create_global_circular_buffer, create_global_semaphore as create_global_semaphore,
    end_trace_capture as end_trace_capture, execute_trace as execute_trace,
    get_allocator_base_address as get_allocator_base_address, get_global_semaphore_address as get_global_semaphore_address,
    get_memory_view as get_memory_view, is_trace_capture_active as is_trace_capture_active, release_trace as release_trace,
    reset_global_semaphore_value as reset_global_semaphore_value,
)
from tilemeter.types import *  # noqa: F403

from tilemeter import (
    _tilemeter, cluster, comparison, config_serialization, core, decorators, device, distributed, dot_access, experimental, graph,
    graph_report, kv_cache, operations, profiler, program_descriptor, reflection, transformer, types,
)

__version__ = _tilemeter.__version__
_ttnn = _tilemeter  # as TT-NN calls its own

# No __getattr__ here: with one Python looks each `ttnn.add` up anew, which costs more than the record of the call. Modules that
# are run at their first use are there as objects; _src/package/complete.py has the list, of which type checkers read here those
# that do not use the package themselves (conformance and demo do).
if TYPE_CHECKING:
    from tilemeter import (
        as_ttnn as as_ttnn, attach as attach, commands as commands, compiled as compiled, fleet as fleet,
        graph_tracer_utils as graph_tracer_utils, jax_tt as jax_tt, model_preprocessing as model_preprocessing,
        pytest_plugin as pytest_plugin, torch as torch, torch_tracer as torch_tracer, trace as trace, tracer as tracer,
        tracy as tracy, tt_lib as tt_lib,
    )
    from tilemeter._tilemeter.operations import *  # noqa: F403
else:
    _complete(_sys.modules[__name__])
