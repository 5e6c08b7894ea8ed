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
INSERT INTO devices VALUES(0,8,8,7,8,1499136,56,1393312,0,105824,1,56,0,83951616,0,78025472,78025472,1393312,0);
CREATE TABLE operations (
            operation_id int,
            name text,
            duration float,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(operation_id, rank)
        );
INSERT INTO operations VALUES(1,'ttnn.rms_norm',0.0030440910000000000711,0);
INSERT INTO operations VALUES(2,'ttnn.matmul',0.0049976969999999997298,0);
INSERT INTO operations VALUES(3,'ttnn.deallocate',0.00019309700000000001147,0);
INSERT INTO operations VALUES(4,'ttnn.gelu',0.0028231150000000001729,0);
INSERT INTO operations VALUES(5,'ttnn.matmul',0.0047109049999999996066,0);
INSERT INTO operations VALUES(6,'ttnn.deallocate',0.00020977699999999999407,0);
INSERT INTO operations VALUES(7,'ttnn.add',0.0011053860000000000855,0);
INSERT INTO operations VALUES(8,'ttnn.softmax',0.0032183429999999998115,0);
INSERT INTO operations VALUES(9,'ttnn.deallocate',0.00015787799999999999511,0);
CREATE TABLE operation_arguments (
            operation_id int,
            name text,
            value text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO operation_arguments VALUES(1,'epsilon','1e-05',0);
INSERT INTO operation_arguments VALUES(1,'memory_config','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0);
INSERT INTO operation_arguments VALUES(1,'0','ttnn.Tensor(shape=Shape([1, 1, 128, 1024]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=3, is_allocated=True, device_id=0, mesh_shape=MeshShape([1, 2]), mesh_coords=[''MeshCoordinate([0, 0])'', ''MeshCoordinate([0, 1])''], distribution_shape=MeshShape([2]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(2,'memory_config','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0);
INSERT INTO operation_arguments VALUES(2,'0','ttnn.Tensor(shape=Shape([1, 1, 128, 1024]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=20, is_allocated=True, device_id=0, mesh_shape=MeshShape([1, 2]), mesh_coords=[''MeshCoordinate([0, 0])'', ''MeshCoordinate([0, 1])''], distribution_shape=MeshShape([2]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(2,'1','ttnn.Tensor(shape=Shape([1, 1, 1024, 2048]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=11, is_allocated=True, device_id=0, mesh_shape=MeshShape([1, 2]), mesh_coords=[''MeshCoordinate([0, 0])'', ''MeshCoordinate([0, 1])''], distribution_shape=MeshShape([2]), placements=[''PlacementShard(3)''])',0);
INSERT INTO operation_arguments VALUES(3,'0','ttnn.Tensor(shape=Shape([1, 1, 128, 1024]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=20, is_allocated=True, device_id=0, mesh_shape=MeshShape([1, 2]), mesh_coords=[''MeshCoordinate([0, 0])'', ''MeshCoordinate([0, 1])''], distribution_shape=MeshShape([2]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(4,'memory_config','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0);
INSERT INTO operation_arguments VALUES(4,'0','ttnn.Tensor(shape=Shape([1, 1, 128, 2048]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=23, is_allocated=True, device_id=0, mesh_shape=MeshShape([1, 2]), mesh_coords=[''MeshCoordinate([0, 0])'', ''MeshCoordinate([0, 1])''], distribution_shape=MeshShape([2]), placements=[''PlacementShard(3)''])',0);
INSERT INTO operation_arguments VALUES(5,'memory_config','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0);
INSERT INTO operation_arguments VALUES(5,'0','ttnn.Tensor(shape=Shape([1, 1, 128, 2048]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=26, is_allocated=True, device_id=0, mesh_shape=MeshShape([1, 2]), mesh_coords=[''MeshCoordinate([0, 0])'', ''MeshCoordinate([0, 1])''], distribution_shape=MeshShape([2]), placements=[''PlacementShard(3)''])',0);
INSERT INTO operation_arguments VALUES(5,'1','ttnn.Tensor(shape=Shape([1, 1, 2048, 1024]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=17, is_allocated=True, device_id=0, mesh_shape=MeshShape([1, 2]), mesh_coords=[''MeshCoordinate([0, 0])'', ''MeshCoordinate([0, 1])''], distribution_shape=MeshShape([2]), placements=[''PlacementShard(2)''])',0);
INSERT INTO operation_arguments VALUES(6,'0','ttnn.Tensor(shape=Shape([1, 1, 128, 2048]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=26, is_allocated=True, device_id=0, mesh_shape=MeshShape([1, 2]), mesh_coords=[''MeshCoordinate([0, 0])'', ''MeshCoordinate([0, 1])''], distribution_shape=MeshShape([2]), placements=[''PlacementShard(3)''])',0);
INSERT INTO operation_arguments VALUES(7,'0','ttnn.Tensor(shape=Shape([1, 1, 128, 1024]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=3, is_allocated=True, device_id=0, mesh_shape=MeshShape([1, 2]), mesh_coords=[''MeshCoordinate([0, 0])'', ''MeshCoordinate([0, 1])''], distribution_shape=MeshShape([2]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(7,'1','ttnn.Tensor(shape=Shape([1, 1, 128, 1024]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=3, is_allocated=True, device_id=0, mesh_shape=MeshShape([1, 2]), mesh_coords=[''MeshCoordinate([0, 0])'', ''MeshCoordinate([0, 1])''], distribution_shape=MeshShape([2]), placements=[''PlacementReplicate()''])',0);
INSERT INTO operation_arguments VALUES(8,'dim','-1',0);
INSERT INTO operation_arguments VALUES(8,'0','ttnn.Tensor(shape=Shape([1, 1, 128, 1024]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=29, is_allocated=True, device_id=0, mesh_shape=MeshShape([1, 2]), mesh_coords=[''MeshCoordinate([0, 0])'', ''MeshCoordinate([0, 1])''], distribution_shape=MeshShape([2]), placements=[''PlacementShard(3)''])',0);
INSERT INTO operation_arguments VALUES(9,'0','ttnn.Tensor(shape=Shape([1, 1, 128, 1024]), dtype=DataType.BFLOAT16, layout=Layout.TILE, memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), storage_type=StorageType.DEVICE, tensor_id=29, is_allocated=True, device_id=0, mesh_shape=MeshShape([1, 2]), mesh_coords=[''MeshCoordinate([0, 0])'', ''MeshCoordinate([0, 1])''], distribution_shape=MeshShape([2]), placements=[''PlacementShard(3)''])',0);
CREATE TABLE sub_device_managers (
            device_id int,
            sub_device_manager_id int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(device_id, sub_device_manager_id, rank)
        );
CREATE TABLE sub_devices (
            device_id int,
            sub_device_manager_id int,
            sub_device_id int,
            worker_core_ranges text,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(device_id, sub_device_manager_id, sub_device_id, rank)
        );
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
CREATE TABLE execution_sub_devices (
            execution_id int,
            device_id int,
            sub_device_manager_id int,
            sub_device_id int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(execution_id, device_id, sub_device_manager_id, sub_device_id, rank)
        );
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
INSERT INTO tensors VALUES(3,'Shape([1, 1, 128, 1024])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,1048640,0,0,'DEVICE');
INSERT INTO tensors VALUES(19,'Shape([1, 1, 128, 1024])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,0,1,0,'DEVICE');
INSERT INTO tensors VALUES(20,'Shape([1, 1, 128, 1024])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,0,1,0,'DEVICE');
INSERT INTO tensors VALUES(11,'Shape([1, 1, 1024, 2048])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,1071168,0,0,'DEVICE');
INSERT INTO tensors VALUES(22,'Shape([1, 1, 128, 2048])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,0,1,0,'DEVICE');
INSERT INTO tensors VALUES(23,'Shape([1, 1, 128, 2048])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,0,1,0,'DEVICE');
INSERT INTO tensors VALUES(25,'Shape([1, 1, 128, 2048])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,0,1,0,'DEVICE');
INSERT INTO tensors VALUES(26,'Shape([1, 1, 128, 2048])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,0,1,0,'DEVICE');
INSERT INTO tensors VALUES(17,'Shape([1, 1, 2048, 1024])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,1421376,0,0,'DEVICE');
INSERT INTO tensors VALUES(28,'Shape([1, 1, 128, 1024])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,0,1,0,'DEVICE');
INSERT INTO tensors VALUES(31,'Shape([1, 1, 128, 1024])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,0,0,0,'DEVICE');
INSERT INTO tensors VALUES(29,'Shape([1, 1, 128, 1024])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,0,1,0,'DEVICE');
INSERT INTO tensors VALUES(34,'Shape([1, 1, 128, 1024])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,0,1,0,'DEVICE');
INSERT INTO tensors VALUES(36,'Shape([1, 1, 128, 1024])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',NULL,NULL,1,0,'DEVICE');
INSERT INTO tensors VALUES(32,'Shape([1, 1, 128, 1024])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,0,0,0,'DEVICE');
INSERT INTO tensors VALUES(37,'Shape([1, 1, 128, 1024])','DataType.BFLOAT16','Layout.TILE','MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)',0,0,1,0,'DEVICE');
CREATE TABLE device_tensors (
            tensor_id int,
            device_id int,
            address int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO device_tensors VALUES(3,0,1048640,0);
INSERT INTO device_tensors VALUES(19,0,0,0);
INSERT INTO device_tensors VALUES(20,0,0,0);
INSERT INTO device_tensors VALUES(11,0,1071168,0);
INSERT INTO device_tensors VALUES(22,0,0,0);
INSERT INTO device_tensors VALUES(23,0,0,0);
INSERT INTO device_tensors VALUES(25,0,0,0);
INSERT INTO device_tensors VALUES(26,0,0,0);
INSERT INTO device_tensors VALUES(17,0,1421376,0);
INSERT INTO device_tensors VALUES(28,0,0,0);
INSERT INTO device_tensors VALUES(31,0,0,0);
INSERT INTO device_tensors VALUES(29,0,0,0);
INSERT INTO device_tensors VALUES(34,0,0,0);
INSERT INTO device_tensors VALUES(36,0,0,0);
INSERT INTO device_tensors VALUES(36,1,0,0);
CREATE TABLE buffers (
            operation_id int,
            device_id int,
            address int,
            max_size_per_bank int,
            buffer_type int,
            buffer_layout int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO buffers VALUES(1,0,0,6144,1,0,0);
INSERT INTO buffers VALUES(2,0,0,6144,1,0,0);
INSERT INTO buffers VALUES(2,0,0,10240,1,0,0);
INSERT INTO buffers VALUES(4,0,0,10240,1,0,0);
INSERT INTO buffers VALUES(5,0,0,6144,1,0,0);
INSERT INTO buffers VALUES(7,0,0,22528,0,0,0);
INSERT INTO buffers VALUES(8,0,0,22528,0,0,0);
INSERT INTO buffers VALUES(8,0,0,6144,1,0,0);
CREATE TABLE captured_graph (
            operation_id int,
            captured_graph text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO captured_graph VALUES(1,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 20], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.rms_norm"}, "stacking_level": 1, "id": 1}, {"arguments": ["LayerNormParams(LayerNormType::RMSNORM, DistributedLayerNormStage::NOT_DISTRIBUTED, 1e-05, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), <variant>, ComputeKernelConfig(math_fidelity=HiFi4,math_approx_mode=1,fp32_dest_acc_en=0,packer_l1_acc=0,dst_full_sync_en=0,throttle_level=ThrottleLevel::NO_THROTTLE), std::nullopt, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 128, 1024]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18], "counter": 2, "input_tensors": [3], "node_type": "function_start", "params": {"inputs": "2", "name": "LayerNormDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::prim::LayerNormMultiCoreProgramFactory"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 1048640, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 1048640, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 1048640, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 3}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [3, 84, 85], "counter": 4, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "size": 262144, "type": "DRAM"}, "stacking_level": 2, "id": 4}, {"arguments": ["Shape([1, 1, 128, 1024])", "DataType::BFLOAT16", "Layout::TILE", "0x55a475320d20", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [6, 7, 8], "counter": 5, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 5}, {"arguments": [], "connections": [9, 19, 23], "counter": 6, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 262144, "type": "L1"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [6], "counter": 7, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 6144, "num_cores": 0, "page_size": 2048, "size": 262144, "type": "L1"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [9], "counter": 8, "duration_ns": 88390, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 8}, {"arguments": [], "connections": [], "counter": 9, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 19}, "stacking_level": 3, "id": 9}, {"arguments": [], "connections": [2], "counter": 10, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 2, "id": 10}, {"arguments": [], "connections": [], "counter": 11, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 65536}, "stacking_level": 2, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 32768}, "stacking_level": 2, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 4096}, "stacking_level": 2, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 4096}, "stacking_level": 2, "id": 14}, {"arguments": [], "connections": [], "counter": 15, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 4096}, "stacking_level": 2, "id": 15}, {"arguments": [], "connections": [], "counter": 16, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 65536}, "stacking_level": 2, "id": 16}, {"arguments": [], "connections": [], "counter": 17, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 16384}, "stacking_level": 2, "id": 17}, {"arguments": [], "connections": [19], "counter": 18, "duration_ns": 2659621, "input_tensors": [], "node_type": "function_end", "params": {"name": "LayerNormDeviceOperation"}, "stacking_level": 2, "id": 18}, {"arguments": [], "connections": [], "counter": 19, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 19}, "stacking_level": 2, "id": 19}, {"arguments": [], "connections": [21], "counter": 20, "duration_ns": 3044091, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.rms_norm"}, "stacking_level": 1, "id": 20}, {"arguments": [], "connections": [], "counter": 21, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 21}]',0);
INSERT INTO captured_graph VALUES(2,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 17], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.matmul"}, "stacking_level": 1, "id": 1}, {"arguments": ["MatmulParams(<variant>, 1, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), DataType::BFLOAT16, ComputeKernelConfig(math_fidelity=HiFi2,math_approx_mode=0,fp32_dest_acc_en=0,packer_l1_acc=1,dst_full_sync_en=0,throttle_level=ThrottleLevel::NO_THROTTLE), 0, std::nullopt, std::nullopt, 0, 0, 0, Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4), std::nullopt, std::nullopt, {}, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 128, 1024]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32])))), Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 1024, 2048]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [5, 6, 11, 12, 13, 14, 15], "counter": 2, "input_tensors": [3, 4], "node_type": "function_start", "params": {"inputs": "2", "name": "MatmulDeviceOperation", "program_cache_hit": false, "program_factory_index": 2, "program_factory_type": "ttnn::prim::MatmulMultiCoreReuseMcast1DProgramFactory"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 20}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [2], "counter": 4, "input_tensors": [], "node_type": "tensor", "params": {"address": 1071168, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 1071168, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 1071168, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 1024, 2048])", "size": 4194304, "storage_type": "DEVICE", "tensor_id": 11}, "stacking_level": 2, "id": 4}, {"arguments": [], "connections": [4], "counter": 5, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "size": 4194304, "type": "DRAM"}, "stacking_level": 2, "id": 5}, {"arguments": ["Shape([1, 1, 128, 2048])", "DataType::BFLOAT16", "Layout::TILE", "0x55a475320d20", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [7, 8, 9], "counter": 6, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [10, 16, 45], "counter": 7, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 524288, "type": "L1"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [7], "counter": 8, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 10240, "num_cores": 0, "page_size": 2048, "size": 524288, "type": "L1"}, "stacking_level": 3, "id": 8}, {"arguments": [], "connections": [10], "counter": 9, "duration_ns": 68464, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 9}, {"arguments": [], "connections": [], "counter": 10, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 2048])", "size": 524288, "storage_type": "DEVICE", "tensor_id": 22}, "stacking_level": 3, "id": 10}, {"arguments": [], "connections": [2], "counter": 11, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 2, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 7-3]}", "device_id": 0, "size": 32768}, "stacking_level": 2, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 7-3]}", "device_id": 0, "size": 16384}, "stacking_level": 2, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 7-3]}", "device_id": 0, "size": 16384}, "stacking_level": 2, "id": 14}, {"arguments": [], "connections": [16], "counter": 15, "duration_ns": 4506485, "input_tensors": [], "node_type": "function_end", "params": {"name": "MatmulDeviceOperation"}, "stacking_level": 2, "id": 15}, {"arguments": [], "connections": [], "counter": 16, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 2048])", "size": 524288, "storage_type": "DEVICE", "tensor_id": 22}, "stacking_level": 2, "id": 16}, {"arguments": [], "connections": [38], "counter": 17, "duration_ns": 4997697, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.matmul"}, "stacking_level": 1, "id": 17}, {"arguments": [], "connections": [], "counter": 18, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 18}]',0);
INSERT INTO captured_graph VALUES(3,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 5], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.deallocate"}, "stacking_level": 1, "id": 1}, {"arguments": [], "connections": [3, 4], "counter": 2, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "Tensor::deallocate"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [6], "counter": 3, "input_tensors": [], "node_type": "buffer_deallocate", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 6144, "num_cores": 0, "page_size": 2048, "size": 262144, "type": "L1"}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [], "counter": 4, "duration_ns": 32216, "input_tensors": [], "node_type": "function_end", "params": {"name": "Tensor::deallocate"}, "stacking_level": 2, "id": 4}, {"arguments": [], "connections": [43], "counter": 5, "duration_ns": 193097, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.deallocate"}, "stacking_level": 1, "id": 5}, {"arguments": [], "connections": [], "counter": 6, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 6}]',0);
INSERT INTO captured_graph VALUES(4,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 14], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.gelu"}, "stacking_level": 1, "id": 1}, {"arguments": ["operation_attributes_t({<BasicUnaryWithParam>}, DataType::BFLOAT16, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), 0, 0, 0, <CoreRangeSet>, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 128, 2048]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [4, 9, 10, 11, 12], "counter": 2, "input_tensors": [3], "node_type": "function_start", "params": {"inputs": "2", "name": "UnaryDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 2048])", "size": 524288, "storage_type": "DEVICE", "tensor_id": 23}, "stacking_level": 2, "id": 3}, {"arguments": ["Shape([1, 1, 128, 2048])", "DataType::BFLOAT16", "Layout::TILE", "0x55a475320d20", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [5, 6, 7], "counter": 4, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 4}, {"arguments": [], "connections": [8, 13, 62], "counter": 5, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 524288, "type": "L1"}, "stacking_level": 3, "id": 5}, {"arguments": [], "connections": [5], "counter": 6, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 10240, "num_cores": 0, "page_size": 2048, "size": 524288, "type": "L1"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [8], "counter": 7, "duration_ns": 55557, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [], "counter": 8, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 2048])", "size": 524288, "storage_type": "DEVICE", "tensor_id": 25}, "stacking_level": 3, "id": 8}, {"arguments": [], "connections": [2], "counter": 9, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 2, "id": 9}, {"arguments": [], "connections": [], "counter": 10, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 7-6]}", "device_id": 0, "size": 4096}, "stacking_level": 2, "id": 10}, {"arguments": [], "connections": [], "counter": 11, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 7-6]}", "device_id": 0, "size": 4096}, "stacking_level": 2, "id": 11}, {"arguments": [], "connections": [13], "counter": 12, "duration_ns": 2596980, "input_tensors": [], "node_type": "function_end", "params": {"name": "UnaryDeviceOperation"}, "stacking_level": 2, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 2048])", "size": 524288, "storage_type": "DEVICE", "tensor_id": 25}, "stacking_level": 2, "id": 13}, {"arguments": [], "connections": [57], "counter": 14, "duration_ns": 2823115, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.gelu"}, "stacking_level": 1, "id": 14}, {"arguments": [], "connections": [], "counter": 15, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 15}]',0);
INSERT INTO captured_graph VALUES(5,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 17], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.matmul"}, "stacking_level": 1, "id": 1}, {"arguments": ["MatmulParams(<variant>, 1, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), DataType::BFLOAT16, ComputeKernelConfig(math_fidelity=HiFi2,math_approx_mode=0,fp32_dest_acc_en=0,packer_l1_acc=1,dst_full_sync_en=0,throttle_level=ThrottleLevel::NO_THROTTLE), 0, std::nullopt, std::nullopt, 0, 0, 0, Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4), std::nullopt, std::nullopt, {}, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 128, 2048]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32])))), Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 2048, 1024]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [5, 6, 11, 12, 13, 14, 15], "counter": 2, "input_tensors": [3, 4], "node_type": "function_start", "params": {"inputs": "2", "name": "MatmulDeviceOperation", "program_cache_hit": false, "program_factory_index": 2, "program_factory_type": "ttnn::prim::MatmulMultiCoreReuseMcast1DProgramFactory"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 2048])", "size": 524288, "storage_type": "DEVICE", "tensor_id": 26}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [2], "counter": 4, "input_tensors": [], "node_type": "tensor", "params": {"address": 1421376, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 1421376, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 1421376, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 2048, 1024])", "size": 4194304, "storage_type": "DEVICE", "tensor_id": 17}, "stacking_level": 2, "id": 4}, {"arguments": [], "connections": [4], "counter": 5, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "size": 4194304, "type": "DRAM"}, "stacking_level": 2, "id": 5}, {"arguments": ["Shape([1, 1, 128, 1024])", "DataType::BFLOAT16", "Layout::TILE", "0x55a475320d20", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [7, 8, 9], "counter": 6, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [10, 16, 100], "counter": 7, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 262144, "type": "L1"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [7], "counter": 8, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 6144, "num_cores": 0, "page_size": 2048, "size": 262144, "type": "L1"}, "stacking_level": 3, "id": 8}, {"arguments": [], "connections": [10], "counter": 9, "duration_ns": 111527, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 9}, {"arguments": [], "connections": [], "counter": 10, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 28}, "stacking_level": 3, "id": 10}, {"arguments": [], "connections": [2], "counter": 11, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 2, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 7-3]}", "device_id": 0, "size": 32768}, "stacking_level": 2, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 7-3]}", "device_id": 0, "size": 8192}, "stacking_level": 2, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 7-3]}", "device_id": 0, "size": 8192}, "stacking_level": 2, "id": 14}, {"arguments": [], "connections": [16], "counter": 15, "duration_ns": 4400574, "input_tensors": [], "node_type": "function_end", "params": {"name": "MatmulDeviceOperation"}, "stacking_level": 2, "id": 15}, {"arguments": [], "connections": [], "counter": 16, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 28}, "stacking_level": 2, "id": 16}, {"arguments": [], "connections": [77], "counter": 17, "duration_ns": 4710905, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.matmul"}, "stacking_level": 1, "id": 17}, {"arguments": [], "connections": [], "counter": 18, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 18}]',0);
INSERT INTO captured_graph VALUES(6,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 5], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.deallocate"}, "stacking_level": 1, "id": 1}, {"arguments": [], "connections": [3, 4], "counter": 2, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "Tensor::deallocate"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [47], "counter": 3, "input_tensors": [], "node_type": "buffer_deallocate", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 10240, "num_cores": 0, "page_size": 2048, "size": 524288, "type": "L1"}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [], "counter": 4, "duration_ns": 30889, "input_tensors": [], "node_type": "function_end", "params": {"name": "Tensor::deallocate"}, "stacking_level": 2, "id": 4}, {"arguments": [], "connections": [82], "counter": 5, "duration_ns": 209777, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.deallocate"}, "stacking_level": 1, "id": 5}, {"arguments": [], "connections": [], "counter": 6, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 6}]',0);
INSERT INTO captured_graph VALUES(7,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 16], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.add"}, "stacking_level": 1, "id": 1}, {"arguments": ["operation_attributes_t(BinaryOpType::ADD, SmallVector([]), SmallVector([]), SmallVector([]), std::nullopt, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), DataType::BFLOAT16, DataType::BFLOAT16, <CoreRangeSet>, std::nullopt, std::nullopt, std::nullopt, SubtileBroadcastType::NONE, 0, 0, 0, 0, 0, 0, 0, Layout::TILE, Layout::TILE, Layout::TILE, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 128, 1024]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32])))), Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 128, 1024]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [5, 10, 11, 12, 13, 14], "counter": 2, "input_tensors": [3, 4], "node_type": "function_start", "params": {"inputs": "2", "name": "BinaryNgDeviceOperation", "program_cache_hit": false, "program_factory_index": 0, "program_factory_type": "ttnn::operations::binary_ng::BinaryNgDeviceOperation::ProgramFactory"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 1048640, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 1048640, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 1048640, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 3}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [2], "counter": 4, "input_tensors": [], "node_type": "tensor", "params": {"address": 1048640, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 1048640, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 1048640, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 3}, "stacking_level": 2, "id": 4}, {"arguments": ["Shape([1, 1, 128, 1024])", "DataType::BFLOAT16", "Layout::TILE", "0x55a475320d20", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [6, 7, 8], "counter": 5, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 5}, {"arguments": [], "connections": [9, 15], "counter": 6, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "size": 262144, "type": "DRAM"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [6], "counter": 7, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 0, "buffer_type": 0, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 22528, "num_cores": 0, "page_size": 2048, "size": 262144, "type": "DRAM"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [9], "counter": 8, "duration_ns": 56798, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 8}, {"arguments": [], "connections": [], "counter": 9, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 31}, "stacking_level": 3, "id": 9}, {"arguments": [], "connections": [2], "counter": 10, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 2, "id": 10}, {"arguments": [], "connections": [], "counter": 11, "input_tensors": [], "node_type": "circular_buffer_allocate", "params": {"address": 0, "core_range_set": "{[0-0 - 7-6]}", "device_id": 0, "globally_allocated": "0", "size": 4096}, "stacking_level": 2, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "circular_buffer_allocate", "params": {"address": 0, "core_range_set": "{[0-0 - 7-6]}", "device_id": 0, "globally_allocated": "0", "size": 4096}, "stacking_level": 2, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "input_tensors": [], "node_type": "circular_buffer_allocate", "params": {"address": 0, "core_range_set": "{[0-0 - 7-6]}", "device_id": 0, "globally_allocated": "0", "size": 4096}, "stacking_level": 2, "id": 13}, {"arguments": [], "connections": [15], "counter": 14, "duration_ns": 926504, "input_tensors": [], "node_type": "function_end", "params": {"name": "BinaryNgDeviceOperation"}, "stacking_level": 2, "id": 14}, {"arguments": [], "connections": [], "counter": 15, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 0, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 31}, "stacking_level": 2, "id": 15}, {"arguments": [], "connections": [98], "counter": 16, "duration_ns": 1105386, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.add"}, "stacking_level": 1, "id": 16}, {"arguments": [], "connections": [], "counter": 17, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 17}]',0);
INSERT INTO captured_graph VALUES(8,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 20, 24], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.softmax"}, "stacking_level": 1, "id": 1}, {"arguments": ["SoftmaxParams(SoftmaxOperationType::Softmax, 3, std::nullopt, 0, MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0), <variant>, 0, ComputeKernelConfig(math_fidelity=HiFi3,math_approx_mode=1,fp32_dest_acc_en=1,packer_l1_acc=0,dst_full_sync_en=0,throttle_level=ThrottleLevel::NO_THROTTLE), 0, 1, 0)", "{Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 128, 1024]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))}"], "connections": [4, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18], "counter": 2, "input_tensors": [3], "node_type": "function_start", "params": {"inputs": "2", "name": "SoftmaxDeviceOperation", "program_cache_hit": false, "program_factory_index": 6, "program_factory_type": "ttnn::prim::SoftmaxDeviceOperation::SoftmaxProgramFactoryAttentionOptimized"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [2], "counter": 3, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 29}, "stacking_level": 2, "id": 3}, {"arguments": ["Shape([1, 1, 128, 1024])", "DataType::BFLOAT16", "Layout::TILE", "0x55a475320d20", "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)"], "connections": [5, 6, 7], "counter": 4, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "5", "name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 4}, {"arguments": [], "connections": [8, 19, 21], "counter": 5, "input_tensors": [], "node_type": "buffer", "params": {"buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "size": 262144, "type": "L1"}, "stacking_level": 3, "id": 5}, {"arguments": [], "connections": [5], "counter": 6, "input_tensors": [], "node_type": "buffer_allocate", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 6144, "num_cores": 0, "page_size": 2048, "size": 262144, "type": "L1"}, "stacking_level": 3, "id": 6}, {"arguments": [], "connections": [8], "counter": 7, "duration_ns": 47270, "input_tensors": [], "node_type": "function_end", "params": {"name": "tt::tt_metal::create_device_tensor"}, "stacking_level": 3, "id": 7}, {"arguments": [], "connections": [], "counter": 8, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 34}, "stacking_level": 3, "id": 8}, {"arguments": [], "connections": [2], "counter": 9, "input_tensors": [], "node_type": "circular_buffer_deallocate_all", "params": {"device_id": 0}, "stacking_level": 2, "id": 9}, {"arguments": [], "connections": [], "counter": 10, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 65536}, "stacking_level": 2, "id": 10}, {"arguments": [], "connections": [], "counter": 11, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 16384}, "stacking_level": 2, "id": 11}, {"arguments": [], "connections": [], "counter": 12, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 4096}, "stacking_level": 2, "id": 12}, {"arguments": [], "connections": [], "counter": 13, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 2048}, "stacking_level": 2, "id": 13}, {"arguments": [], "connections": [], "counter": 14, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 4096}, "stacking_level": 2, "id": 14}, {"arguments": [], "connections": [], "counter": 15, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 65536}, "stacking_level": 2, "id": 15}, {"arguments": [], "connections": [], "counter": 16, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 2048}, "stacking_level": 2, "id": 16}, {"arguments": [], "connections": [], "counter": 17, "input_tensors": [], "node_type": "dataflow_buffer_allocate", "params": {"address": 0, "borrows_memory": "0", "core_range_set": "{[0-0 - 3-0]}", "device_id": 0, "size": 2048}, "stacking_level": 2, "id": 17}, {"arguments": [], "connections": [19, 20], "counter": 18, "duration_ns": 2895409, "input_tensors": [], "node_type": "function_end", "params": {"name": "SoftmaxDeviceOperation"}, "stacking_level": 2, "id": 18}, {"arguments": [], "connections": [], "counter": 19, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 34}, "stacking_level": 2, "id": 19}, {"arguments": ["Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([1, 1, 128, 1024]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, 32},face_shape={16, 16},num_faces=4))),memory_config=MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0),alignment=Alignment([32, 32]))))", "Shape([1, 1, 128, 1024])", "Shape([1, 1, 128, 1024])"], "connections": [22], "counter": 20, "input_tensors": [21], "node_type": "function_start", "params": {"inputs": "3", "name": "Tensor::reshape"}, "stacking_level": 2, "id": 20}, {"arguments": [], "connections": [20], "counter": 21, "input_tensors": [], "node_type": "tensor", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 0}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 34}, "stacking_level": 2, "id": 21}, {"arguments": [], "connections": [23], "counter": 22, "duration_ns": 94775, "input_tensors": [], "node_type": "function_end", "params": {"name": "Tensor::reshape"}, "stacking_level": 2, "id": 22}, {"arguments": [], "connections": [], "counter": 23, "input_tensors": [], "node_type": "tensor", "params": {"buffer_type": 1, "device_tensors": "[{\"address\": 0, \"device_id\": 0, \"mesh_device_id\": 0}, {\"address\": 0, \"device_id\": 1, \"mesh_device_id\": 1}]", "dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)", "shape": "Shape([1, 1, 128, 1024])", "size": 262144, "storage_type": "DEVICE", "tensor_id": 36}, "stacking_level": 2, "id": 23}, {"arguments": [], "connections": [122], "counter": 24, "duration_ns": 3218343, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.softmax"}, "stacking_level": 1, "id": 24}, {"arguments": [], "connections": [], "counter": 25, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 25}]',0);
INSERT INTO captured_graph VALUES(9,'[{"arguments": [], "connections": [1], "counter": 0, "input_tensors": [], "node_type": "capture_start", "params": {}, "stacking_level": 0, "id": 0}, {"arguments": [], "connections": [2, 5], "counter": 1, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "ttnn.deallocate"}, "stacking_level": 1, "id": 1}, {"arguments": [], "connections": [3, 4], "counter": 2, "input_tensors": [], "node_type": "function_start", "params": {"inputs": "0", "name": "Tensor::deallocate"}, "stacking_level": 2, "id": 2}, {"arguments": [], "connections": [66], "counter": 3, "input_tensors": [], "node_type": "buffer_deallocate", "params": {"address": 0, "buffer_type": 1, "device_id": 0, "layout": "INTERLEAVED", "max_size_per_bank": 6144, "num_cores": 0, "page_size": 2048, "size": 262144, "type": "L1"}, "stacking_level": 2, "id": 3}, {"arguments": [], "connections": [], "counter": 4, "duration_ns": 23542, "input_tensors": [], "node_type": "function_end", "params": {"name": "Tensor::deallocate"}, "stacking_level": 2, "id": 4}, {"arguments": [], "connections": [127], "counter": 5, "duration_ns": 157878, "input_tensors": [], "node_type": "function_end", "params": {"name": "ttnn.deallocate"}, "stacking_level": 1, "id": 5}, {"arguments": [], "connections": [], "counter": 6, "input_tensors": [], "node_type": "capture_end", "params": {}, "stacking_level": 0, "id": 6}]',0);
CREATE TABLE nodes (
            operation_id int,
            unique_id int,
            node_operation_id int,
            name text,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO nodes VALUES(1,1,1,'ttnn.rms_norm',0);
INSERT INTO nodes VALUES(2,21,2,'ttnn.matmul',0);
INSERT INTO nodes VALUES(3,38,3,'ttnn.deallocate',0);
INSERT INTO nodes VALUES(4,43,4,'ttnn.gelu',0);
INSERT INTO nodes VALUES(5,60,5,'ttnn.matmul',0);
INSERT INTO nodes VALUES(6,77,6,'ttnn.deallocate',0);
INSERT INTO nodes VALUES(7,82,7,'ttnn.add',0);
INSERT INTO nodes VALUES(8,98,8,'ttnn.softmax',0);
INSERT INTO nodes VALUES(9,122,9,'ttnn.deallocate',0);
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
INSERT INTO edges VALUES(1,1,20,1,0,1,0);
INSERT INTO edges VALUES(1,2,4,0,0,0,0);
INSERT INTO edges VALUES(1,2,5,1,0,1,0);
INSERT INTO edges VALUES(1,2,10,2,0,2,0);
INSERT INTO edges VALUES(1,2,11,3,0,3,0);
INSERT INTO edges VALUES(1,2,12,4,0,4,0);
INSERT INTO edges VALUES(1,2,13,5,0,5,0);
INSERT INTO edges VALUES(1,2,14,6,0,6,0);
INSERT INTO edges VALUES(1,2,15,7,0,7,0);
INSERT INTO edges VALUES(1,2,16,8,0,8,0);
INSERT INTO edges VALUES(1,2,17,9,0,9,0);
INSERT INTO edges VALUES(1,2,18,10,0,10,0);
INSERT INTO edges VALUES(1,3,2,0,0,0,0);
INSERT INTO edges VALUES(1,4,3,0,0,0,0);
INSERT INTO edges VALUES(1,4,84,1,0,1,0);
INSERT INTO edges VALUES(1,4,85,2,0,2,0);
INSERT INTO edges VALUES(1,5,6,0,0,0,0);
INSERT INTO edges VALUES(1,5,7,1,0,1,0);
INSERT INTO edges VALUES(1,5,8,2,0,2,0);
INSERT INTO edges VALUES(1,6,9,0,0,0,0);
INSERT INTO edges VALUES(1,6,19,1,0,1,0);
INSERT INTO edges VALUES(1,6,23,2,0,2,0);
INSERT INTO edges VALUES(1,7,6,0,0,0,0);
INSERT INTO edges VALUES(1,8,9,0,0,0,0);
INSERT INTO edges VALUES(1,10,2,0,0,0,0);
INSERT INTO edges VALUES(1,18,19,0,0,0,0);
INSERT INTO edges VALUES(1,20,21,0,0,0,0);
INSERT INTO edges VALUES(2,0,1,0,0,0,0);
INSERT INTO edges VALUES(2,1,2,0,0,0,0);
INSERT INTO edges VALUES(2,1,17,1,0,1,0);
INSERT INTO edges VALUES(2,2,5,0,0,0,0);
INSERT INTO edges VALUES(2,2,6,1,0,1,0);
INSERT INTO edges VALUES(2,2,11,2,0,2,0);
INSERT INTO edges VALUES(2,2,12,3,0,3,0);
INSERT INTO edges VALUES(2,2,13,4,0,4,0);
INSERT INTO edges VALUES(2,2,14,5,0,5,0);
INSERT INTO edges VALUES(2,2,15,6,0,6,0);
INSERT INTO edges VALUES(2,3,2,0,0,0,0);
INSERT INTO edges VALUES(2,4,2,0,0,0,0);
INSERT INTO edges VALUES(2,5,4,0,0,0,0);
INSERT INTO edges VALUES(2,6,7,0,0,0,0);
INSERT INTO edges VALUES(2,6,8,1,0,1,0);
INSERT INTO edges VALUES(2,6,9,2,0,2,0);
INSERT INTO edges VALUES(2,7,10,0,0,0,0);
INSERT INTO edges VALUES(2,7,16,1,0,1,0);
INSERT INTO edges VALUES(2,7,45,2,0,2,0);
INSERT INTO edges VALUES(2,8,7,0,0,0,0);
INSERT INTO edges VALUES(2,9,10,0,0,0,0);
INSERT INTO edges VALUES(2,11,2,0,0,0,0);
INSERT INTO edges VALUES(2,15,16,0,0,0,0);
INSERT INTO edges VALUES(2,17,38,0,0,0,0);
INSERT INTO edges VALUES(3,0,1,0,0,0,0);
INSERT INTO edges VALUES(3,1,2,0,0,0,0);
INSERT INTO edges VALUES(3,1,5,1,0,1,0);
INSERT INTO edges VALUES(3,2,3,0,0,0,0);
INSERT INTO edges VALUES(3,2,4,1,0,1,0);
INSERT INTO edges VALUES(3,3,6,0,0,0,0);
INSERT INTO edges VALUES(3,5,43,0,0,0,0);
INSERT INTO edges VALUES(4,0,1,0,0,0,0);
INSERT INTO edges VALUES(4,1,2,0,0,0,0);
INSERT INTO edges VALUES(4,1,14,1,0,1,0);
INSERT INTO edges VALUES(4,2,4,0,0,0,0);
INSERT INTO edges VALUES(4,2,9,1,0,1,0);
INSERT INTO edges VALUES(4,2,10,2,0,2,0);
INSERT INTO edges VALUES(4,2,11,3,0,3,0);
INSERT INTO edges VALUES(4,2,12,4,0,4,0);
INSERT INTO edges VALUES(4,3,2,0,0,0,0);
INSERT INTO edges VALUES(4,4,5,0,0,0,0);
INSERT INTO edges VALUES(4,4,6,1,0,1,0);
INSERT INTO edges VALUES(4,4,7,2,0,2,0);
INSERT INTO edges VALUES(4,5,8,0,0,0,0);
INSERT INTO edges VALUES(4,5,13,1,0,1,0);
INSERT INTO edges VALUES(4,5,62,2,0,2,0);
INSERT INTO edges VALUES(4,6,5,0,0,0,0);
INSERT INTO edges VALUES(4,7,8,0,0,0,0);
INSERT INTO edges VALUES(4,9,2,0,0,0,0);
INSERT INTO edges VALUES(4,12,13,0,0,0,0);
INSERT INTO edges VALUES(4,14,57,0,0,0,0);
INSERT INTO edges VALUES(5,0,1,0,0,0,0);
INSERT INTO edges VALUES(5,1,2,0,0,0,0);
INSERT INTO edges VALUES(5,1,17,1,0,1,0);
INSERT INTO edges VALUES(5,2,5,0,0,0,0);
INSERT INTO edges VALUES(5,2,6,1,0,1,0);
INSERT INTO edges VALUES(5,2,11,2,0,2,0);
INSERT INTO edges VALUES(5,2,12,3,0,3,0);
INSERT INTO edges VALUES(5,2,13,4,0,4,0);
INSERT INTO edges VALUES(5,2,14,5,0,5,0);
INSERT INTO edges VALUES(5,2,15,6,0,6,0);
INSERT INTO edges VALUES(5,3,2,0,0,0,0);
INSERT INTO edges VALUES(5,4,2,0,0,0,0);
INSERT INTO edges VALUES(5,5,4,0,0,0,0);
INSERT INTO edges VALUES(5,6,7,0,0,0,0);
INSERT INTO edges VALUES(5,6,8,1,0,1,0);
INSERT INTO edges VALUES(5,6,9,2,0,2,0);
INSERT INTO edges VALUES(5,7,10,0,0,0,0);
INSERT INTO edges VALUES(5,7,16,1,0,1,0);
INSERT INTO edges VALUES(5,7,100,2,0,2,0);
INSERT INTO edges VALUES(5,8,7,0,0,0,0);
INSERT INTO edges VALUES(5,9,10,0,0,0,0);
INSERT INTO edges VALUES(5,11,2,0,0,0,0);
INSERT INTO edges VALUES(5,15,16,0,0,0,0);
INSERT INTO edges VALUES(5,17,77,0,0,0,0);
INSERT INTO edges VALUES(6,0,1,0,0,0,0);
INSERT INTO edges VALUES(6,1,2,0,0,0,0);
INSERT INTO edges VALUES(6,1,5,1,0,1,0);
INSERT INTO edges VALUES(6,2,3,0,0,0,0);
INSERT INTO edges VALUES(6,2,4,1,0,1,0);
INSERT INTO edges VALUES(6,3,47,0,0,0,0);
INSERT INTO edges VALUES(6,5,82,0,0,0,0);
INSERT INTO edges VALUES(7,0,1,0,0,0,0);
INSERT INTO edges VALUES(7,1,2,0,0,0,0);
INSERT INTO edges VALUES(7,1,16,1,0,1,0);
INSERT INTO edges VALUES(7,2,5,0,0,0,0);
INSERT INTO edges VALUES(7,2,10,1,0,1,0);
INSERT INTO edges VALUES(7,2,11,2,0,2,0);
INSERT INTO edges VALUES(7,2,12,3,0,3,0);
INSERT INTO edges VALUES(7,2,13,4,0,4,0);
INSERT INTO edges VALUES(7,2,14,5,0,5,0);
INSERT INTO edges VALUES(7,3,2,0,0,0,0);
INSERT INTO edges VALUES(7,4,2,0,0,0,0);
INSERT INTO edges VALUES(7,5,6,0,0,0,0);
INSERT INTO edges VALUES(7,5,7,1,0,1,0);
INSERT INTO edges VALUES(7,5,8,2,0,2,0);
INSERT INTO edges VALUES(7,6,9,0,0,0,0);
INSERT INTO edges VALUES(7,6,15,1,0,1,0);
INSERT INTO edges VALUES(7,7,6,0,0,0,0);
INSERT INTO edges VALUES(7,8,9,0,0,0,0);
INSERT INTO edges VALUES(7,10,2,0,0,0,0);
INSERT INTO edges VALUES(7,14,15,0,0,0,0);
INSERT INTO edges VALUES(7,16,98,0,0,0,0);
INSERT INTO edges VALUES(8,0,1,0,0,0,0);
INSERT INTO edges VALUES(8,1,2,0,0,0,0);
INSERT INTO edges VALUES(8,1,20,1,0,1,0);
INSERT INTO edges VALUES(8,1,24,2,0,2,0);
INSERT INTO edges VALUES(8,2,4,0,0,0,0);
INSERT INTO edges VALUES(8,2,9,1,0,1,0);
INSERT INTO edges VALUES(8,2,10,2,0,2,0);
INSERT INTO edges VALUES(8,2,11,3,0,3,0);
INSERT INTO edges VALUES(8,2,12,4,0,4,0);
INSERT INTO edges VALUES(8,2,13,5,0,5,0);
INSERT INTO edges VALUES(8,2,14,6,0,6,0);
INSERT INTO edges VALUES(8,2,15,7,0,7,0);
INSERT INTO edges VALUES(8,2,16,8,0,8,0);
INSERT INTO edges VALUES(8,2,17,9,0,9,0);
INSERT INTO edges VALUES(8,2,18,10,0,10,0);
INSERT INTO edges VALUES(8,3,2,0,0,0,0);
INSERT INTO edges VALUES(8,4,5,0,0,0,0);
INSERT INTO edges VALUES(8,4,6,1,0,1,0);
INSERT INTO edges VALUES(8,4,7,2,0,2,0);
INSERT INTO edges VALUES(8,5,8,0,0,0,0);
INSERT INTO edges VALUES(8,5,19,1,0,1,0);
INSERT INTO edges VALUES(8,5,21,2,0,2,0);
INSERT INTO edges VALUES(8,6,5,0,0,0,0);
INSERT INTO edges VALUES(8,7,8,0,0,0,0);
INSERT INTO edges VALUES(8,9,2,0,0,0,0);
INSERT INTO edges VALUES(8,18,19,0,0,0,0);
INSERT INTO edges VALUES(8,18,20,1,0,1,0);
INSERT INTO edges VALUES(8,20,22,0,0,0,0);
INSERT INTO edges VALUES(8,21,20,0,0,0,0);
INSERT INTO edges VALUES(8,22,23,0,0,0,0);
INSERT INTO edges VALUES(8,24,122,0,0,0,0);
INSERT INTO edges VALUES(9,0,1,0,0,0,0);
INSERT INTO edges VALUES(9,1,2,0,0,0,0);
INSERT INTO edges VALUES(9,1,5,1,0,1,0);
INSERT INTO edges VALUES(9,2,3,0,0,0,0);
INSERT INTO edges VALUES(9,2,4,1,0,1,0);
INSERT INTO edges VALUES(9,3,66,0,0,0,0);
INSERT INTO edges VALUES(9,5,127,0,0,0,0);
CREATE TABLE report_metadata (
            key text UNIQUE,
            value text
        );
INSERT INTO report_metadata VALUES('schema_version','3.5');
INSERT INTO report_metadata VALUES('build_type','Release');
INSERT INTO report_metadata VALUES('capture_timestamp_ns','1795230117293269350');
INSERT INTO report_metadata VALUES('dirty','False');
INSERT INTO report_metadata VALUES('git_sha','d80d9482a418cf04ddcbeecf6adb67010d3091e6');
INSERT INTO report_metadata VALUES('git_sha_short','d80d9482a4');
INSERT INTO report_metadata VALUES('rank','0');
INSERT INTO report_metadata VALUES('total_duration_ns','21115749');
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
INSERT INTO input_tensors VALUES(1,0,3,0);
INSERT INTO input_tensors VALUES(2,0,20,0);
INSERT INTO input_tensors VALUES(2,1,11,0);
INSERT INTO input_tensors VALUES(3,0,20,0);
INSERT INTO input_tensors VALUES(4,0,23,0);
INSERT INTO input_tensors VALUES(5,0,26,0);
INSERT INTO input_tensors VALUES(5,1,17,0);
INSERT INTO input_tensors VALUES(6,0,26,0);
INSERT INTO input_tensors VALUES(7,0,3,0);
INSERT INTO input_tensors VALUES(8,0,29,0);
INSERT INTO input_tensors VALUES(9,0,29,0);
CREATE TABLE output_tensors (
            operation_id int,
            output_index int,
            tensor_id int,
            rank int NOT NULL DEFAULT 0
        );
INSERT INTO output_tensors VALUES(1,0,20,0);
INSERT INTO output_tensors VALUES(2,0,23,0);
INSERT INTO output_tensors VALUES(4,0,26,0);
INSERT INTO output_tensors VALUES(5,0,29,0);
INSERT INTO output_tensors VALUES(7,0,32,0);
INSERT INTO output_tensors VALUES(8,0,37,0);
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
INSERT INTO tensor_consumers VALUES(3,1,0,0);
INSERT INTO tensor_consumers VALUES(20,2,0,0);
INSERT INTO tensor_consumers VALUES(11,2,1,0);
INSERT INTO tensor_consumers VALUES(20,3,0,0);
INSERT INTO tensor_consumers VALUES(23,4,0,0);
INSERT INTO tensor_consumers VALUES(26,5,0,0);
INSERT INTO tensor_consumers VALUES(17,5,1,0);
INSERT INTO tensor_consumers VALUES(26,6,0,0);
INSERT INTO tensor_consumers VALUES(3,7,0,0);
INSERT INTO tensor_consumers VALUES(29,8,0,0);
INSERT INTO tensor_consumers VALUES(29,9,0,0);
CREATE TABLE tensor_producers (
            tensor_id int,
            operation_id int,
            output_index int,
            rank int NOT NULL DEFAULT 0,
            UNIQUE(tensor_id, operation_id, output_index, rank)
        );
INSERT INTO tensor_producers VALUES(20,1,0,0);
INSERT INTO tensor_producers VALUES(23,2,0,0);
INSERT INTO tensor_producers VALUES(26,4,0,0);
INSERT INTO tensor_producers VALUES(29,5,0,0);
INSERT INTO tensor_producers VALUES(32,7,0,0);
INSERT INTO tensor_producers VALUES(37,8,0,0);
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
