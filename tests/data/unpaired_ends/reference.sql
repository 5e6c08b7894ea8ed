BEGIN TRANSACTION;
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
CREATE TABLE buffers (
            operation_id int,
            device_id int,
            address int,
            max_size_per_bank int,
            buffer_type int,
            buffer_layout int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO "buffers" VALUES(1,1,1497088,2048,1,0,0);
INSERT INTO "buffers" VALUES(2,1,1497088,2048,1,0,0);
INSERT INTO "buffers" VALUES(10001,0,1460224,2048,1,0,0);
INSERT INTO "buffers" VALUES(10002,0,1460224,2048,1,0,0);
INSERT INTO "buffers" VALUES(20001,1,1492992,2048,1,0,0);
INSERT INTO "buffers" VALUES(30001,0,1460224,2048,1,0,0);
INSERT INTO "buffers" VALUES(40003,0,1460224,2048,1,0,0);
INSERT INTO "buffers" VALUES(40004,0,1460224,2048,1,0,0);
INSERT INTO "buffers" VALUES(40005,0,1460224,2048,1,0,0);
INSERT INTO "buffers" VALUES(60001,1,1497088,2048,1,0,0);
INSERT INTO "buffers" VALUES(70001,0,1460224,2048,1,0,0);
CREATE TABLE captured_graph (
            operation_id int,
            captured_graph text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO "captured_graph" VALUES(1,'[{"arguments": [], "connections": [1], "counter": 0, "id": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0}, {"arguments": [], "connections": [2], "counter": 1, "input_tensors": [], "node_type": "buffer_deallocate", "params": {"address": 1495040, "buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 6144, "type": "L1"}, "stacking_level": 1, "id": 1}, {"arguments": [], "connections": [], "counter": 2, "id": 2, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0}]',0);
INSERT INTO "captured_graph" VALUES(2,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2], "counter": 1, "input_tensors": [], "node_type": "tensor", "params": {"dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "HOST", "tensor_id": 0}, "stacking_level": 2, "id": 1}, {"arguments": [], "connections": [7, 19], "counter": 2, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "size": 24576, "type": "L1"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1497088, "buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 24576, "type": "L1"}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [7], "counter": 4, "duration_ns": 147952, "input_tensors": [], "node_type": "function_end", "params": {"name": "Tensor::to_device"}, "stacking_level": 2, "id": 4}, {"arguments": [], "connections": [], "counter": 5, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 5}]',0);
INSERT INTO "captured_graph" VALUES(3,'[{"arguments": [], "connections": [1], "counter": 0, "id": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0}, {"arguments": [], "connections": [2], "counter": 1, "input_tensors": [], "node_type": "buffer_deallocate", "params": {"address": 1497088, "buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 24576, "type": "L1"}, "stacking_level": 1, "id": 1}, {"arguments": [], "connections": [], "counter": 2, "id": 2, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0}]',0);
INSERT INTO "captured_graph" VALUES(10001,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 15], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.relu"}, "stacking_level": 2, "id": 1}, {"arguments": ["operation_attributes_t({<BasicUnaryWithParam>}, DataType::BFLOAT16, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), 0, 0, 0, <CoreRangeSet>, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 256, 128]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [4, 5, 10, 11, 12, 13], "counter": 2, "input_tensors": [3], "node_type": "function_start", "params": {"inputs": "2", "name": "UnaryDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory"}, "stacking_level": 3, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 1}, "stacking_level": 3, "id": 3}, {"arguments": [], "connections": [3], "counter": 4, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 3, "id": 4}, {"arguments": ["Shape([1, 1, 256, 128])", "DataType::BFLOAT16", "Layout::TILE", "0x55a637afc950", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [6, 7, 8], "counter": 5, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 5}, {"arguments": [], "connections": [9, 14], "counter": 6, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 6}, {"arguments": [], "connections": [6], "counter": 7, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 7}, {"arguments": [], "connections": [9], "counter": 8, "duration_ns": 54410, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 8}, {"arguments": [], "connections": [], "counter": 9, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 4, "id": 9}, {"arguments": [], "connections": [2], "counter": 10, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 3, "id": 10}, {"arguments": [], "connections": [], "counter": 11, "input_tensors": [], "node_type": "sub_device_manager", "params": {"device_id": 0, "sub_device_manager_id": 0, "sub_devices": "[{\"sub_device_id\":0,\"worker_core_ranges\":[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]}]"}, "stacking_level": 3, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "program_execution", "params": {"command_queue_id": 0, "device_id": 0, "global_call_count": 1024, "physical_device_id": 0, "runtime_id": 1, "sub_device_id": 0, "sub_device_manager_id": 0, "worker_core_ranges": "[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]"}, "stacking_level": 3, "id": 12}, {"arguments": [], "connections": [14], "counter": 13, "duration_ns": 6470481, "input_tensors": [], "node_type": "function_end", "params": {"name": "UnaryDeviceOperation"}, "stacking_level": 3, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 3, "id": 14}, {"arguments": [], "connections": [], "counter": 15, "duration_ns": 6743817, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.relu"}, "stacking_level": 2, "id": 15}, {"arguments": [], "connections": [], "counter": 16, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 16}]',0);
INSERT INTO "captured_graph" VALUES(10002,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [], "counter": 1, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 1}]',0);
INSERT INTO "captured_graph" VALUES(20001,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 13], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.add"}, "stacking_level": 1, "id": 1}, {"arguments": ["operation_attributes_t(BinaryOpType::ADD, SmallVector([]), SmallVector([]), SmallVector([]), std::nullopt, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), DataType::BFLOAT16, DataType::BFLOAT16, <CoreRangeSet>, std::nullopt, std::nullopt, std::nullopt, SubtileBroadcastType::NONE, 0, 0, 0, 0, 0, 0, 0, Layout::TILE, Layout::TILE, Layout::TILE, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([4, 3, 32, 32]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32])))), Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 3, 32, 32]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [5, 26, 27, 28, 29, 30, 31, 11], "counter": 2, "input_tensors": [3, 4], "node_type": "function_start", "params": {"inputs": "2", "name": "BinaryNgDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::binary_ng::BinaryNgDeviceOperation::ProgramFactory"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "DEVICE", "tensor_id": 2}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [2], "counter": 4, "input_tensors": [], "node_type": "tensor", "params": {"address": 1495040, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1495040, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 3, 32, 32])", "size": 6144, "storage_type": "DEVICE", "tensor_id": 5}, "stacking_level": 2, "id": 4}, {"arguments": ["Shape([4, 3, 32, 32])", "DataType::BFLOAT16", "Layout::TILE", "0x55876aa320b0", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [6, 7, 9], "counter": 5, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 5}, {"arguments": [], "connections": [10, 12], "counter": 6, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "size": 24576, "type": "L1"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [6], "counter": 7, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1492992, "buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 24576, "type": "L1"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [], "counter": 8, "duration_ns": 3239584, "input_tensors": [], "node_type": "capture_end", "params": null, "stacking_level": 0, "id": 8}, {"arguments": [], "connections": [10], "counter": 9, "duration_ns": 16939, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 9}, {"arguments": [], "connections": [], "counter": 10, "input_tensors": [], "node_type": "tensor", "params": {"address": 1492992, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1492992, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "DEVICE", "tensor_id": 7}, "stacking_level": 3, "id": 10}, {"arguments": [], "connections": [12], "counter": 11, "duration_ns": 2407810, "input_tensors": [], "node_type": "function_end", "params": {"name": "BinaryNgDeviceOperation"}, "stacking_level": 2, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "tensor", "params": {"address": 1492992, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1492992, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "DEVICE", "tensor_id": 7}, "stacking_level": 2, "id": 12}, {"arguments": [], "connections": [35], "counter": 13, "duration_ns": 2584948, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.add"}, "stacking_level": 1, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 14}]',0);
INSERT INTO "captured_graph" VALUES(30001,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 9], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "bl\u00f6ck \"q\" \\ \n \u4e2d\u6587 <&>"}, "stacking_level": 1, "id": 1}, {"arguments": [], "connections": [3, 14], "counter": 2, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.relu"}, "stacking_level": 2, "id": 2}, {"arguments": ["operation_attributes_t({<BasicUnaryWithParam>}, DataType::BFLOAT16, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), 0, 0, 0, <CoreRangeSet>, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 256, 128]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [5, 6, 11, 12, 13, 16], "counter": 3, "input_tensors": [4], "node_type": "function_start", "params": {"inputs": "2", "name": "UnaryDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory"}, "stacking_level": 3, "id": 3}, {"arguments": [], "connections": [3], "counter": 4, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 1}, "stacking_level": 3, "id": 4}, {"arguments": [], "connections": [4], "counter": 5, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 3, "id": 5}, {"arguments": ["Shape([1, 1, 256, 128])", "DataType::BFLOAT16", "Layout::TILE", "0x55a637afc950", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [7, 8, 17], "counter": 6, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 6}, {"arguments": [], "connections": [18, 15], "counter": 7, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 7}, {"arguments": [], "connections": [7], "counter": 8, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 8}, {"arguments": [], "connections": [18], "counter": 9, "duration_ns": 6821317, "input_tensors": [], "node_type": "function_end", "params": {"name": "bl\u00f6ck \"q\" \\ \n \u4e2d\u6587 <&>"}, "stacking_level": 1, "id": 9}, {"arguments": [], "connections": [], "counter": 10, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 4, "id": 10}, {"arguments": [], "connections": [3], "counter": 11, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 3, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "sub_device_manager", "params": {"device_id": 0, "sub_device_manager_id": 0, "sub_devices": "[{\"sub_device_id\":0,\"worker_core_ranges\":[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]}]"}, "stacking_level": 3, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "input_tensors": [], "node_type": "program_execution", "params": {"command_queue_id": 0, "device_id": 0, "global_call_count": 1024, "physical_device_id": 0, "runtime_id": 1, "sub_device_id": 0, "sub_device_manager_id": 0, "worker_core_ranges": "[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]"}, "stacking_level": 3, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "duration_ns": 6743817, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.relu"}, "stacking_level": 2, "id": 14}, {"arguments": [], "connections": [], "counter": 15, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 3, "id": 15}, {"arguments": [], "connections": [15], "counter": 16, "duration_ns": 6470481, "input_tensors": [], "node_type": "function_end", "params": {"name": "UnaryDeviceOperation"}, "stacking_level": 3, "id": 16}, {"arguments": [], "connections": [18], "counter": 17, "duration_ns": 54410, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 17}, {"arguments": [], "connections": [], "counter": 18, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 4, "id": 18}, {"arguments": [], "connections": [], "counter": 19, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 19}]',0);
INSERT INTO "captured_graph" VALUES(40001,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [], "counter": 1, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 4, "id": 1}, {"arguments": [], "connections": [], "counter": 2, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 2}]',0);
INSERT INTO "captured_graph" VALUES(40002,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [], "counter": 1, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 3, "id": 1}, {"arguments": [], "connections": [], "counter": 2, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 2}]',0);
INSERT INTO "captured_graph" VALUES(40003,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": ["Shape([1, 1, 256, 128])", "DataType::BFLOAT16", "Layout::TILE", "0x55a637afc950", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [2, 3, 4], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 1}, {"arguments": [], "connections": [5, 13], "counter": 2, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 3}, {"arguments": [], "connections": [5], "counter": 4, "duration_ns": 54410, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 4}, {"arguments": [], "connections": [], "counter": 5, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 4, "id": 5}, {"arguments": [], "connections": [], "counter": 6, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 6}]',0);
INSERT INTO "captured_graph" VALUES(40004,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [], "counter": 1, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 1}]',0);
INSERT INTO "captured_graph" VALUES(40005,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [], "counter": 1, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 1}]',0);
INSERT INTO "captured_graph" VALUES(50001,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"node_type": "function_start", "stacking_level": 1, "counter": 1, "params": {"inputs": "0", "name": "bl\u00f6ck \"q\" \\ \n \u4e2d\u6587 <&>"}, "connections": [2, 16], "input_tensors": [], "arguments": [], "id": 1}, {"node_type": "function_start", "stacking_level": 2, "counter": 2, "params": {"inputs": "0", "name": "ttnn.relu"}, "connections": [3], "input_tensors": [], "arguments": [], "id": 2}, {"node_type": "function_start", "stacking_level": 3, "counter": 3, "params": {"inputs": "2", "name": "UnaryDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory"}, "connections": [5, 6, 11, 12, 13, 14], "input_tensors": [4], "arguments": ["operation_attributes_t({<BasicUnaryWithParam>}, DataType::BFLOAT16, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), 0, 0, 0, <CoreRangeSet>, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 256, 128]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "id": 3}, {"node_type": "tensor", "stacking_level": 3, "counter": 4, "params": {"address": 1497088, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 1}, "connections": [3], "input_tensors": [], "arguments": [], "id": 4}, {"node_type": "buffer", "stacking_level": 3, "counter": 5, "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "connections": [4], "input_tensors": [], "arguments": [], "id": 5}, {"node_type": "function_start", "stacking_level": 4, "counter": 6, "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "connections": [7, 8, 9], "input_tensors": [], "arguments": ["Shape([1, 1, 256, 128])", "DataType::BFLOAT16", "Layout::TILE", "0x55a637afc950", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "id": 6}, {"node_type": "buffer", "stacking_level": 4, "counter": 7, "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "connections": [10, 15], "input_tensors": [], "arguments": [], "id": 7}, {"node_type": "buffer_allocate", "stacking_level": 4, "counter": 8, "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 65536, "type": "L1"}, "connections": [7], "input_tensors": [], "arguments": [], "id": 8}, {"node_type": "function_end", "stacking_level": 4, "counter": 9, "params": {"name": "tt::tt_metal::create_device_tensor"}, "duration_ns": 54410, "connections": [10], "input_tensors": [], "arguments": [], "id": 9}, {"node_type": "tensor", "stacking_level": 4, "counter": 10, "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "connections": [], "input_tensors": [], "arguments": [], "id": 10}, {"node_type": "circular_buffer_deallocate_all", "stacking_level": 3, "counter": 11, "params": {"device_id": 0}, "connections": [3], "input_tensors": [], "arguments": [], "id": 11}, {"node_type": "sub_device_manager", "stacking_level": 3, "counter": 12, "params": {"device_id": 0, "sub_device_manager_id": 0, "sub_devices": "[{\"sub_device_id\":0,\"worker_core_ranges\":[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]}]"}, "connections": [], "input_tensors": [], "arguments": [], "id": 12}, {"node_type": "program_execution", "stacking_level": 3, "counter": 13, "params": {"command_queue_id": 0, "device_id": 0, "global_call_count": 1024, "physical_device_id": 0, "runtime_id": 1, "sub_device_id": 0, "sub_device_manager_id": 0, "worker_core_ranges": "[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]"}, "connections": [], "input_tensors": [], "arguments": [], "id": 13}, {"node_type": "function_end", "stacking_level": 3, "counter": 14, "params": {"name": "UnaryDeviceOperation"}, "duration_ns": 6470481, "connections": [15], "input_tensors": [], "arguments": [], "id": 14}, {"node_type": "tensor", "stacking_level": 3, "counter": 15, "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "connections": [], "input_tensors": [], "arguments": [], "id": 15}, {"node_type": "function_end", "stacking_level": 1, "counter": 16, "params": {"name": "bl\u00f6ck \"q\" \\ \n \u4e2d\u6587 <&>"}, "duration_ns": 6821317, "connections": [17], "input_tensors": [], "arguments": [], "id": 16}, {"arguments": [], "connections": [], "counter": 17, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 17}]',0);
INSERT INTO "captured_graph" VALUES(60001,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 8], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.zeros"}, "stacking_level": 1, "id": 1}, {"arguments": ["Tensor(storage=HostStorage(),tensor_spec=TensorSpec(logical_shape=Shape([4, 3, 32, 32]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))", "0x55876aa320b0", "1"], "connections": [4, 5, 6], "counter": 2, "input_tensors": [3], "node_type": "function_start", "params": {"inputs": "3", "name": "Tensor::to_device"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "HOST", "tensor_id": 0}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [9, 19], "counter": 4, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "size": 24576, "type": "L1"}, "stacking_level": 2, "id": 4}, {"arguments": [], "connections": [4], "counter": 5, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1497088, "buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 24576, "type": "L1"}, "stacking_level": 2, "id": 5}, {"arguments": [], "connections": [9], "counter": 6, "duration_ns": 147952, "input_tensors": [], "node_type": "function_end", "params": {"name": "Tensor::to_device"}, "stacking_level": 2, "id": 6}, {"arguments": [], "connections": [], "counter": 7, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "DEVICE", "tensor_id": 1}, "stacking_level": 2, "id": 7}, {"arguments": [], "connections": [9], "counter": 8, "duration_ns": 358264, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.zeros"}, "stacking_level": 1, "id": 8}, {"arguments": [], "connections": [], "counter": 9, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "DEVICE", "tensor_id": 1}, "stacking_level": 2, "id": 9}, {"arguments": [], "connections": [], "counter": 10, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 10}]',0);
INSERT INTO "captured_graph" VALUES(60002,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [4], "counter": 1, "input_tensors": [], "node_type": "buffer_deallocate", "params": {"address": 1497088, "buffer_type": 1, "device_id": 1, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 24576, "type": "L1"}, "stacking_level": 1, "id": 1}, {"arguments": [], "connections": [38], "counter": 2, "duration_ns": 15672, "input_tensors": [], "node_type": "function_end", "params": {"name": "Tensor::deallocate"}, "stacking_level": 1, "id": 2}, {"arguments": [], "connections": [], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "DEVICE", "tensor_id": 1}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [], "counter": 4, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 4}]',0);
INSERT INTO "captured_graph" VALUES(60003,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": ["operation_attributes_t(BinaryOpType::ADD, SmallVector([]), SmallVector([]), SmallVector([]), std::nullopt, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), DataType::BFLOAT16, DataType::BFLOAT16, <CoreRangeSet>, std::nullopt, std::nullopt, std::nullopt, SubtileBroadcastType::NONE, 0, 0, 0, 0, 0, 0, 0, Layout::TILE, Layout::TILE, Layout::TILE, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([4, 3, 32, 32]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32])))), Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 3, 32, 32]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [21, 26, 27, 28, 29, 30, 31, 32], "counter": 1, "input_tensors": [2, 20], "node_type": "function_start", "params": {"inputs": "2", "name": "BinaryNgDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::binary_ng::BinaryNgDeviceOperation::ProgramFactory"}, "stacking_level": 2, "id": 1}, {"arguments": [], "connections": [1], "counter": 2, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 1, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([4, 3, 32, 32])", "size": 24576, "storage_type": "DEVICE", "tensor_id": 2}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [25], "counter": 3, "duration_ns": 16939, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 3}, {"arguments": [], "connections": [], "counter": 4, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 4}]',0);
INSERT INTO "captured_graph" VALUES(60004,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [], "counter": 1, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 1}]',0);
INSERT INTO "captured_graph" VALUES(60005,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [], "counter": 1, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 1}]',0);
INSERT INTO "captured_graph" VALUES(70001,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [15], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "bl\u00f6ck \"q\" \\ \n \u4e2d\u6587 <&>"}, "stacking_level": 1, "id": 1}, {"arguments": ["operation_attributes_t({<BasicUnaryWithParam>}, DataType::BFLOAT16, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), 0, 0, 0, <CoreRangeSet>, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 256, 128]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [4, 5, 10, 11, 12], "counter": 2, "input_tensors": [3], "node_type": "function_start", "params": {"inputs": "2", "name": "UnaryDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory"}, "stacking_level": 3, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 1}, "stacking_level": 3, "id": 3}, {"arguments": [], "connections": [3], "counter": 4, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 3, "id": 4}, {"arguments": ["Shape([1, 1, 256, 128])", "DataType::BFLOAT16", "Layout::TILE", "0x55a637afc950", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [6, 7, 8], "counter": 5, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 5}, {"arguments": [], "connections": [16, 13], "counter": 6, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 6}, {"arguments": [], "connections": [6], "counter": 7, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 7}, {"arguments": [], "connections": [16], "counter": 8, "duration_ns": 54410, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 8}, {"arguments": [], "connections": [], "counter": 9, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 4, "id": 9}, {"arguments": [], "connections": [2], "counter": 10, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 3, "id": 10}, {"arguments": [], "connections": [], "counter": 11, "input_tensors": [], "node_type": "sub_device_manager", "params": {"device_id": 0, "sub_device_manager_id": 0, "sub_devices": "[{\"sub_device_id\":0,\"worker_core_ranges\":[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]}]"}, "stacking_level": 3, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "program_execution", "params": {"command_queue_id": 0, "device_id": 0, "global_call_count": 1024, "physical_device_id": 0, "runtime_id": 1, "sub_device_id": 0, "sub_device_manager_id": 0, "worker_core_ranges": "[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]"}, "stacking_level": 3, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 3, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "duration_ns": 6743817, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.relu"}, "stacking_level": 2, "id": 14}, {"arguments": [], "connections": [16], "counter": 15, "duration_ns": 6821317, "input_tensors": [], "node_type": "function_end", "params": {"name": "bl\u00f6ck \"q\" \\ \n \u4e2d\u6587 <&>"}, "stacking_level": 1, "id": 15}, {"arguments": [], "connections": [], "counter": 16, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 4, "id": 16}, {"arguments": [], "connections": [], "counter": 17, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 17}]',0);
INSERT INTO "captured_graph" VALUES(80001,'[{"arguments": [], "connections": [6], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 16], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "bl\u00f6ck \"q\" \\ \n \u4e2d\u6587 <&>"}, "stacking_level": 1, "id": 1}, {"arguments": [], "connections": [3, 15], "counter": 2, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.relu"}, "stacking_level": 2, "id": 2}, {"arguments": ["operation_attributes_t({<BasicUnaryWithParam>}, DataType::BFLOAT16, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), 0, 0, 0, <CoreRangeSet>, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 256, 128]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [5, 7, 12, 12, 13, 13], "counter": 3, "input_tensors": [4], "node_type": "function_start", "params": {"inputs": "2", "name": "UnaryDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory"}, "stacking_level": 3, "id": 3}, {"arguments": [], "connections": [3], "counter": 4, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 1}, "stacking_level": 3, "id": 4}, {"arguments": [], "connections": [4], "counter": 5, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 3, "id": 5}, {"arguments": [], "connections": [2, 16], "counter": 6, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "bl\u00f6ck \"q\" \\ \n \u4e2d\u6587 <&>"}, "stacking_level": 1, "id": 6}, {"arguments": ["Shape([1, 1, 256, 128])", "DataType::BFLOAT16", "Layout::TILE", "0x55a637afc950", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [8, 9, 10], "counter": 7, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 7}, {"arguments": [], "connections": [11, 14], "counter": 8, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 8}, {"arguments": [], "connections": [8], "counter": 9, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 9}, {"arguments": [], "connections": [11], "counter": 10, "duration_ns": 54410, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 10}, {"arguments": [], "connections": [], "counter": 11, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 4, "id": 11}, {"arguments": [], "connections": [3], "counter": 12, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 3, "id": 12}, {"arguments": [], "connections": [14], "counter": 13, "duration_ns": 6470481, "input_tensors": [], "node_type": "function_end", "params": {"name": "UnaryDeviceOperation"}, "stacking_level": 3, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 3, "id": 14}, {"arguments": [], "connections": [], "counter": 15, "duration_ns": 6743817, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.relu"}, "stacking_level": 2, "id": 15}, {"arguments": [], "connections": [18], "counter": 16, "duration_ns": 6821317, "input_tensors": [], "node_type": "function_end", "params": {"name": "bl\u00f6ck \"q\" \\ \n \u4e2d\u6587 <&>"}, "stacking_level": 1, "id": 16}, {"arguments": [], "connections": [], "counter": 17, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 17}]',0);
INSERT INTO "captured_graph" VALUES(90001,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 17], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "bl\u00f6ck \"q\" \\ \n \u4e2d\u6587 <&>"}, "stacking_level": 1, "id": 1}, {"arguments": [], "connections": [3, 16], "counter": 2, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.relu"}, "stacking_level": 2, "id": 2}, {"arguments": ["operation_attributes_t({<BasicUnaryWithParam>}, DataType::BFLOAT16, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), 0, 0, 0, <CoreRangeSet>, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 256, 128]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [5, 6, 11, 12, 13, 14], "counter": 3, "input_tensors": [4], "node_type": "function_start", "params": {"inputs": "2", "name": "UnaryDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory"}, "stacking_level": 3, "id": 3}, {"arguments": [], "connections": [3], "counter": 4, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 1}, "stacking_level": 3, "id": 4}, {"arguments": [], "connections": [4], "counter": 5, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 3, "id": 5}, {"arguments": ["Shape([1, 1, 256, 128])", "DataType::BFLOAT16", "Layout::TILE", "0x55a637afc950", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [7, 8, 9], "counter": 6, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 6}, {"arguments": [], "connections": [10, 15], "counter": 7, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 7}, {"arguments": [], "connections": [7], "counter": 8, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 8}, {"arguments": [], "connections": [10], "counter": 9, "duration_ns": 54410, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 9}, {"arguments": [], "connections": [], "counter": 10, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 4, "id": 10}, {"arguments": [], "connections": [3], "counter": 11, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 3, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "sub_device_manager", "params": {"device_id": 0, "sub_device_manager_id": 0, "sub_devices": "[{\"sub_device_id\":0,\"worker_core_ranges\":[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]}]"}, "stacking_level": 3, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "input_tensors": [], "node_type": "program_execution", "params": {"command_queue_id": 0, "device_id": 0, "global_call_count": 1024, "physical_device_id": 0, "runtime_id": 1, "sub_device_id": 0, "sub_device_manager_id": 0, "worker_core_ranges": "[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]"}, "stacking_level": 3, "id": 13}, {"arguments": [], "connections": [15], "counter": 14, "duration_ns": 6470481, "input_tensors": [], "node_type": "function_end", "params": {"name": "UnaryDeviceOperation"}, "stacking_level": 3, "id": 14}, {"arguments": [], "connections": [], "counter": 15, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 3, "id": 15}, {"arguments": [], "connections": [], "counter": 16, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 16}]',0);
CREATE TABLE device_tensors (
            tensor_id int,
            device_id int,
            address int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO "device_tensors" VALUES(1,1,1497088,0);
INSERT INTO "device_tensors" VALUES(1,0,1497088,0);
INSERT INTO "device_tensors" VALUES(11,0,1460224,0);
INSERT INTO "device_tensors" VALUES(2,1,1497088,0);
INSERT INTO "device_tensors" VALUES(5,1,1495040,0);
INSERT INTO "device_tensors" VALUES(7,1,1492992,0);
INSERT INTO "device_tensors" VALUES(1,0,1497088,0);
INSERT INTO "device_tensors" VALUES(11,0,1460224,0);
INSERT INTO "device_tensors" VALUES(1,0,1497088,0);
INSERT INTO "device_tensors" VALUES(11,0,1460224,0);
INSERT INTO "device_tensors" VALUES(1,0,1497088,0);
INSERT INTO "device_tensors" VALUES(11,0,1460224,0);
INSERT INTO "device_tensors" VALUES(1,1,1497088,0);
INSERT INTO "device_tensors" VALUES(2,1,1497088,0);
INSERT INTO "device_tensors" VALUES(7,1,1492992,0);
INSERT INTO "device_tensors" VALUES(1,0,1497088,0);
INSERT INTO "device_tensors" VALUES(11,0,1460224,0);
INSERT INTO "device_tensors" VALUES(1,0,1497088,0);
INSERT INTO "device_tensors" VALUES(11,0,1460224,0);
INSERT INTO "device_tensors" VALUES(1,0,1497088,0);
INSERT INTO "device_tensors" VALUES(11,0,1460224,0);
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
INSERT INTO "devices" VALUES(0,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
INSERT INTO "devices" VALUES(1,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
INSERT INTO "devices" VALUES(0,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
INSERT INTO "devices" VALUES(0,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
INSERT INTO "devices" VALUES(1,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
INSERT INTO "devices" VALUES(0,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
INSERT INTO "devices" VALUES(0,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
INSERT INTO "devices" VALUES(0,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
INSERT INTO "devices" VALUES(0,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
INSERT INTO "devices" VALUES(1,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
INSERT INTO "devices" VALUES(0,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
INSERT INTO "devices" VALUES(0,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
INSERT INTO "devices" VALUES(0,9,8,8,8,1499136,64,1393312,0,105824,1,64,0,95944704,0,89171968,89171968,1393312,0);
CREATE TABLE edges (
            operation_id int,
            source_unique_id int,
            sink_unique_id int,
            source_output_index int,
            sink_input_index int,
            key int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO "edges" VALUES(1,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(1,1,2,0,0,0,0);
INSERT INTO "edges" VALUES(2,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(2,1,2,0,0,0,0);
INSERT INTO "edges" VALUES(2,2,7,0,0,0,0);
INSERT INTO "edges" VALUES(2,2,19,1,0,1,0);
INSERT INTO "edges" VALUES(2,3,2,0,0,0,0);
INSERT INTO "edges" VALUES(2,4,7,0,0,0,0);
INSERT INTO "edges" VALUES(3,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(3,1,2,0,0,0,0);
INSERT INTO "edges" VALUES(10001,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(10001,1,2,0,0,0,0);
INSERT INTO "edges" VALUES(10001,1,15,1,0,1,0);
INSERT INTO "edges" VALUES(10001,2,4,0,0,0,0);
INSERT INTO "edges" VALUES(10001,2,5,1,0,1,0);
INSERT INTO "edges" VALUES(10001,2,10,2,0,2,0);
INSERT INTO "edges" VALUES(10001,2,11,3,0,3,0);
INSERT INTO "edges" VALUES(10001,2,12,4,0,4,0);
INSERT INTO "edges" VALUES(10001,2,13,5,0,5,0);
INSERT INTO "edges" VALUES(10001,3,2,0,0,0,0);
INSERT INTO "edges" VALUES(10001,4,3,0,0,0,0);
INSERT INTO "edges" VALUES(10001,5,6,0,0,0,0);
INSERT INTO "edges" VALUES(10001,5,7,1,0,1,0);
INSERT INTO "edges" VALUES(10001,5,8,2,0,2,0);
INSERT INTO "edges" VALUES(10001,6,9,0,0,0,0);
INSERT INTO "edges" VALUES(10001,6,14,1,0,1,0);
INSERT INTO "edges" VALUES(10001,7,6,0,0,0,0);
INSERT INTO "edges" VALUES(10001,8,9,0,0,0,0);
INSERT INTO "edges" VALUES(10001,10,2,0,0,0,0);
INSERT INTO "edges" VALUES(10001,13,14,0,0,0,0);
INSERT INTO "edges" VALUES(10002,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(20001,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(20001,1,2,0,0,0,0);
INSERT INTO "edges" VALUES(20001,1,13,1,0,1,0);
INSERT INTO "edges" VALUES(20001,2,5,0,0,0,0);
INSERT INTO "edges" VALUES(20001,2,26,1,0,1,0);
INSERT INTO "edges" VALUES(20001,2,27,2,0,2,0);
INSERT INTO "edges" VALUES(20001,2,28,3,0,3,0);
INSERT INTO "edges" VALUES(20001,2,29,4,0,4,0);
INSERT INTO "edges" VALUES(20001,2,30,5,0,5,0);
INSERT INTO "edges" VALUES(20001,2,31,6,0,6,0);
INSERT INTO "edges" VALUES(20001,2,11,7,0,7,0);
INSERT INTO "edges" VALUES(20001,3,2,0,0,0,0);
INSERT INTO "edges" VALUES(20001,4,2,0,0,0,0);
INSERT INTO "edges" VALUES(20001,5,6,0,0,0,0);
INSERT INTO "edges" VALUES(20001,5,7,1,0,1,0);
INSERT INTO "edges" VALUES(20001,5,9,2,0,2,0);
INSERT INTO "edges" VALUES(20001,6,10,0,0,0,0);
INSERT INTO "edges" VALUES(20001,6,12,1,0,1,0);
INSERT INTO "edges" VALUES(20001,7,6,0,0,0,0);
INSERT INTO "edges" VALUES(20001,9,10,0,0,0,0);
INSERT INTO "edges" VALUES(20001,11,12,0,0,0,0);
INSERT INTO "edges" VALUES(20001,13,35,0,0,0,0);
INSERT INTO "edges" VALUES(30001,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(30001,1,2,0,0,0,0);
INSERT INTO "edges" VALUES(30001,1,9,1,0,1,0);
INSERT INTO "edges" VALUES(30001,2,3,0,0,0,0);
INSERT INTO "edges" VALUES(30001,2,14,1,0,1,0);
INSERT INTO "edges" VALUES(30001,3,5,0,0,0,0);
INSERT INTO "edges" VALUES(30001,3,6,1,0,1,0);
INSERT INTO "edges" VALUES(30001,3,11,2,0,2,0);
INSERT INTO "edges" VALUES(30001,3,12,3,0,3,0);
INSERT INTO "edges" VALUES(30001,3,13,4,0,4,0);
INSERT INTO "edges" VALUES(30001,3,16,5,0,5,0);
INSERT INTO "edges" VALUES(30001,4,3,0,0,0,0);
INSERT INTO "edges" VALUES(30001,5,4,0,0,0,0);
INSERT INTO "edges" VALUES(30001,6,7,0,0,0,0);
INSERT INTO "edges" VALUES(30001,6,8,1,0,1,0);
INSERT INTO "edges" VALUES(30001,6,17,2,0,2,0);
INSERT INTO "edges" VALUES(30001,7,18,0,0,0,0);
INSERT INTO "edges" VALUES(30001,7,15,1,0,1,0);
INSERT INTO "edges" VALUES(30001,8,7,0,0,0,0);
INSERT INTO "edges" VALUES(30001,9,18,0,0,0,0);
INSERT INTO "edges" VALUES(30001,11,3,0,0,0,0);
INSERT INTO "edges" VALUES(30001,16,15,0,0,0,0);
INSERT INTO "edges" VALUES(30001,17,18,0,0,0,0);
INSERT INTO "edges" VALUES(40001,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(40002,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(40003,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(40003,1,2,0,0,0,0);
INSERT INTO "edges" VALUES(40003,1,3,1,0,1,0);
INSERT INTO "edges" VALUES(40003,1,4,2,0,2,0);
INSERT INTO "edges" VALUES(40003,2,5,0,0,0,0);
INSERT INTO "edges" VALUES(40003,2,13,1,0,1,0);
INSERT INTO "edges" VALUES(40003,3,2,0,0,0,0);
INSERT INTO "edges" VALUES(40003,4,5,0,0,0,0);
INSERT INTO "edges" VALUES(40004,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(40005,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(50001,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(50001,1,2,0,0,0,0);
INSERT INTO "edges" VALUES(50001,1,16,1,0,1,0);
INSERT INTO "edges" VALUES(50001,2,3,0,0,0,0);
INSERT INTO "edges" VALUES(50001,3,5,0,0,0,0);
INSERT INTO "edges" VALUES(50001,3,6,1,0,1,0);
INSERT INTO "edges" VALUES(50001,3,11,2,0,2,0);
INSERT INTO "edges" VALUES(50001,3,12,3,0,3,0);
INSERT INTO "edges" VALUES(50001,3,13,4,0,4,0);
INSERT INTO "edges" VALUES(50001,3,14,5,0,5,0);
INSERT INTO "edges" VALUES(50001,4,3,0,0,0,0);
INSERT INTO "edges" VALUES(50001,5,4,0,0,0,0);
INSERT INTO "edges" VALUES(50001,6,7,0,0,0,0);
INSERT INTO "edges" VALUES(50001,6,8,1,0,1,0);
INSERT INTO "edges" VALUES(50001,6,9,2,0,2,0);
INSERT INTO "edges" VALUES(50001,7,10,0,0,0,0);
INSERT INTO "edges" VALUES(50001,7,15,1,0,1,0);
INSERT INTO "edges" VALUES(50001,8,7,0,0,0,0);
INSERT INTO "edges" VALUES(50001,9,10,0,0,0,0);
INSERT INTO "edges" VALUES(50001,11,3,0,0,0,0);
INSERT INTO "edges" VALUES(50001,14,15,0,0,0,0);
INSERT INTO "edges" VALUES(50001,16,17,0,0,0,0);
INSERT INTO "edges" VALUES(60001,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(60001,1,2,0,0,0,0);
INSERT INTO "edges" VALUES(60001,1,8,1,0,1,0);
INSERT INTO "edges" VALUES(60001,2,4,0,0,0,0);
INSERT INTO "edges" VALUES(60001,2,5,1,0,1,0);
INSERT INTO "edges" VALUES(60001,2,6,2,0,2,0);
INSERT INTO "edges" VALUES(60001,3,2,0,0,0,0);
INSERT INTO "edges" VALUES(60001,4,9,0,0,0,0);
INSERT INTO "edges" VALUES(60001,4,19,1,0,1,0);
INSERT INTO "edges" VALUES(60001,5,4,0,0,0,0);
INSERT INTO "edges" VALUES(60001,6,9,0,0,0,0);
INSERT INTO "edges" VALUES(60001,8,9,0,0,0,0);
INSERT INTO "edges" VALUES(60002,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(60002,1,4,0,0,0,0);
INSERT INTO "edges" VALUES(60002,2,38,0,0,0,0);
INSERT INTO "edges" VALUES(60003,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(60003,1,21,0,0,0,0);
INSERT INTO "edges" VALUES(60003,1,26,1,0,1,0);
INSERT INTO "edges" VALUES(60003,1,27,2,0,2,0);
INSERT INTO "edges" VALUES(60003,1,28,3,0,3,0);
INSERT INTO "edges" VALUES(60003,1,29,4,0,4,0);
INSERT INTO "edges" VALUES(60003,1,30,5,0,5,0);
INSERT INTO "edges" VALUES(60003,1,31,6,0,6,0);
INSERT INTO "edges" VALUES(60003,1,32,7,0,7,0);
INSERT INTO "edges" VALUES(60003,2,1,0,0,0,0);
INSERT INTO "edges" VALUES(60003,3,25,0,0,0,0);
INSERT INTO "edges" VALUES(60004,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(60005,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(70001,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(70001,1,15,0,0,0,0);
INSERT INTO "edges" VALUES(70001,2,4,0,0,0,0);
INSERT INTO "edges" VALUES(70001,2,5,1,0,1,0);
INSERT INTO "edges" VALUES(70001,2,10,2,0,2,0);
INSERT INTO "edges" VALUES(70001,2,11,3,0,3,0);
INSERT INTO "edges" VALUES(70001,2,12,4,0,4,0);
INSERT INTO "edges" VALUES(70001,3,2,0,0,0,0);
INSERT INTO "edges" VALUES(70001,4,3,0,0,0,0);
INSERT INTO "edges" VALUES(70001,5,6,0,0,0,0);
INSERT INTO "edges" VALUES(70001,5,7,1,0,1,0);
INSERT INTO "edges" VALUES(70001,5,8,2,0,2,0);
INSERT INTO "edges" VALUES(70001,6,16,0,0,0,0);
INSERT INTO "edges" VALUES(70001,6,13,1,0,1,0);
INSERT INTO "edges" VALUES(70001,7,6,0,0,0,0);
INSERT INTO "edges" VALUES(70001,8,16,0,0,0,0);
INSERT INTO "edges" VALUES(70001,10,2,0,0,0,0);
INSERT INTO "edges" VALUES(70001,15,16,0,0,0,0);
INSERT INTO "edges" VALUES(80001,0,6,0,0,0,0);
INSERT INTO "edges" VALUES(80001,1,2,0,0,0,0);
INSERT INTO "edges" VALUES(80001,1,16,1,0,1,0);
INSERT INTO "edges" VALUES(80001,2,3,0,0,0,0);
INSERT INTO "edges" VALUES(80001,2,15,1,0,1,0);
INSERT INTO "edges" VALUES(80001,3,5,0,0,0,0);
INSERT INTO "edges" VALUES(80001,3,7,1,0,1,0);
INSERT INTO "edges" VALUES(80001,3,12,2,0,2,0);
INSERT INTO "edges" VALUES(80001,3,12,3,0,3,0);
INSERT INTO "edges" VALUES(80001,3,13,4,0,4,0);
INSERT INTO "edges" VALUES(80001,3,13,5,0,5,0);
INSERT INTO "edges" VALUES(80001,4,3,0,0,0,0);
INSERT INTO "edges" VALUES(80001,5,4,0,0,0,0);
INSERT INTO "edges" VALUES(80001,6,2,0,0,0,0);
INSERT INTO "edges" VALUES(80001,6,16,1,0,1,0);
INSERT INTO "edges" VALUES(80001,7,8,0,0,0,0);
INSERT INTO "edges" VALUES(80001,7,9,1,0,1,0);
INSERT INTO "edges" VALUES(80001,7,10,2,0,2,0);
INSERT INTO "edges" VALUES(80001,8,11,0,0,0,0);
INSERT INTO "edges" VALUES(80001,8,14,1,0,1,0);
INSERT INTO "edges" VALUES(80001,9,8,0,0,0,0);
INSERT INTO "edges" VALUES(80001,10,11,0,0,0,0);
INSERT INTO "edges" VALUES(80001,12,3,0,0,0,0);
INSERT INTO "edges" VALUES(80001,13,14,0,0,0,0);
INSERT INTO "edges" VALUES(80001,16,18,0,0,0,0);
INSERT INTO "edges" VALUES(90001,0,1,0,0,0,0);
INSERT INTO "edges" VALUES(90001,1,2,0,0,0,0);
INSERT INTO "edges" VALUES(90001,1,17,1,0,1,0);
INSERT INTO "edges" VALUES(90001,2,3,0,0,0,0);
INSERT INTO "edges" VALUES(90001,2,16,1,0,1,0);
INSERT INTO "edges" VALUES(90001,3,5,0,0,0,0);
INSERT INTO "edges" VALUES(90001,3,6,1,0,1,0);
INSERT INTO "edges" VALUES(90001,3,11,2,0,2,0);
INSERT INTO "edges" VALUES(90001,3,12,3,0,3,0);
INSERT INTO "edges" VALUES(90001,3,13,4,0,4,0);
INSERT INTO "edges" VALUES(90001,3,14,5,0,5,0);
INSERT INTO "edges" VALUES(90001,4,3,0,0,0,0);
INSERT INTO "edges" VALUES(90001,5,4,0,0,0,0);
INSERT INTO "edges" VALUES(90001,6,7,0,0,0,0);
INSERT INTO "edges" VALUES(90001,6,8,1,0,1,0);
INSERT INTO "edges" VALUES(90001,6,9,2,0,2,0);
INSERT INTO "edges" VALUES(90001,7,10,0,0,0,0);
INSERT INTO "edges" VALUES(90001,7,15,1,0,1,0);
INSERT INTO "edges" VALUES(90001,8,7,0,0,0,0);
INSERT INTO "edges" VALUES(90001,9,10,0,0,0,0);
INSERT INTO "edges" VALUES(90001,11,3,0,0,0,0);
INSERT INTO "edges" VALUES(90001,14,15,0,0,0,0);
CREATE TABLE errors (
            operation_id int,
            operation_name text,
            error_type text,
            error_message text,
            stack_trace text,
            timestamp text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO "errors" VALUES(50001,'blöck "q" \ 
 中文 <&>','incomplete_operation','Operation ''blöck "q" \ 
 中文 <&>'' started but never completed (likely crashed)','','',0);
INSERT INTO "errors" VALUES(80001,'blöck "q" \ 
 中文 <&>','incomplete_operation','Operation ''blöck "q" \ 
 中文 <&>'' started but never completed (likely crashed)','','',0);
INSERT INTO "errors" VALUES(90001,'blöck "q" \ 
 中文 <&>','incomplete_operation','Operation ''blöck "q" \ 
 中文 <&>'' started but never completed (likely crashed)','','',0);
CREATE TABLE execution_sub_devices (
            execution_id int,
            device_id int,
            sub_device_manager_id int,
            sub_device_id int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(execution_id, device_id, sub_device_manager_id, sub_device_id, rank)
        );
INSERT INTO "execution_sub_devices" VALUES(10241024,0,0,0,0);
INSERT INTO "execution_sub_devices" VALUES(30721024,0,0,0,0);
INSERT INTO "execution_sub_devices" VALUES(71681024,0,0,0,0);
CREATE TABLE global_tensor_comparison_records (
            tensor_id int,
            golden_tensor_id int,
            matches int,
            desired_pcc float,
            actual_pcc float,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(tensor_id, rank)
        );
CREATE TABLE input_tensors (
            operation_id int,
            input_index int,
            tensor_id int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO "input_tensors" VALUES(3,0,1,0);
INSERT INTO "input_tensors" VALUES(30001,0,1,0);
INSERT INTO "input_tensors" VALUES(40004,0,1,0);
INSERT INTO "input_tensors" VALUES(50001,0,1,0);
INSERT INTO "input_tensors" VALUES(60003,0,7,0);
INSERT INTO "input_tensors" VALUES(70001,0,1,0);
INSERT INTO "input_tensors" VALUES(80001,0,1,0);
INSERT INTO "input_tensors" VALUES(90001,0,1,0);
CREATE TABLE local_tensor_comparison_records (
            tensor_id int,
            golden_tensor_id int,
            matches int,
            desired_pcc float,
            actual_pcc float,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(tensor_id, rank)
        );
CREATE TABLE nodes (
            operation_id int,
            unique_id int,
            node_operation_id int,
            name text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO "nodes" VALUES(1,39,1,'ttnn::deallocate',0);
INSERT INTO "nodes" VALUES(3,36,3,'ttnn::deallocate',0);
INSERT INTO "nodes" VALUES(10001,2,1,'ttnn.relu',0);
INSERT INTO "nodes" VALUES(20001,17,1,'ttnn.add',0);
INSERT INTO "nodes" VALUES(30001,1,1,'blöck "q" \ 
 中文 <&>',0);
INSERT INTO "nodes" VALUES(40003,3,3,'blöck "q" \ 
 中文 <&>',0);
INSERT INTO "nodes" VALUES(40003,4,3,'UnaryDeviceOperation',0);
INSERT INTO "nodes" VALUES(40003,7,3,'tt::tt_metal::create_device_tensor',0);
INSERT INTO "nodes" VALUES(50001,1,1,'blöck "q" \ 
 中文 <&>',0);
INSERT INTO "nodes" VALUES(60001,1,1,'ttnn.zeros',0);
INSERT INTO "nodes" VALUES(60003,17,3,'ttnn.add',0);
INSERT INTO "nodes" VALUES(60003,18,3,'BinaryNgDeviceOperation',0);
INSERT INTO "nodes" VALUES(70001,1,1,'blöck "q" \ 
 中文 <&>',0);
INSERT INTO "nodes" VALUES(80001,1,1,'blöck "q" \ 
 中文 <&>',0);
INSERT INTO "nodes" VALUES(90001,1,1,'blöck "q" \ 
 中文 <&>',0);
CREATE TABLE operation_arguments (
            operation_id int,
            name text,
            value text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO "operation_arguments" VALUES(40003,'arg_0','Shape([1, 1, 256, 128])',0);
INSERT INTO "operation_arguments" VALUES(40003,'arg_1','DataType::BFLOAT16',0);
INSERT INTO "operation_arguments" VALUES(40003,'arg_2','Layout::TILE',0);
INSERT INTO "operation_arguments" VALUES(40003,'arg_3','0x55a637afc950',0);
INSERT INTO "operation_arguments" VALUES(40003,'arg_4','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0);
INSERT INTO "operation_arguments" VALUES(40004,'arg_0','operation_attributes_t({<BasicUnaryWithParam>}, DataType::BFLOAT16, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), 0, 0, 0, <CoreRangeSet>, std::nullopt)',0);
INSERT INTO "operation_arguments" VALUES(40004,'arg_1','{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 256, 128]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}',0);
INSERT INTO "operation_arguments" VALUES(60003,'arg_0','operation_attributes_t(BinaryOpType::ADD, SmallVector([]), SmallVector([]), SmallVector([]), std::nullopt, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), DataType::BFLOAT16, DataType::BFLOAT16, <CoreRangeSet>, std::nullopt, std::nullopt, std::nullopt, SubtileBroadcastType::NONE, 0, 0, 0, 0, 0, 0, 0, Layout::TILE, Layout::TILE, Layout::TILE, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt)',0);
INSERT INTO "operation_arguments" VALUES(60003,'arg_1','{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([4, 3, 32, 32]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32])))), Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 3, 32, 32]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}',0);
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
INSERT INTO "operation_executions" VALUES(10241024,10001,0,0,1,1024,0,0);
INSERT INTO "operation_executions" VALUES(30721024,30001,0,0,1,1024,0,0);
INSERT INTO "operation_executions" VALUES(71681024,70001,0,0,1,1024,0,0);
CREATE TABLE operations (
            operation_id int,
            name text,
            duration float,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(operation_id, rank)
        );
INSERT INTO "operations" VALUES(1,'ttnn::deallocate',0.0,0);
INSERT INTO "operations" VALUES(2,'Tensor::deallocate',4.424e-06,0);
INSERT INTO "operations" VALUES(3,'ttnn::deallocate',0.0,0);
INSERT INTO "operations" VALUES(10001,'ttnn.relu',0.006743817,0);
INSERT INTO "operations" VALUES(10002,'blöck "q" \ 
 中文 <&>',0.006821317,0);
INSERT INTO "operations" VALUES(20001,'ttnn.add',0.002584948,0);
INSERT INTO "operations" VALUES(30001,'tt::tt_metal::create_device_tensor',5.441e-05,0);
INSERT INTO "operations" VALUES(40001,'tt::tt_metal::create_device_tensor',5.441e-05,0);
INSERT INTO "operations" VALUES(40002,'UnaryDeviceOperation',0.006470481,0);
INSERT INTO "operations" VALUES(40003,'tt::tt_metal::create_device_tensor',5.441e-05,0);
INSERT INTO "operations" VALUES(40004,'ttnn.relu',0.006743817,0);
INSERT INTO "operations" VALUES(40005,'blöck "q" \ 
 中文 <&>',0.006821317,0);
INSERT INTO "operations" VALUES(50001,'blöck "q" \ 
 中文 <&>',0.0,0);
INSERT INTO "operations" VALUES(60001,'ttnn.zeros',0.000358264,0);
INSERT INTO "operations" VALUES(60002,'Tensor::deallocate',4.424e-06,0);
INSERT INTO "operations" VALUES(60003,'tt::tt_metal::create_device_tensor',1.6939e-05,0);
INSERT INTO "operations" VALUES(60004,'BinaryNgDeviceOperation',0.00240781,0);
INSERT INTO "operations" VALUES(60005,'ttnn.add',0.002584948,0);
INSERT INTO "operations" VALUES(70001,'blöck "q" \ 
 中文 <&>',0.006821317,0);
INSERT INTO "operations" VALUES(80001,'blöck "q" \ 
 中文 <&>',0.0,0);
INSERT INTO "operations" VALUES(90001,'blöck "q" \ 
 中文 <&>',0.0,0);
CREATE TABLE output_tensors (
            operation_id int,
            output_index int,
            tensor_id int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO "output_tensors" VALUES(30001,0,11,0);
INSERT INTO "output_tensors" VALUES(40001,0,11,0);
INSERT INTO "output_tensors" VALUES(40002,0,11,0);
INSERT INTO "output_tensors" VALUES(40003,0,11,0);
INSERT INTO "output_tensors" VALUES(60001,0,1,0);
INSERT INTO "output_tensors" VALUES(60002,0,1,0);
INSERT INTO "output_tensors" VALUES(70001,0,11,0);
CREATE TABLE report_metadata (
            key text UNIQUE,
            value text
        );
INSERT INTO "report_metadata" VALUES('schema_version','3.5');
INSERT INTO "report_metadata" VALUES('rank','0');
INSERT INTO "report_metadata" VALUES('git_url','');
INSERT INTO "report_metadata" VALUES('git_sha','');
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
CREATE TABLE sub_device_managers (
            device_id int,
            sub_device_manager_id int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(device_id, sub_device_manager_id, rank)
        );
INSERT INTO "sub_device_managers" VALUES(0,0,0);
CREATE TABLE sub_devices (
            device_id int,
            sub_device_manager_id int,
            sub_device_id int,
            worker_core_ranges text,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(device_id, sub_device_manager_id, sub_device_id, rank)
        );
INSERT INTO "sub_devices" VALUES(0,0,0,'[{"end": {"x": 7, "y": 7}, "start": {"x": 0, "y": 0}}]',0);
CREATE TABLE tensor_consumers (
            tensor_id int,
            operation_id int,
            input_index int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(tensor_id, operation_id, input_index, rank)
        );
INSERT INTO "tensor_consumers" VALUES(1,3,0,0);
INSERT INTO "tensor_consumers" VALUES(1,30001,0,0);
INSERT INTO "tensor_consumers" VALUES(1,40004,0,0);
INSERT INTO "tensor_consumers" VALUES(1,50001,0,0);
INSERT INTO "tensor_consumers" VALUES(7,60003,0,0);
INSERT INTO "tensor_consumers" VALUES(1,70001,0,0);
INSERT INTO "tensor_consumers" VALUES(1,80001,0,0);
INSERT INTO "tensor_consumers" VALUES(1,90001,0,0);
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
CREATE TABLE tensor_producers (
            tensor_id int,
            operation_id int,
            output_index int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(tensor_id, operation_id, output_index, rank)
        );
INSERT INTO "tensor_producers" VALUES(11,30001,0,0);
INSERT INTO "tensor_producers" VALUES(11,40001,0,0);
INSERT INTO "tensor_producers" VALUES(11,40002,0,0);
INSERT INTO "tensor_producers" VALUES(11,40003,0,0);
INSERT INTO "tensor_producers" VALUES(1,60001,0,0);
INSERT INTO "tensor_producers" VALUES(1,60002,0,0);
INSERT INTO "tensor_producers" VALUES(11,70001,0,0);
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
INSERT INTO "tensors" VALUES(1,'Shape([4, 3, 32, 32])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',1,1497088,1,0,'DEVICE');
INSERT INTO "tensors" VALUES(11,'Shape([1, 1, 256, 128])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,1460224,1,0,'DEVICE');
INSERT INTO "tensors" VALUES(2,'Shape([4, 3, 32, 32])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',1,1497088,1,0,'DEVICE');
INSERT INTO "tensors" VALUES(5,'Shape([1, 3, 32, 32])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',1,1495040,1,0,'DEVICE');
INSERT INTO "tensors" VALUES(7,'Shape([4, 3, 32, 32])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',1,1492992,1,0,'DEVICE');
CREATE INDEX idx_stack_traces_source_file_id ON stack_traces (source_file_id);
COMMIT;
