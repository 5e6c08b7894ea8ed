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
INSERT INTO devices VALUES(1,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
CREATE TABLE operations (
            operation_id int,
            name text,
            duration float,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(operation_id, rank)
        );
INSERT INTO operations VALUES(1,'ttnn.zeros',0.00041562599999999999458,0);
INSERT INTO operations VALUES(2,'ttnn.zeros',9.6794999999999997361e-05,0);
INSERT INTO operations VALUES(3,'ttnn.add',0.0080652650000000002811,0);
CREATE TABLE operation_arguments (
            operation_id int,
            name text,
            value text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO operation_arguments VALUES(1,'dtype','DataType.BFLOAT16',0);
INSERT INTO operation_arguments VALUES(1,'layout','Layout.TILE',0);
INSERT INTO operation_arguments VALUES(1,'device','MeshDevice(1x1 grid, 1 devices)',0);
INSERT INTO operation_arguments VALUES(1,'memory_config','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0);
INSERT INTO operation_arguments VALUES(1,'0','[4, 3, 32, 32]',0);
INSERT INTO operation_arguments VALUES(2,'dtype','DataType.BFLOAT16',0);
INSERT INTO operation_arguments VALUES(2,'layout','Layout.TILE',0);
INSERT INTO operation_arguments VALUES(2,'device','MeshDevice(1x1 grid, 1 devices)',0);
INSERT INTO operation_arguments VALUES(2,'memory_config','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0);
INSERT INTO operation_arguments VALUES(2,'0','[1, 3, 32, 32]',0);
INSERT INTO operation_arguments VALUES(3,'memory_config','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0);
INSERT INTO operation_arguments VALUES(3,'0','ttnn.Tensor(shape=Shape([4, 3, 32, 32]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=2, is_allocated=True, device_id=1, mesh_shape=MeshShape([1, 1]), mesh_coords=[''MeshCoordinate([0, 0])''], distribution_shape=MeshShape([1]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(3,'1','ttnn.Tensor(shape=Shape([1, 3, 32, 32]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=5, is_allocated=True, device_id=1, mesh_shape=MeshShape([1, 1]), mesh_coords=[''MeshCoordinate([0, 0])''], distribution_shape=MeshShape([1]), placements=[''PlacementReplicate()''])',0);
CREATE TABLE sub_device_managers (
            device_id int,
            sub_device_manager_id int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(device_id, sub_device_manager_id, rank)
        );
INSERT INTO sub_device_managers VALUES(1,0,0);
CREATE TABLE sub_devices (
            device_id int,
            sub_device_manager_id int,
            sub_device_id int,
            worker_core_ranges text,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(device_id, sub_device_manager_id, sub_device_id, rank)
        );
INSERT INTO sub_devices VALUES(1,0,0,'[{"end": {"x": 7, "y": 7}, "start": {"x": 0, "y": 0}}]',0);
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
INSERT INTO operation_executions VALUES(3072,3,1,0,1,1024,0,0);
CREATE TABLE execution_sub_devices (
            execution_id int,
            device_id int,
            sub_device_manager_id int,
            sub_device_id int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(execution_id, device_id, sub_device_manager_id, sub_device_id, rank)
        );
INSERT INTO execution_sub_devices VALUES(3072,1,0,0,0);
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
INSERT INTO tensors VALUES(1,'Shape([4, 3, 32, 32])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',1,1497088,1,0,'DEVICE');
INSERT INTO tensors VALUES(3,'Shape([1, 3, 32, 32])','DataType.BFLOAT16','Layout.TILE',NULL,NULL,NULL,NULL,0,'HOST');
INSERT INTO tensors VALUES(4,'Shape([1, 3, 32, 32])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',1,1495040,1,0,'DEVICE');
INSERT INTO tensors VALUES(2,'Shape([4, 3, 32, 32])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',1,1497088,1,0,'DEVICE');
INSERT INTO tensors VALUES(5,'Shape([1, 3, 32, 32])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',1,1495040,1,0,'DEVICE');
INSERT INTO tensors VALUES(7,'Shape([4, 3, 32, 32])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',1,1492992,1,0,'DEVICE');
INSERT INTO tensors VALUES(8,'Shape([4, 3, 32, 32])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',1,1492992,1,0,'DEVICE');
CREATE TABLE device_tensors (
            tensor_id int,
            device_id int,
            address int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO device_tensors VALUES(1,1,1497088,0);
INSERT INTO device_tensors VALUES(4,1,1495040,0);
INSERT INTO device_tensors VALUES(2,1,1497088,0);
INSERT INTO device_tensors VALUES(5,1,1495040,0);
INSERT INTO device_tensors VALUES(7,1,1492992,0);
CREATE TABLE buffers (
            operation_id int,
            device_id int,
            address int,
            max_size_per_bank int,
            buffer_type int,
            buffer_layout int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO buffers VALUES(1,1,1497088,2048,1,0,0);
INSERT INTO buffers VALUES(2,1,1495040,2048,1,0,0);
INSERT INTO buffers VALUES(2,1,1497088,2048,1,0,0);
INSERT INTO buffers VALUES(3,1,1492992,2048,1,0,0);
INSERT INTO buffers VALUES(3,1,1495040,2048,1,0,0);
INSERT INTO buffers VALUES(3,1,1497088,2048,1,0,0);
CREATE TABLE captured_graph (
            operation_id int,
            captured_graph text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO captured_graph VALUES(1,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 8], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.zeros"}, "stacking_level": 1, "id": 1}, {"arguments": ["Tensor(storage=HostStorage(),tensor_spec=TensorSpec(logical_shape=Shape([4, 3, 32, 32]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))", "0x556899638ea0", "1"], "connections": [4, 5, 6], "counter": 2, "input_tensors": [3], "node_type": "function_start", "params": {"inputs": "3", "name": "Tensor::to_device"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "HOST", "tensor_id": 0}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [7, 19], "counter": 4, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "size": 24576, "type": "L1"}, "stacking_level": 2, "id": 4}, {"arguments": [], "connections": [4], "counter": 5, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1497088, "buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 24576, "type": "L1"}, "stacking_level": 2, "id": 5}, {"arguments": [], "connections": [7], "counter": 6, "duration_ns": 186267, "input_tensors": [], "node_type": "function_end", "params": {"name": "Tensor::to_device"}, "stacking_level": 2, "id": 6}, {"arguments": [], "connections": [], "counter": 7, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "DEVICE", "tensor_id": 1}, "stacking_level": 2, "id": 7}, {"arguments": [], "connections": [9], "counter": 8, "duration_ns": 415626, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.zeros"}, "stacking_level": 1, "id": 8}, {"arguments": [], "connections": [], "counter": 9, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 9}]',0);
INSERT INTO captured_graph VALUES(2,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 8], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.zeros"}, "stacking_level": 1, "id": 1}, {"arguments": ["Tensor(storage=HostStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 3, 32, 32]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))", "0x556899638ea0", "1"], "connections": [4, 5, 6], "counter": 2, "input_tensors": [3], "node_type": "function_start", "params": {"inputs": "3", "name": "Tensor::to_device"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "shape": "Shape([1, 3, 32, 32])", "size": 6144, "storage_type": "HOST", "tensor_id": 3}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [7, 20], "counter": 4, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "size": 6144, "type": "L1"}, "stacking_level": 2, "id": 4}, {"arguments": [], "connections": [4], "counter": 5, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1495040, "buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 6144, "type": "L1"}, "stacking_level": 2, "id": 5}, {"arguments": [], "connections": [7], "counter": 6, "duration_ns": 28937, "input_tensors": [], "node_type": "function_end", "params": {"name": "Tensor::to_device"}, "stacking_level": 2, "id": 6}, {"arguments": [], "connections": [], "counter": 7, "input_tensors": [], "node_type": "tensor", "params": {"address": 1495040, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1495040, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 3, 32, 32])", "size": 6144, "storage_type": "DEVICE", "tensor_id": 4}, "stacking_level": 2, "id": 7}, {"arguments": [], "connections": [17], "counter": 8, "duration_ns": 96795, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.zeros"}, "stacking_level": 1, "id": 8}, {"arguments": [], "connections": [], "counter": 9, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 9}]',0);
INSERT INTO captured_graph VALUES(3,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 18], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.add"}, "stacking_level": 1, "id": 1}, {"arguments": ["operation_attributes_t(BinaryOpType::ADD, SmallVector([]), SmallVector([]), SmallVector([]), std::nullopt, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), DataType::BFLOAT16, DataType::BFLOAT16, <CoreRangeSet>, std::nullopt, std::nullopt, std::nullopt, SubtileBroadcastType::NONE, 0, 0, 0, 0, 0, 0, 0, Layout::TILE, Layout::TILE, Layout::TILE, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([4, 3, 32, 32]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32])))), Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 3, 32, 32]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [5, 10, 11, 12, 13, 14, 15, 16], "counter": 2, "input_tensors": [3, 4], "node_type": "function_start", "params": {"inputs": "2", "name": "BinaryNgDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::binary_ng::BinaryNgDeviceOperation::ProgramFactory"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "DEVICE", "tensor_id": 2}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [2], "counter": 4, "input_tensors": [], "node_type": "tensor", "params": {"address": 1495040, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1495040, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 3, 32, 32])", "size": 6144, "storage_type": "DEVICE", "tensor_id": 5}, "stacking_level": 2, "id": 4}, {"arguments": ["Shape([4, 3, 32, 32])", "DataType::BFLOAT16", "Layout::TILE", "0x556899638ea0", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [6, 7, 8], "counter": 5, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 5}, {"arguments": [], "connections": [9, 17], "counter": 6, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "size": 24576, "type": "L1"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [6], "counter": 7, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1492992, "buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 24576, "type": "L1"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [9], "counter": 8, "duration_ns": 20350, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 8}, {"arguments": [], "connections": [], "counter": 9, "input_tensors": [], "node_type": "tensor", "params": {"address": 1492992, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1492992, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "DEVICE", "tensor_id": 7}, "stacking_level": 3, "id": 9}, {"arguments": [], "connections": [2], "counter": 10, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 1}, "stacking_level": 2, "id": 10}, {"arguments": [], "connections": [], "counter": 11, "input_tensors": [], "node_type": "circular_buffer_allocate", "params": {"address": 105824, "core_range_set": "{[0-0 - 7-7]}", "device_id": 0, "globally_allocated": "0", "size": 4096}, "stacking_level": 2, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "circular_buffer_allocate", "params": {"address": 109920, "core_range_set": "{[0-0 - 7-7]}", "device_id": 0, "globally_allocated": "0", "size": 4096}, "stacking_level": 2, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "input_tensors": [], "node_type": "circular_buffer_allocate", "params": {"address": 114016, "core_range_set": "{[0-0 - 7-7]}", "device_id": 0, "globally_allocated": "0", "size": 4096}, "stacking_level": 2, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "input_tensors": [], "node_type": "sub_device_manager", "params": {"device_id": 1, "sub_device_manager_id": 0, "sub_devices": "[{\"sub_device_id\":0,\"worker_core_ranges\":[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]}]"}, "stacking_level": 2, "id": 14}, {"arguments": [], "connections": [], "counter": 15, "input_tensors": [], "node_type": "program_execution", "params": {"command_queue_id": 0, "device_id": 1, "global_call_count": 1024, "physical_device_id": 0, "runtime_id": 1, "sub_device_id": 0, "sub_device_manager_id": 0, "worker_core_ranges": "[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]"}, "stacking_level": 2, "id": 15}, {"arguments": [], "connections": [17], "counter": 16, "duration_ns": 7843070, "input_tensors": [], "node_type": "function_end", "params": {"name": "BinaryNgDeviceOperation"}, "stacking_level": 2, "id": 16}, {"arguments": [], "connections": [], "counter": 17, "input_tensors": [], "node_type": "tensor", "params": {"address": 1492992, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1492992, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "DEVICE", "tensor_id": 7}, "stacking_level": 2, "id": 17}, {"arguments": [], "connections": [35], "counter": 18, "duration_ns": 8065265, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.add"}, "stacking_level": 1, "id": 18}, {"arguments": [], "connections": [], "counter": 19, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 19}]',0);
CREATE TABLE nodes (
            operation_id int,
            unique_id int,
            node_operation_id int,
            name text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO nodes VALUES(1,1,1,'ttnn.zeros',0);
INSERT INTO nodes VALUES(2,9,2,'ttnn.zeros',0);
INSERT INTO nodes VALUES(3,17,3,'ttnn.add',0);
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
INSERT INTO edges VALUES(1,1,8,1,0,1,0);
INSERT INTO edges VALUES(1,2,4,0,0,0,0);
INSERT INTO edges VALUES(1,2,5,1,0,1,0);
INSERT INTO edges VALUES(1,2,6,2,0,2,0);
INSERT INTO edges VALUES(1,3,2,0,0,0,0);
INSERT INTO edges VALUES(1,4,7,0,0,0,0);
INSERT INTO edges VALUES(1,4,19,1,0,1,0);
INSERT INTO edges VALUES(1,5,4,0,0,0,0);
INSERT INTO edges VALUES(1,6,7,0,0,0,0);
INSERT INTO edges VALUES(1,8,9,0,0,0,0);
INSERT INTO edges VALUES(2,0,1,0,0,0,0);
INSERT INTO edges VALUES(2,1,2,0,0,0,0);
INSERT INTO edges VALUES(2,1,8,1,0,1,0);
INSERT INTO edges VALUES(2,2,4,0,0,0,0);
INSERT INTO edges VALUES(2,2,5,1,0,1,0);
INSERT INTO edges VALUES(2,2,6,2,0,2,0);
INSERT INTO edges VALUES(2,3,2,0,0,0,0);
INSERT INTO edges VALUES(2,4,7,0,0,0,0);
INSERT INTO edges VALUES(2,4,20,1,0,1,0);
INSERT INTO edges VALUES(2,5,4,0,0,0,0);
INSERT INTO edges VALUES(2,6,7,0,0,0,0);
INSERT INTO edges VALUES(2,8,17,0,0,0,0);
INSERT INTO edges VALUES(3,0,1,0,0,0,0);
INSERT INTO edges VALUES(3,1,2,0,0,0,0);
INSERT INTO edges VALUES(3,1,18,1,0,1,0);
INSERT INTO edges VALUES(3,2,5,0,0,0,0);
INSERT INTO edges VALUES(3,2,10,1,0,1,0);
INSERT INTO edges VALUES(3,2,11,2,0,2,0);
INSERT INTO edges VALUES(3,2,12,3,0,3,0);
INSERT INTO edges VALUES(3,2,13,4,0,4,0);
INSERT INTO edges VALUES(3,2,14,5,0,5,0);
INSERT INTO edges VALUES(3,2,15,6,0,6,0);
INSERT INTO edges VALUES(3,2,16,7,0,7,0);
INSERT INTO edges VALUES(3,3,2,0,0,0,0);
INSERT INTO edges VALUES(3,4,2,0,0,0,0);
INSERT INTO edges VALUES(3,5,6,0,0,0,0);
INSERT INTO edges VALUES(3,5,7,1,0,1,0);
INSERT INTO edges VALUES(3,5,8,2,0,2,0);
INSERT INTO edges VALUES(3,6,9,0,0,0,0);
INSERT INTO edges VALUES(3,6,17,1,0,1,0);
INSERT INTO edges VALUES(3,7,6,0,0,0,0);
INSERT INTO edges VALUES(3,8,9,0,0,0,0);
INSERT INTO edges VALUES(3,10,2,0,0,0,0);
INSERT INTO edges VALUES(3,16,17,0,0,0,0);
INSERT INTO edges VALUES(3,18,35,0,0,0,0);
CREATE TABLE report_metadata (
            key text UNIQUE,
            value text
        );
INSERT INTO report_metadata VALUES('schema_version','3.5');
INSERT INTO report_metadata VALUES('build_type','Release');
INSERT INTO report_metadata VALUES('capture_timestamp_ns','1795229886034867683');
INSERT INTO report_metadata VALUES('dirty','False');
INSERT INTO report_metadata VALUES('git_sha','d80d9482a418cf04ddcbeecf6adb67010d3091e6');
INSERT INTO report_metadata VALUES('git_sha_short','d80d9482a4');
INSERT INTO report_metadata VALUES('rank','0');
INSERT INTO report_metadata VALUES('total_duration_ns','8863509');
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
INSERT INTO input_tensors VALUES(2,0,3,0);
INSERT INTO input_tensors VALUES(3,0,2,0);
INSERT INTO input_tensors VALUES(3,1,5,0);
CREATE TABLE output_tensors (
            operation_id int,
            output_index int,
            tensor_id int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO output_tensors VALUES(1,0,2,0);
INSERT INTO output_tensors VALUES(2,0,5,0);
INSERT INTO output_tensors VALUES(3,0,8,0);
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
INSERT INTO tensor_consumers VALUES(3,2,0,0);
INSERT INTO tensor_consumers VALUES(2,3,0,0);
INSERT INTO tensor_consumers VALUES(5,3,1,0);
CREATE TABLE tensor_producers (
            tensor_id int,
            operation_id int,
            output_index int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(tensor_id, operation_id, output_index, rank)
        );
INSERT INTO tensor_producers VALUES(2,1,0,0);
INSERT INTO tensor_producers VALUES(5,2,0,0);
INSERT INTO tensor_producers VALUES(8,3,0,0);
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
INSERT INTO buffer_chunks VALUES(1,1,1497088,1,1,4,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(1,1,1497088,2,4,4,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(1,1,1497088,3,4,1,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(1,1,1497088,4,2,2,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(1,1,1497088,5,6,0,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(1,1,1497088,6,7,3,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(1,1,1497088,7,3,0,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(1,1,1497088,8,5,2,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(1,1,1497088,9,2,5,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(1,1,1497088,10,5,4,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(1,1,1497088,11,3,2,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(1,1,1497088,12,6,7,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1492992,1,1,4,1492992,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1492992,2,4,4,1492992,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1492992,3,4,1,1492992,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1492992,4,2,2,1492992,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1492992,5,6,0,1492992,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1492992,6,7,3,1492992,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1492992,7,3,0,1492992,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1492992,8,5,2,1492992,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1492992,9,2,5,1492992,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1492992,10,5,4,1492992,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1492992,11,3,2,1492992,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1492992,12,6,7,1492992,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1495040,1,1,4,1495040,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1495040,2,4,4,1495040,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1495040,3,4,1,1495040,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1497088,1,1,4,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1497088,2,4,4,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1497088,3,4,1,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1497088,4,2,2,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1497088,5,6,0,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1497088,6,7,3,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1497088,7,3,0,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1497088,8,5,2,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1497088,9,2,5,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1497088,10,5,4,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1497088,11,3,2,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(3,1,1497088,12,6,7,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1495040,1,1,4,1495040,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1495040,2,4,4,1495040,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1495040,3,4,1,1495040,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1497088,1,1,4,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1497088,2,4,4,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1497088,3,4,1,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1497088,4,2,2,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1497088,5,6,0,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1497088,6,7,3,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1497088,7,3,0,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1497088,8,5,2,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1497088,9,2,5,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1497088,10,5,4,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1497088,11,3,2,1497088,2048,2048,1,1,0);
INSERT INTO buffer_chunks VALUES(2,1,1497088,12,6,7,1497088,2048,2048,1,1,0);
CREATE INDEX idx_stack_traces_source_file_id ON stack_traces (source_file_id);
COMMIT;
