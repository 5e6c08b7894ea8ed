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
INSERT INTO operations VALUES(1,replace('blöck "q" \ \n 中文 <&>','\n',char(10)),0.0068213170000000003523,0);
CREATE TABLE operation_arguments (
            operation_id int,
            name text,
            value text,
            rank int NOT NULL DEFAULT 0
        );
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
CREATE TABLE execution_sub_devices (
            execution_id int,
            device_id int,
            sub_device_manager_id int,
            sub_device_id int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(execution_id, device_id, sub_device_manager_id, sub_device_id, rank)
        );
INSERT INTO execution_sub_devices VALUES(1024,0,0,0,0);
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
INSERT INTO tensors VALUES(1,'Shape([1, 1, 256, 128])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,1497088,1,0,'DEVICE');
INSERT INTO tensors VALUES(11,'Shape([1, 1, 256, 128])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,1460224,1,0,'DEVICE');
CREATE TABLE device_tensors (
            tensor_id int,
            device_id int,
            address int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO device_tensors VALUES(1,0,1497088,0);
INSERT INTO device_tensors VALUES(11,0,1460224,0);
CREATE TABLE buffers (
            operation_id int,
            device_id int,
            address int,
            max_size_per_bank int,
            buffer_type int,
            buffer_layout int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO buffers VALUES(1,0,1460224,2048,1,0,0);
CREATE TABLE captured_graph (
            operation_id int,
            captured_graph text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO captured_graph VALUES(1,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 17], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "bl\u00f6ck \"q\" \\ \n \u4e2d\u6587 <&>"}, "stacking_level": 1, "id": 1}, {"arguments": [], "connections": [3, 16], "counter": 2, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.relu"}, "stacking_level": 2, "id": 2}, {"arguments": ["operation_attributes_t({<BasicUnaryWithParam>}, DataType::BFLOAT16, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), 0, 0, 0, <CoreRangeSet>, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 256, 128]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [5, 6, 11, 12, 13, 14], "counter": 3, "input_tensors": [4], "node_type": "function_start", "params": {"inputs": "2", "name": "UnaryDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory"}, "stacking_level": 3, "id": 3}, {"arguments": [], "connections": [3], "counter": 4, "input_tensors": [], "node_type": "tensor", "params": {"address": 1497088, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1497088, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 1}, "stacking_level": 3, "id": 4}, {"arguments": [], "connections": [4], "counter": 5, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 3, "id": 5}, {"arguments": ["Shape([1, 1, 256, 128])", "DataType::BFLOAT16", "Layout::TILE", "0x55a637afc950", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [7, 8, 9], "counter": 6, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 6}, {"arguments": [], "connections": [18, 15], "counter": 7, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 7}, {"arguments": [], "connections": [7], "counter": 8, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 2048, "num_cores": 0, "page_size": 2048, "size": 65536, "type": "L1"}, "stacking_level": 4, "id": 8}, {"arguments": [], "connections": [18], "counter": 9, "duration_ns": 54410, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 4, "id": 9}, {"arguments": [], "connections": [], "counter": 10, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 4, "id": 10}, {"arguments": [], "connections": [3], "counter": 11, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 3, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "sub_device_manager", "params": {"device_id": 0, "sub_device_manager_id": 0, "sub_devices": "[{\"sub_device_id\":0,\"worker_core_ranges\":[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]}]"}, "stacking_level": 3, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "input_tensors": [], "node_type": "program_execution", "params": {"command_queue_id": 0, "device_id": 0, "global_call_count": 1024, "physical_device_id": 0, "runtime_id": 1, "sub_device_id": 0, "sub_device_manager_id": 0, "worker_core_ranges": "[{\"end\":{\"x\":7,\"y\":7},\"start\":{\"x\":0,\"y\":0}}]"}, "stacking_level": 3, "id": 13}, {"arguments": [], "connections": [15], "counter": 14, "duration_ns": 6470481, "input_tensors": [], "node_type": "function_end", "params": {"name": "UnaryDeviceOperation"}, "stacking_level": 3, "id": 14}, {"arguments": [], "connections": [], "counter": 15, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 3, "id": 15}, {"arguments": [], "connections": [], "counter": 16, "duration_ns": 6743817, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.relu"}, "stacking_level": 2, "id": 16}, {"arguments": [], "connections": [18], "counter": 17, "duration_ns": 6821317, "input_tensors": [], "node_type": "function_end", "params": {"name": "bl\u00f6ck \"q\" \\ \n \u4e2d\u6587 <&>"}, "stacking_level": 1, "id": 17}, {"arguments": [], "connections": [], "counter": 18, "input_tensors": [], "node_type": "tensor", "params": {"address": 1460224, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 1460224, \"device_id\": 0, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 256, 128])", "size": 65536, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 4, "id": 18}, {"arguments": [], "connections": [], "counter": 19, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 19}]',0);
CREATE TABLE nodes (
            operation_id int,
            unique_id int,
            node_operation_id int,
            name text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO nodes VALUES(1,1,1,replace('blöck "q" \ \n 中文 <&>','\n',char(10)),0);
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
INSERT INTO edges VALUES(1,1,17,1,0,1,0);
INSERT INTO edges VALUES(1,2,3,0,0,0,0);
INSERT INTO edges VALUES(1,2,16,1,0,1,0);
INSERT INTO edges VALUES(1,3,5,0,0,0,0);
INSERT INTO edges VALUES(1,3,6,1,0,1,0);
INSERT INTO edges VALUES(1,3,11,2,0,2,0);
INSERT INTO edges VALUES(1,3,12,3,0,3,0);
INSERT INTO edges VALUES(1,3,13,4,0,4,0);
INSERT INTO edges VALUES(1,3,14,5,0,5,0);
INSERT INTO edges VALUES(1,4,3,0,0,0,0);
INSERT INTO edges VALUES(1,5,4,0,0,0,0);
INSERT INTO edges VALUES(1,6,7,0,0,0,0);
INSERT INTO edges VALUES(1,6,8,1,0,1,0);
INSERT INTO edges VALUES(1,6,9,2,0,2,0);
INSERT INTO edges VALUES(1,7,18,0,0,0,0);
INSERT INTO edges VALUES(1,7,15,1,0,1,0);
INSERT INTO edges VALUES(1,8,7,0,0,0,0);
INSERT INTO edges VALUES(1,9,18,0,0,0,0);
INSERT INTO edges VALUES(1,11,3,0,0,0,0);
INSERT INTO edges VALUES(1,14,15,0,0,0,0);
INSERT INTO edges VALUES(1,17,18,0,0,0,0);
CREATE TABLE report_metadata (
            key text UNIQUE,
            value text
        );
INSERT INTO report_metadata VALUES('schema_version','3.5');
INSERT INTO report_metadata VALUES('build_type','Release');
INSERT INTO report_metadata VALUES('capture_timestamp_ns','1795230906685463338');
INSERT INTO report_metadata VALUES('dirty','False');
INSERT INTO report_metadata VALUES('git_sha','d80d9482a418cf04ddcbeecf6adb67010d3091e6');
INSERT INTO report_metadata VALUES('git_sha_short','d80d9482a4');
INSERT INTO report_metadata VALUES('rank','0');
INSERT INTO report_metadata VALUES('total_duration_ns','6966868');
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
INSERT INTO input_tensors VALUES(1,0,1,0);
CREATE TABLE output_tensors (
            operation_id int,
            output_index int,
            tensor_id int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO output_tensors VALUES(1,0,11,0);
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
INSERT INTO tensor_consumers VALUES(1,1,0,0);
CREATE TABLE tensor_producers (
            tensor_id int,
            operation_id int,
            output_index int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(tensor_id, operation_id, output_index, rank)
        );
INSERT INTO tensor_producers VALUES(11,1,0,0);
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
