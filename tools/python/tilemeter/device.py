# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Opening and closing devices.

TILEMETER_DEVICE chooses what is modelled: n150 (default), n300, p100, p150, e75, e150, t3000, galaxy, or the path of a description.
"""

from __future__ import annotations

from tilemeter._src.device.device import (
    CloseDevice as CloseDevice, CloseDevices as CloseDevices, CreateDevice as CreateDevice, CreateDevices as CreateDevices,
    DEFAULT_L1_SMALL_SIZE as DEFAULT_L1_SMALL_SIZE, DEFAULT_TRACE_REGION_SIZE as DEFAULT_TRACE_REGION_SIZE, Device as Device,
    DisableMemoryReports as DisableMemoryReports, DispatchCoreConfig as DispatchCoreConfig,
    EnableMemoryReports as EnableMemoryReports, GetDefaultDevice as GetDefaultDevice,
    GetNumAvailableDevices as GetNumAvailableDevices, GetNumPCIeDevices as GetNumPCIeDevices,
    GetPCIeDeviceID as GetPCIeDeviceID, MeshDeviceView as MeshDeviceView, MeshEvent as MeshEvent,
    SetDefaultDevice as SetDefaultDevice, SystemMeshDescriptor as SystemMeshDescriptor, board_name as board_name,
    close_device as close_device, close_mesh_device as close_mesh_device, command_queue as command_queue,
    create_mesh_device as create_mesh_device, dump_device_memory_state as dump_device_memory_state,
    event_synchronize as event_synchronize, get_arch_name as get_arch_name,
    get_current_command_queue_id_for_thread as get_current_command_queue_id_for_thread, get_device_ids as get_device_ids,
    get_dram_alignment as get_dram_alignment, get_fabric_config as get_fabric_config, get_l1_alignment as get_l1_alignment,
    get_max_worker_l1_unreserved_size as get_max_worker_l1_unreserved_size, get_num_devices as get_num_devices,
    get_num_pcie_devices as get_num_pcie_devices,
    get_optimal_dram_bank_to_logical_worker_assignment as get_optimal_dram_bank_to_logical_worker_assignment,
    get_pcie_device_ids as get_pcie_device_ids, init_device_compute_kernel_config as init_device_compute_kernel_config,
    is_blackhole as is_blackhole, is_grayskull as is_grayskull, is_wormhole_b0 as is_wormhole_b0,
    layernorm_default_compute_config as layernorm_default_compute_config, manage_device as manage_device,
    memory_facts as memory_facts, open_device as open_device, open_mesh_device as open_mesh_device,
    record_event as record_event, rmsnorm_default_compute_config as rmsnorm_default_compute_config,
    set_fabric_config as set_fabric_config, synchronize_device as synchronize_device, wait_for_event as wait_for_event,
)
from tilemeter._src.types.enums import (
    Arch as Arch, DispatchCoreAxis as DispatchCoreAxis, DispatchCoreType as DispatchCoreType, FabricConfig as FabricConfig,
    Topology as Topology,
)
from tilemeter._src.types.types import QueueId as QueueId
from tilemeter._tilemeter import (
    MeshDevice as MeshDevice, MeshShape as MeshShape, get_allocator_base_address as get_allocator_base_address,
    get_memory_view as get_memory_view,
)
