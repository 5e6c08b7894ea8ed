PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE devices (
            device_id int,
            num_y_cores int,
            num_x_cores int,
            num_y_compute_cores int,
            num_x_compute_cores int,
            worker_l1_size int,
            l1_num_banks int,
            l1_bank_size int,
            address_at_first_l1_bank int,
            address_at_first_l1_cb_buffer int,
            num_banks_per_storage_core int,
            num_compute_cores int,
            num_storage_cores int,
            total_l1_memory int,
            total_l1_for_tensors int,
            total_l1_for_interleaved_buffers int,
            total_l1_for_sharded_buffers int,
            cb_limit int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO devices VALUES(0,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
CREATE TABLE operations (
            operation_id int,
            name text,
            duration float,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(operation_id, rank)
        );
INSERT INTO operations VALUES(1,'ttnn.relu',0.0053942479999999999248,0);
INSERT INTO operations VALUES(2,'ttnn.matmul',0.00048085599999999999176,0);
INSERT INTO operations VALUES(3,'ttnn.matmul',0.036845597000000000764,0);
INSERT INTO operations VALUES(4,'ttnn.matmul',0.00045698499999999997586,0);
INSERT INTO operations VALUES(5,'ttnn.relu',0.00028957400000000001628,0);
CREATE TABLE operation_arguments (
            operation_id int,
            name text,
            value text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO operation_arguments VALUES(1,'0','ttnn.Tensor(shape=Shape([1, 1, 64, 96]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=5, is_allocated=True, device_id=1, mesh_shape=MeshShape([1, 1]), mesh_coords=[''MeshCoordinate([0, 0])''], distribution_shape=MeshShape([1]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(2,'0','ttnn.Tensor(shape=Shape([1, 1, 64, 96]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=8, is_allocated=True, device_id=1, mesh_shape=MeshShape([1, 1]), mesh_coords=[''MeshCoordinate([0, 0])''], distribution_shape=MeshShape([1]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(2,'1','ttnn.Tensor(shape=Shape([1, 1, 4096, 2048]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=3, is_allocated=True, device_id=1, mesh_shape=MeshShape([1, 1]), mesh_coords=[''MeshCoordinate([0, 0])''], distribution_shape=MeshShape([1]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(3,'transpose_b','True',0);
INSERT INTO operation_arguments VALUES(3,'0','ttnn.Tensor(shape=Shape([1, 1, 64, 96]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=8, is_allocated=True, device_id=1, mesh_shape=MeshShape([1, 1]), mesh_coords=[''MeshCoordinate([0, 0])''], distribution_shape=MeshShape([1]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(3,'1','ttnn.Tensor(shape=Shape([1, 1, 64, 96]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=8, is_allocated=True, device_id=1, mesh_shape=MeshShape([1, 1]), mesh_coords=[''MeshCoordinate([0, 0])''], distribution_shape=MeshShape([1]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(4,'0','ttnn.Tensor(shape=Shape([1, 1, 64, 96]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=8, is_allocated=True, device_id=1, mesh_shape=MeshShape([1, 1]), mesh_coords=[''MeshCoordinate([0, 0])''], distribution_shape=MeshShape([1]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(4,'1','ttnn.Tensor(shape=Shape([1, 1, 4096, 2048]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=3, is_allocated=True, device_id=1, mesh_shape=MeshShape([1, 1]), mesh_coords=[''MeshCoordinate([0, 0])''], distribution_shape=MeshShape([1]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(5,'0','ttnn.Tensor(shape=Shape([1, 1, 64, 64]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=13, is_allocated=True, device_id=1, mesh_shape=MeshShape([1, 1]), mesh_coords=[''MeshCoordinate([0, 0])''], distribution_shape=MeshShape([1]), placements=[''PlacementReplicate()''])',0);
CREATE TABLE sub_device_managers (
            device_id int,
            sub_device_manager_id int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(device_id, sub_device_manager_id, rank)
        );
INSERT INTO sub_device_managers VALUES(0,0,0);
CREATE TABLE sub_devices (
            device_id int,
            sub_device_manager_id int,
            sub_device_id int,
            worker_core_ranges text,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(device_id, sub_device_manager_id, sub_device_id, rank)
        );
INSERT INTO sub_devices VALUES(0,0,0,'[{"end": {"x": 7, "y": 7}, "start": {"x": 0, "y": 0}}]',0);
CREATE TABLE operation_executions (
            execution_id int,
            operation_id int,
            device_id int,
            physical_device_id int,
            runtime_id int,
            global_call_count int,
            command_queue_id int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(execution_id, rank)
        );
INSERT INTO operation_executions VALUES(1024,1,0,0,1,1024,0,0);
INSERT INTO operation_executions VALUES(3072,3,0,0,2,2048,0,0);
INSERT INTO operation_executions VALUES(5120,5,0,0,3,3072,0,0);
CREATE TABLE execution_sub_devices (
            execution_id int,
            device_id int,
            sub_device_manager_id int,
            sub_device_id int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(execution_id, device_id, sub_device_manager_id, sub_device_id, rank)
        );
INSERT INTO execution_sub_devices VALUES(1024,0,0,0,0);
INSERT INTO execution_sub_devices VALUES(3072,0,0,0,0);
INSERT INTO execution_sub_devices VALUES(5120,0,0,0,0);
CREATE TABLE tensors (
            tensor_id int,
            shape text,
            dtype text,
            layout text,
            memory_config text,
            device_id int,
            address int,
            buffer_type int,
            rank int NOT NULL DEFAULT 0,
            storage_type text,
            UNIQUE(tensor_id, rank)
        );
INSERT INTO tensors VALUES(5,'Shape([1, 1, 64, 96])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,3846208,0,0,'DEVICE');
INSERT INTO tensors VALUES(7,'Shape([1, 1, 64, 96])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,3848256,0,0,'DEVICE');
INSERT INTO tensors VALUES(8,'Shape([1, 1, 64, 96])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,3848256,0,0,'DEVICE');
INSERT INTO tensors VALUES(3,'Shape([1, 1, 4096, 2048])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,2447424,0,0,'DEVICE');
INSERT INTO tensors VALUES(10,'Shape([1, 1, 64, 2048])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,3850304,0,0,'DEVICE');
INSERT INTO tensors VALUES(12,'Shape([1, 1, 64, 64])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,3850304,0,0,'DEVICE');
INSERT INTO tensors VALUES(15,'Shape([1, 1, 64, 2048])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,3852352,0,0,'DEVICE');
INSERT INTO tensors VALUES(13,'Shape([1, 1, 64, 64])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,3850304,0,0,'DEVICE');
INSERT INTO tensors VALUES(17,'Shape([1, 1, 64, 64])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,3852352,0,0,'DEVICE');
INSERT INTO tensors VALUES(18,'Shape([1, 1, 64, 64])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,3852352,0,0,'DEVICE');
CREATE TABLE device_tensors (
            tensor_id int,
            device_id int,
            address int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO device_tensors VALUES(5,0,3846208,0);
INSERT INTO device_tensors VALUES(7,0,3848256,0);
INSERT INTO device_tensors VALUES(8,0,3848256,0);
INSERT INTO device_tensors VALUES(3,0,2447424,0);
INSERT INTO device_tensors VALUES(10,0,3850304,0);
INSERT INTO device_tensors VALUES(12,0,3850304,0);
INSERT INTO device_tensors VALUES(15,0,3852352,0);
INSERT INTO device_tensors VALUES(13,0,3850304,0);
INSERT INTO device_tensors VALUES(17,0,3852352,0);
CREATE TABLE buffers (
            operation_id int,
            device_id int,
            address int,
            max_size_per_bank int,
            buffer_type int,
            buffer_layout int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO buffers VALUES(1,0,3848256,2048,0,0,0);
INSERT INTO buffers VALUES(2,0,3848256,2048,0,0,0);
INSERT INTO buffers VALUES(3,0,3848256,2048,0,0,0);
INSERT INTO buffers VALUES(3,0,3850304,2048,0,0,0);
INSERT INTO buffers VALUES(4,0,3848256,2048,0,0,0);
INSERT INTO buffers VALUES(4,0,3850304,2048,0,0,0);
INSERT INTO buffers VALUES(5,0,3848256,2048,0,0,0);
INSERT INTO buffers VALUES(5,0,3850304,2048,0,0,0);
INSERT INTO buffers VALUES(5,0,3852352,2048,0,0,0);
CREATE TABLE captured_graph (
            operation_id int,
            captured_graph text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO captured_graph VALUES(1,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 15], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.relu"}, "stacking_level": 1, "id": 1}, {"arguments": ["operation_attributes_t({<BasicUnaryWithParam>}, DataType::BFLOAT16, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), 0, 0, 0, <CoreRangeSet>, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 64, 96]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [4, 5, 10, 11, 12, 13], "counter": 2, "input_tensors": [3], "node_type": "function_start", "params": {"inputs": "2", "name": "UnaryDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 3846208, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3846208, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 96])", "size": 12288, "storage_type": "DEVICE", "tensor_id": 5}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [3], "counter": 4, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "size": 12288, "type": "DRAM"}, "stacking_level": 2, "id": 4}, {"arguments": ["Shape([1, 1, 64, 96])", "DataType::BFLOAT16", "Layout::TILE", "0x55a0297ac780", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [6, 7, 8], "counter": 5, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 5}, {"arguments": [], "connections": [9, 14, 18, 33, 34, 47], "counter": 6, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "size": 12288, "type": "DRAM"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [6], "counter": 7, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 3848256, "buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 12288, "type": "DRAM"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [9], "counter": 8, "duration_ns": 46822, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 8}, {"arguments": [], "connections": [], "counter": 9, "input_tensors": [], "node_type": "tensor", "params": {"address": 3848256, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3848256, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 96])", "size": 12288, "storage_type": "DEVICE", "tensor_id": 7}, "stacking_level": 3, "id": 9}, {"arguments": [], "connections": [2], "counter": 10, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 2, "id": 10}, {"arguments": [], "connections": [], "counter": 11, "input_tensors": [], "node_type": "sub_device_manager", "params": {"device_id": 0, "sub_device_manager_id": 0, "sub_devices": "[{\"sub_device_id\":0,\"worker_core_ranges\":[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]}]"}, "stacking_level": 2, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "program_execution", "params": {"command_queue_id": 0, "device_id": 0, "global_call_count": 1024, "physical_device_id": 0, "runtime_id": 1, "sub_device_id": 0, "sub_device_manager_id": 0, "worker_core_ranges": "[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]"}, "stacking_level": 2, "id": 12}, {"arguments": [], "connections": [14], "counter": 13, "duration_ns": 5178975, "input_tensors": [], "node_type": "function_end", "params": {"name": "UnaryDeviceOperation"}, "stacking_level": 2, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "input_tensors": [], "node_type": "tensor", "params": {"address": 3848256, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3848256, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 96])", "size": 12288, "storage_type": "DEVICE", "tensor_id": 7}, "stacking_level": 2, "id": 14}, {"arguments": [], "connections": [16], "counter": 15, "duration_ns": 5394248, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.relu"}, "stacking_level": 1, "id": 15}, {"arguments": [], "connections": [], "counter": 16, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 16}]',0);
INSERT INTO captured_graph VALUES(2,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 15], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.matmul"}, "stacking_level": 1, "id": 1}, {"arguments": ["MatmulParams(<variant>, 1, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), DataType::BFLOAT16, ComputeKernelConfig(math_fidelity=HiFi2,math_approx_mode=0,fp32_dest_acc_en=0,packer_l1_acc=1,dst_full_sync_en=0,throttle_level=ThrottleLevel::NO_THROTTLE), 0, std::nullopt, std::nullopt, 0, 0, 0, Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4), std::nullopt, std::nullopt, {}, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 64, 96]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32])))), Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 4096, 2048]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [5, 6, 11, 14], "counter": 2, "input_tensors": [3, 4], "node_type": "function_start", "params": {"inputs": "2", "name": "MatmulDeviceOperation"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 3848256, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3848256, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 96])", "size": 12288, "storage_type": "DEVICE", "tensor_id": 8}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [2], "counter": 4, "input_tensors": [], "node_type": "tensor", "params": {"address": 2447424, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 2447424, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 4096, 2048])", "size": 16777216, "storage_type": "DEVICE", "tensor_id": 3}, "stacking_level": 2, "id": 4}, {"arguments": [], "connections": [4, 48], "counter": 5, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "size": 16777216, "type": "DRAM"}, "stacking_level": 2, "id": 5}, {"arguments": ["Shape([1, 1, 64, 2048])", "DataType::BFLOAT16", "Layout::TILE", "0x55a0297ac780", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [7, 8, 9], "counter": 6, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [16], "counter": 7, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "size": 262144, "type": "DRAM"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [7], "counter": 8, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 3850304, "buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 22528, "num_cores": 0, "page_size": 2048, "size": 262144, "type": "DRAM"}, "stacking_level": 3, "id": 8}, {"arguments": [], "connections": [16, 11], "counter": 9, "duration_ns": 39314, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 9}, {"arguments": [], "connections": [], "counter": 10, "input_tensors": [], "node_type": "tensor", "params": {"address": 3850304, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3850304, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 2048])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 10}, "stacking_level": 3, "id": 10}, {"arguments": [], "connections": [12, 13], "counter": 11, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "Tensor::deallocate"}, "stacking_level": 3, "id": 11}, {"arguments": [], "connections": [7], "counter": 12, "input_tensors": [], "node_type": "buffer_deallocate", "params": {"address": 3850304, "buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 22528, "num_cores": 0, "page_size": 2048, "size": 262144, "type": "DRAM"}, "stacking_level": 3, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "duration_ns": 12112, "input_tensors": [], "node_type": "function_end", "params": {"name": "Tensor::deallocate"}, "stacking_level": 3, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "duration_ns": 277341, "input_tensors": [], "node_type": "function_end", "params": {"aborted": "true", "name": "MatmulDeviceOperation"}, "stacking_level": 2, "id": 14}, {"arguments": [], "connections": [31], "counter": 15, "duration_ns": 480856, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.matmul"}, "stacking_level": 1, "id": 15}, {"arguments": [], "connections": [], "counter": 16, "input_tensors": [], "node_type": "tensor", "params": {"address": 3850304, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3850304, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 2048])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 10}, "stacking_level": 3, "id": 16}, {"arguments": [], "connections": [], "counter": 17, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 17}]',0);
INSERT INTO captured_graph VALUES(3,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 14], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.matmul"}, "stacking_level": 1, "id": 1}, {"arguments": ["MatmulParams(<variant>, 1, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), DataType::BFLOAT16, ComputeKernelConfig(math_fidelity=HiFi2,math_approx_mode=0,fp32_dest_acc_en=0,packer_l1_acc=1,dst_full_sync_en=0,throttle_level=ThrottleLevel::NO_THROTTLE), 0, std::nullopt, std::nullopt, 0, 0, 1, Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4), std::nullopt, std::nullopt, {}, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 64, 96]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32])))), Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 64, 96]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [5, 10, 11, 12], "counter": 2, "input_tensors": [3, 4], "node_type": "function_start", "params": {"inputs": "2", "name": "MatmulDeviceOperation", "program_cache_hit": false, "program_factory_index": 4, "program_factory_type": "ttnn::prim::MatmulMultiCoreReuseMcast2DProgramFactory"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 3848256, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3848256, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 96])", "size": 12288, "storage_type": "DEVICE", "tensor_id": 8}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [2], "counter": 4, "input_tensors": [], "node_type": "tensor", "params": {"address": 3848256, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3848256, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 96])", "size": 12288, "storage_type": "DEVICE", "tensor_id": 8}, "stacking_level": 2, "id": 4}, {"arguments": ["Shape([1, 1, 64, 64])", "DataType::BFLOAT16", "Layout::TILE", "0x55a0297ac780", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [6, 7, 8], "counter": 5, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 5}, {"arguments": [], "connections": [9, 13, 61], "counter": 6, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "size": 8192, "type": "DRAM"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [6], "counter": 7, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 3850304, "buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 8192, "type": "DRAM"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [9], "counter": 8, "duration_ns": 19495, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 8}, {"arguments": [], "connections": [], "counter": 9, "input_tensors": [], "node_type": "tensor", "params": {"address": 3850304, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3850304, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 64])", "size": 8192, "storage_type": "DEVICE", "tensor_id": 12}, "stacking_level": 3, "id": 9}, {"arguments": [], "connections": [2], "counter": 10, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 2, "id": 10}, {"arguments": [], "connections": [], "counter": 11, "input_tensors": [], "node_type": "program_execution", "params": {"command_queue_id": 0, "device_id": 0, "global_call_count": 2048, "physical_device_id": 0, "runtime_id": 2, "sub_device_id": 0, "sub_device_manager_id": 0, "worker_core_ranges": "[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]"}, "stacking_level": 2, "id": 11}, {"arguments": [], "connections": [13], "counter": 12, "duration_ns": 36683618, "input_tensors": [], "node_type": "function_end", "params": {"name": "MatmulDeviceOperation"}, "stacking_level": 2, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "input_tensors": [], "node_type": "tensor", "params": {"address": 3850304, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3850304, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 64])", "size": 8192, "storage_type": "DEVICE", "tensor_id": 12}, "stacking_level": 2, "id": 13}, {"arguments": [], "connections": [45], "counter": 14, "duration_ns": 36845597, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.matmul"}, "stacking_level": 1, "id": 14}, {"arguments": [], "connections": [], "counter": 15, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 15}]',0);
INSERT INTO captured_graph VALUES(4,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 14], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.matmul"}, "stacking_level": 1, "id": 1}, {"arguments": ["MatmulParams(<variant>, 1, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), DataType::BFLOAT16, ComputeKernelConfig(math_fidelity=HiFi2,math_approx_mode=0,fp32_dest_acc_en=0,packer_l1_acc=1,dst_full_sync_en=0,throttle_level=ThrottleLevel::NO_THROTTLE), 0, std::nullopt, std::nullopt, 0, 0, 0, Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4), std::nullopt, std::nullopt, {}, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 64, 96]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32])))), Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 4096, 2048]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [5, 10, 13], "counter": 2, "input_tensors": [3, 4], "node_type": "function_start", "params": {"inputs": "2", "name": "MatmulDeviceOperation"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 3848256, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3848256, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 96])", "size": 12288, "storage_type": "DEVICE", "tensor_id": 8}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [2], "counter": 4, "input_tensors": [], "node_type": "tensor", "params": {"address": 2447424, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 2447424, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 4096, 2048])", "size": 16777216, "storage_type": "DEVICE", "tensor_id": 3}, "stacking_level": 2, "id": 4}, {"arguments": ["Shape([1, 1, 64, 2048])", "DataType::BFLOAT16", "Layout::TILE", "0x55a0297ac780", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [6, 7, 8], "counter": 5, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 5}, {"arguments": [], "connections": [15], "counter": 6, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "size": 262144, "type": "DRAM"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [6], "counter": 7, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 3852352, "buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 22528, "num_cores": 0, "page_size": 2048, "size": 262144, "type": "DRAM"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [15, 10], "counter": 8, "duration_ns": 58002, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 8}, {"arguments": [], "connections": [], "counter": 9, "input_tensors": [], "node_type": "tensor", "params": {"address": 3852352, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3852352, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 2048])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 15}, "stacking_level": 3, "id": 9}, {"arguments": [], "connections": [11, 12], "counter": 10, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "Tensor::deallocate"}, "stacking_level": 3, "id": 10}, {"arguments": [], "connections": [6], "counter": 11, "input_tensors": [], "node_type": "buffer_deallocate", "params": {"address": 3852352, "buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 22528, "num_cores": 0, "page_size": 2048, "size": 262144, "type": "DRAM"}, "stacking_level": 3, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "duration_ns": 10851, "input_tensors": [], "node_type": "function_end", "params": {"name": "Tensor::deallocate"}, "stacking_level": 3, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "duration_ns": 247029, "input_tensors": [], "node_type": "function_end", "params": {"aborted": "true", "name": "MatmulDeviceOperation"}, "stacking_level": 2, "id": 13}, {"arguments": [], "connections": [59], "counter": 14, "duration_ns": 456985, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.matmul"}, "stacking_level": 1, "id": 14}, {"arguments": [], "connections": [], "counter": 15, "input_tensors": [], "node_type": "tensor", "params": {"address": 3852352, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3852352, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 2048])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 15}, "stacking_level": 3, "id": 15}, {"arguments": [], "connections": [], "counter": 16, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 16}]',0);
INSERT INTO captured_graph VALUES(5,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 13], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.relu"}, "stacking_level": 1, "id": 1}, {"arguments": ["operation_attributes_t({<BasicUnaryWithParam>}, DataType::BFLOAT16, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), 0, 0, 0, <CoreRangeSet>, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 64, 64]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [4, 9, 10, 11], "counter": 2, "input_tensors": [3], "node_type": "function_start", "params": {"inputs": "2", "name": "UnaryDeviceOperation", "program_cache_hit": true, "program_factory_index": 0, "program_factory_type": "ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 3850304, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3850304, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 64])", "size": 8192, "storage_type": "DEVICE", "tensor_id": 13}, "stacking_level": 2, "id": 3}, {"arguments": ["Shape([1, 1, 64, 64])", "DataType::BFLOAT16", "Layout::TILE", "0x55a0297ac780", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [5, 6, 7], "counter": 4, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 4}, {"arguments": [], "connections": [8, 12], "counter": 5, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "size": 8192, "type": "DRAM"}, "stacking_level": 3, "id": 5}, {"arguments": [], "connections": [5], "counter": 6, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 3852352, "buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 8192, "type": "DRAM"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [8], "counter": 7, "duration_ns": 23009, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [], "counter": 8, "input_tensors": [], "node_type": "tensor", "params": {"address": 3852352, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3852352, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 64])", "size": 8192, "storage_type": "DEVICE", "tensor_id": 17}, "stacking_level": 3, "id": 8}, {"arguments": [], "connections": [2], "counter": 9, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 2, "id": 9}, {"arguments": [], "connections": [], "counter": 10, "input_tensors": [], "node_type": "program_execution", "params": {"command_queue_id": 0, "device_id": 0, "global_call_count": 3072, "physical_device_id": 0, "runtime_id": 3, "sub_device_id": 0, "sub_device_manager_id": 0, "worker_core_ranges": "[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]"}, "stacking_level": 2, "id": 10}, {"arguments": [], "connections": [12], "counter": 11, "duration_ns": 229819, "input_tensors": [], "node_type": "function_end", "params": {"name": "UnaryDeviceOperation"}, "stacking_level": 2, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "tensor", "params": {"address": 3852352, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 3852352, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 64, 64])", "size": 8192, "storage_type": "DEVICE", "tensor_id": 17}, "stacking_level": 2, "id": 12}, {"arguments": [], "connections": [72], "counter": 13, "duration_ns": 289574, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.relu"}, "stacking_level": 1, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 14}]',0);
CREATE TABLE nodes (
            operation_id int,
            unique_id int,
            node_operation_id int,
            name text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO nodes VALUES(1,1,1,'ttnn.relu',0);
INSERT INTO nodes VALUES(2,16,2,'ttnn.matmul',0);
INSERT INTO nodes VALUES(3,31,3,'ttnn.matmul',0);
INSERT INTO nodes VALUES(4,45,4,'ttnn.matmul',0);
INSERT INTO nodes VALUES(5,59,5,'ttnn.relu',0);
CREATE TABLE edges (
            operation_id int,
            source_unique_id int,
            sink_unique_id int,
            source_output_index int,
            sink_input_index int,
            key int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO edges VALUES(1,0,1,0,0,0,0);
INSERT INTO edges VALUES(1,1,2,0,0,0,0);
INSERT INTO edges VALUES(1,1,15,1,0,1,0);
INSERT INTO edges VALUES(1,2,4,0,0,0,0);
INSERT INTO edges VALUES(1,2,5,1,0,1,0);
INSERT INTO edges VALUES(1,2,10,2,0,2,0);
INSERT INTO edges VALUES(1,2,11,3,0,3,0);
INSERT INTO edges VALUES(1,2,12,4,0,4,0);
INSERT INTO edges VALUES(1,2,13,5,0,5,0);
INSERT INTO edges VALUES(1,3,2,0,0,0,0);
INSERT INTO edges VALUES(1,4,3,0,0,0,0);
INSERT INTO edges VALUES(1,5,6,0,0,0,0);
INSERT INTO edges VALUES(1,5,7,1,0,1,0);
INSERT INTO edges VALUES(1,5,8,2,0,2,0);
INSERT INTO edges VALUES(1,6,9,0,0,0,0);
INSERT INTO edges VALUES(1,6,14,1,0,1,0);
INSERT INTO edges VALUES(1,6,18,2,0,2,0);
INSERT INTO edges VALUES(1,6,33,3,0,3,0);
INSERT INTO edges VALUES(1,6,34,4,0,4,0);
INSERT INTO edges VALUES(1,6,47,5,0,5,0);
INSERT INTO edges VALUES(1,7,6,0,0,0,0);
INSERT INTO edges VALUES(1,8,9,0,0,0,0);
INSERT INTO edges VALUES(1,10,2,0,0,0,0);
INSERT INTO edges VALUES(1,13,14,0,0,0,0);
INSERT INTO edges VALUES(1,15,16,0,0,0,0);
INSERT INTO edges VALUES(2,0,1,0,0,0,0);
INSERT INTO edges VALUES(2,1,2,0,0,0,0);
INSERT INTO edges VALUES(2,1,15,1,0,1,0);
INSERT INTO edges VALUES(2,2,5,0,0,0,0);
INSERT INTO edges VALUES(2,2,6,1,0,1,0);
INSERT INTO edges VALUES(2,2,11,2,0,2,0);
INSERT INTO edges VALUES(2,2,14,3,0,3,0);
INSERT INTO edges VALUES(2,3,2,0,0,0,0);
INSERT INTO edges VALUES(2,4,2,0,0,0,0);
INSERT INTO edges VALUES(2,5,4,0,0,0,0);
INSERT INTO edges VALUES(2,5,48,1,0,1,0);
INSERT INTO edges VALUES(2,6,7,0,0,0,0);
INSERT INTO edges VALUES(2,6,8,1,0,1,0);
INSERT INTO edges VALUES(2,6,9,2,0,2,0);
INSERT INTO edges VALUES(2,7,16,0,0,0,0);
INSERT INTO edges VALUES(2,8,7,0,0,0,0);
INSERT INTO edges VALUES(2,9,16,0,0,0,0);
INSERT INTO edges VALUES(2,9,11,1,0,1,0);
INSERT INTO edges VALUES(2,11,12,0,0,0,0);
INSERT INTO edges VALUES(2,11,13,1,0,1,0);
INSERT INTO edges VALUES(2,12,7,0,0,0,0);
INSERT INTO edges VALUES(2,15,31,0,0,0,0);
INSERT INTO edges VALUES(3,0,1,0,0,0,0);
INSERT INTO edges VALUES(3,1,2,0,0,0,0);
INSERT INTO edges VALUES(3,1,14,1,0,1,0);
INSERT INTO edges VALUES(3,2,5,0,0,0,0);
INSERT INTO edges VALUES(3,2,10,1,0,1,0);
INSERT INTO edges VALUES(3,2,11,2,0,2,0);
INSERT INTO edges VALUES(3,2,12,3,0,3,0);
INSERT INTO edges VALUES(3,3,2,0,0,0,0);
INSERT INTO edges VALUES(3,4,2,0,0,0,0);
INSERT INTO edges VALUES(3,5,6,0,0,0,0);
INSERT INTO edges VALUES(3,5,7,1,0,1,0);
INSERT INTO edges VALUES(3,5,8,2,0,2,0);
INSERT INTO edges VALUES(3,6,9,0,0,0,0);
INSERT INTO edges VALUES(3,6,13,1,0,1,0);
INSERT INTO edges VALUES(3,6,61,2,0,2,0);
INSERT INTO edges VALUES(3,7,6,0,0,0,0);
INSERT INTO edges VALUES(3,8,9,0,0,0,0);
INSERT INTO edges VALUES(3,10,2,0,0,0,0);
INSERT INTO edges VALUES(3,12,13,0,0,0,0);
INSERT INTO edges VALUES(3,14,45,0,0,0,0);
INSERT INTO edges VALUES(4,0,1,0,0,0,0);
INSERT INTO edges VALUES(4,1,2,0,0,0,0);
INSERT INTO edges VALUES(4,1,14,1,0,1,0);
INSERT INTO edges VALUES(4,2,5,0,0,0,0);
INSERT INTO edges VALUES(4,2,10,1,0,1,0);
INSERT INTO edges VALUES(4,2,13,2,0,2,0);
INSERT INTO edges VALUES(4,3,2,0,0,0,0);
INSERT INTO edges VALUES(4,4,2,0,0,0,0);
INSERT INTO edges VALUES(4,5,6,0,0,0,0);
INSERT INTO edges VALUES(4,5,7,1,0,1,0);
INSERT INTO edges VALUES(4,5,8,2,0,2,0);
INSERT INTO edges VALUES(4,6,15,0,0,0,0);
INSERT INTO edges VALUES(4,7,6,0,0,0,0);
INSERT INTO edges VALUES(4,8,15,0,0,0,0);
INSERT INTO edges VALUES(4,8,10,1,0,1,0);
INSERT INTO edges VALUES(4,10,11,0,0,0,0);
INSERT INTO edges VALUES(4,10,12,1,0,1,0);
INSERT INTO edges VALUES(4,11,6,0,0,0,0);
INSERT INTO edges VALUES(4,14,59,0,0,0,0);
INSERT INTO edges VALUES(5,0,1,0,0,0,0);
INSERT INTO edges VALUES(5,1,2,0,0,0,0);
INSERT INTO edges VALUES(5,1,13,1,0,1,0);
INSERT INTO edges VALUES(5,2,4,0,0,0,0);
INSERT INTO edges VALUES(5,2,9,1,0,1,0);
INSERT INTO edges VALUES(5,2,10,2,0,2,0);
INSERT INTO edges VALUES(5,2,11,3,0,3,0);
INSERT INTO edges VALUES(5,3,2,0,0,0,0);
INSERT INTO edges VALUES(5,4,5,0,0,0,0);
INSERT INTO edges VALUES(5,4,6,1,0,1,0);
INSERT INTO edges VALUES(5,4,7,2,0,2,0);
INSERT INTO edges VALUES(5,5,8,0,0,0,0);
INSERT INTO edges VALUES(5,5,12,1,0,1,0);
INSERT INTO edges VALUES(5,6,5,0,0,0,0);
INSERT INTO edges VALUES(5,7,8,0,0,0,0);
INSERT INTO edges VALUES(5,9,2,0,0,0,0);
INSERT INTO edges VALUES(5,11,12,0,0,0,0);
INSERT INTO edges VALUES(5,13,72,0,0,0,0);
CREATE TABLE report_metadata (
            key text UNIQUE,
            value text
        );
INSERT INTO report_metadata VALUES('schema_version','3.5');
INSERT INTO report_metadata VALUES('build_type','Release');
INSERT INTO report_metadata VALUES('capture_timestamp_ns','1795229798965290576');
INSERT INTO report_metadata VALUES('dirty','False');
INSERT INTO report_metadata VALUES('git_sha','d80d9482a418cf04ddcbeecf6adb67010d3091e6');
INSERT INTO report_metadata VALUES('git_sha_short','d80d9482a4');
INSERT INTO report_metadata VALUES('rank','0');
INSERT INTO report_metadata VALUES('total_duration_ns','43859394');
INSERT INTO report_metadata VALUES('version','0.81.1');
INSERT INTO report_metadata VALUES('world_size','1');
INSERT INTO report_metadata VALUES('git_url','');
CREATE TABLE errors (
            operation_id int,
            operation_name text,
            error_type text,
            error_message text,
            stack_trace text,
            timestamp text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO errors VALUES(2,'ttnn.matmul','RuntimeError',replace('TT_FATAL @ /project/ttnn/cpp/ttnn/operations/matmul/device/matmul_device_operation.cpp:79: a_shape[-1] == b_shape[-2]\ninfo:\nThe width of the first tensor must be equal to the height of the second tensor. Mismatch: width=96 height=4096\n','\n',char(10)),'','',0);
INSERT INTO errors VALUES(4,'ttnn.matmul','RuntimeError',replace('TT_FATAL @ /project/ttnn/cpp/ttnn/operations/matmul/device/matmul_device_operation.cpp:79: a_shape[-1] == b_shape[-2]\ninfo:\nThe width of the first tensor must be equal to the height of the second tensor. Mismatch: width=96 height=4096\n','\n',char(10)),'','',0);
CREATE TABLE source_files (
    id INTEGER PRIMARY KEY,
    path text UNIQUE NOT NULL,
    contents text
);
CREATE TABLE stack_traces (
    operation_id int,
    stack_trace text,
    source_file_id int REFERENCES source_files(id),
    rank int NOT NULL DEFAULT 0
);
CREATE TABLE input_tensors (
            operation_id int,
            input_index int,
            tensor_id int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO input_tensors VALUES(1,0,5,0);
INSERT INTO input_tensors VALUES(2,0,8,0);
INSERT INTO input_tensors VALUES(2,1,3,0);
INSERT INTO input_tensors VALUES(3,0,8,0);
INSERT INTO input_tensors VALUES(4,0,8,0);
INSERT INTO input_tensors VALUES(4,1,3,0);
INSERT INTO input_tensors VALUES(5,0,13,0);
CREATE TABLE output_tensors (
            operation_id int,
            output_index int,
            tensor_id int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO output_tensors VALUES(1,0,8,0);
INSERT INTO output_tensors VALUES(2,0,10,0);
INSERT INTO output_tensors VALUES(3,0,13,0);
INSERT INTO output_tensors VALUES(4,0,15,0);
INSERT INTO output_tensors VALUES(5,0,18,0);
CREATE TABLE tensor_lifetime (
            tensor_id int,
            producer_operation_id int,
            last_use_operation_id int,
            deallocate_operation_id int,
            producer_source_file text,
            producer_source_line int,
            last_use_source_file text,
            last_use_source_line int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(tensor_id, rank)
        );
CREATE TABLE tensor_consumers (
            tensor_id int,
            operation_id int,
            input_index int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(tensor_id, operation_id, input_index, rank)
        );
INSERT INTO tensor_consumers VALUES(5,1,0,0);
INSERT INTO tensor_consumers VALUES(8,2,0,0);
INSERT INTO tensor_consumers VALUES(3,2,1,0);
INSERT INTO tensor_consumers VALUES(8,3,0,0);
INSERT INTO tensor_consumers VALUES(8,4,0,0);
INSERT INTO tensor_consumers VALUES(3,4,1,0);
INSERT INTO tensor_consumers VALUES(13,5,0,0);
CREATE TABLE tensor_producers (
            tensor_id int,
            operation_id int,
            output_index int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(tensor_id, operation_id, output_index, rank)
        );
INSERT INTO tensor_producers VALUES(8,1,0,0);
INSERT INTO tensor_producers VALUES(10,2,0,0);
INSERT INTO tensor_producers VALUES(13,3,0,0);
INSERT INTO tensor_producers VALUES(15,4,0,0);
INSERT INTO tensor_producers VALUES(18,5,0,0);
CREATE TABLE local_tensor_comparison_records (
            tensor_id int,
            golden_tensor_id int,
            matches int,
            desired_pcc float,
            actual_pcc float,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(tensor_id, rank)
        );
CREATE TABLE global_tensor_comparison_records (
            tensor_id int,
            golden_tensor_id int,
            matches int,
            desired_pcc float,
            actual_pcc float,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(tensor_id, rank)
        );
CREATE TABLE buffer_chunks (
            operation_id int,
            device_id int,
            address int,
            bank_id int,
            core_x int,
            core_y int,
            chunk_address int,
            chunk_size int,
            page_size int,
            num_pages int,
            buffer_type int,
            rank int NOT NULL DEFAULT 0
        );
CREATE INDEX idx_stack_traces_source_file_id ON stack_traces (source_file_id);
COMMIT;
