#dram = #ttnn.buffer_type<dram>
#loc = loc(unknown)
#loc4 = loc("x")
#loc5 = loc("w")
#system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux"}], [{arch = <blackhole>, grid = 10x13, coord_translation_offsets = 2x1, l1_size = 1572864, num_dram_channels = 8, dram_channel_size = 4278190080, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 64, noc_dram_address_align_bytes = 64, l1_unreserved_base = 177280, erisc_l1_unreserved_base = 88896, dram_unreserved_base = 1048704, dram_unreserved_end = 4275087680, supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, <bfp_f4>, <bfp_bf4>, <bfp_f2>, <bfp_bf2>, <u32>, <u16>, <u8>, <si32>], supported_tile_sizes = [ 4x16,  16x16,  32x16,  4x32,  16x32,  32x32], dst_physical_size_tiles = 16, num_cbs = 64, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x8, dram_bank_to_logical_worker_noc0 = [(9, 0), (0, 0), (7, 0), (3, 0), (9, 7), (1, 7), (6, 7), (4, 7)], dram_bank_to_logical_worker_noc1 = [(0, 0), (8, 0), (2, 0), (5, 0), (0, 7), (8, 7), (2, 7), (5, 7)]}], [0], [1 : i32], [ 0x0x0x0]>
#system_memory = #ttnn.buffer_type<system_memory>
#ttnn_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xbf16, #dram>, <interleaved>>
#ttnn_layout2 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<128x256xbf16, #dram>, <interleaved>>
#ttnn_layout3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout4 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout5 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout6 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xbf16, #system_memory>>
#ttnn_layout7 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<128x256xbf16, #system_memory>>
module @jit_layer attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32, ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x1>]>} {
  ttcore.device_module {
    builtin.module @jit_layer attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32, ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x1>]>, ttcore.system_desc = #system_desc, ttnn.l1_const_eval_usage = 1024 : ui64} {
      ttcore.device @default_device = <workerGrid = #ttcore.grid<10x13, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<1x8>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6] -> (0, 0, (((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) mod 8, ((((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) floordiv 8) * s4 + ((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) mod s4 + s5), meshShape = 1x1, chipIds = [0]> loc(#loc)
      func.func private @main_const_eval_0() -> tensor<1x1xbf16, #ttnn_layout> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device loc(#loc11)
        %1 = "ttnn.ones"(%0) <{shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #ttnn_layout> loc(#loc11)
        return %1 : tensor<1x1xbf16, #ttnn_layout> loc(#loc)
      } loc(#loc)
      func.func private @trace_0_main(%arg0: tensor<1x1xbf16, #ttnn_layout> {ttcore.argument_type = #ttcore.argument_type<constant>} loc(unknown), %arg1: tensor<64x128xbf16, #ttnn_layout1> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<64x128xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>} loc(unknown), %arg2: tensor<128x256xbf16, #ttnn_layout2> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<128x256xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>} loc(unknown), %arg3: tensor<64x256xbf16, #ttnn_layout3> loc(unknown)) attributes {tt.function_type = "trace_main"} {
        %0 = "ttnn.to_layout"(%arg1) : (tensor<64x128xbf16, #ttnn_layout1>) -> tensor<64x128xbf16, #ttnn_layout4> loc(#loc)
        %1 = "ttnn.to_layout"(%arg2) : (tensor<128x256xbf16, #ttnn_layout2>) -> tensor<128x256xbf16, #ttnn_layout5> loc(#loc)
        %2 = "ttnn.matmul"(%0, %1) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_program_config<compute_with_storage_grid_size = #ttnn.core_coord<13, 10>, in0_block_w = 2, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 1, out_block_w = 1, per_core_m = 1, per_core_n = 1, transpose_mcast = false, fuse_batch = true>, transpose_a = false, transpose_b = false}> : (tensor<64x128xbf16, #ttnn_layout4>, tensor<128x256xbf16, #ttnn_layout5>) -> tensor<64x256xbf16, #ttnn_layout3> loc(#loc12)
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<128x256xbf16, #ttnn_layout5>) -> () loc(#loc12)
        "ttnn.deallocate"(%0) <{force = false}> : (tensor<64x128xbf16, #ttnn_layout4>) -> () loc(#loc12)
        %3 = "ttnn.add"(%2, %arg0) <{activations = [], input_tensor_a_activations = [#ttnn.unary_with_param<op_type = relu>], input_tensor_b_activations = []}> : (tensor<64x256xbf16, #ttnn_layout3>, tensor<1x1xbf16, #ttnn_layout>) -> tensor<64x256xbf16, #ttnn_layout3> loc(#loc11)
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<64x256xbf16, #ttnn_layout3>) -> () loc(#loc11)
        "ttnn.copy"(%3, %arg3) : (tensor<64x256xbf16, #ttnn_layout3>, tensor<64x256xbf16, #ttnn_layout3>) -> () loc(#loc)
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<64x256xbf16, #ttnn_layout3>) -> () loc(#loc)
        return loc(#loc)
      } loc(#loc)
      func.func private @allocate_slots_trace_0_main(%arg0: tensor<1x1xbf16, #ttnn_layout> {ttcore.argument_type = #ttcore.argument_type<constant>} loc(unknown)) -> (tensor<1x1xbf16, #ttnn_layout>, tensor<64x128xbf16, #ttnn_layout1>, tensor<128x256xbf16, #ttnn_layout2>, tensor<64x256xbf16, #ttnn_layout3>) attributes {tt.function_type = "trace_allocate_slots"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device loc(#loc)
        %1 = "ttnn.empty"(%0) <{shape = #ttnn.shape<64x128>}> : (!ttnn.device) -> tensor<64x128xbf16, #ttnn_layout1> loc(#loc)
        %2 = "ttnn.empty"(%0) <{shape = #ttnn.shape<128x256>}> : (!ttnn.device) -> tensor<128x256xbf16, #ttnn_layout2> loc(#loc)
        %3 = "ttnn.empty"(%0) <{shape = #ttnn.shape<64x256>}> : (!ttnn.device) -> tensor<64x256xbf16, #ttnn_layout3> loc(#loc)
        return %arg0, %1, %2, %3 : tensor<1x1xbf16, #ttnn_layout>, tensor<64x128xbf16, #ttnn_layout1>, tensor<128x256xbf16, #ttnn_layout2>, tensor<64x256xbf16, #ttnn_layout3> loc(#loc)
      } loc(#loc)
      func.func private @run_and_capture_trace_0_main(%arg0: tensor<64x128xbf16, #ttnn_layout6> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<64x128xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>} loc(unknown), %arg1: tensor<128x256xbf16, #ttnn_layout7> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<128x256xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>} loc(unknown), %arg2: tensor<1x1xbf16, #ttnn_layout> {ttcore.argument_type = #ttcore.argument_type<constant>} loc(unknown), %arg3: tensor<64x128xbf16, #ttnn_layout1> loc(unknown), %arg4: tensor<128x256xbf16, #ttnn_layout2> loc(unknown), %arg5: tensor<64x256xbf16, #ttnn_layout3> loc(unknown)) -> tensor<ui32, #ttnn.trace_id> attributes {tt.function_type = "trace_run_and_capture"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device loc(#loc)
        "ttnn.write_tensor"(%arg0, %arg3) <{blocking = false, cq_id = 0 : ui32}> : (tensor<64x128xbf16, #ttnn_layout6>, tensor<64x128xbf16, #ttnn_layout1>) -> () loc(#loc)
        "ttnn.write_tensor"(%arg1, %arg4) <{blocking = false, cq_id = 0 : ui32}> : (tensor<128x256xbf16, #ttnn_layout7>, tensor<128x256xbf16, #ttnn_layout2>) -> () loc(#loc)
        call @trace_0_main(%arg2, %arg3, %arg4, %arg5) : (tensor<1x1xbf16, #ttnn_layout>, tensor<64x128xbf16, #ttnn_layout1>, tensor<128x256xbf16, #ttnn_layout2>, tensor<64x256xbf16, #ttnn_layout3>) -> () loc(#loc)
        %1 = "ttnn.begin_trace_capture"(%0) <{cq_id = 0 : ui32}> : (!ttnn.device) -> tensor<ui32, #ttnn.trace_id> loc(#loc)
        call @trace_0_main(%arg2, %arg3, %arg4, %arg5) : (tensor<1x1xbf16, #ttnn_layout>, tensor<64x128xbf16, #ttnn_layout1>, tensor<128x256xbf16, #ttnn_layout2>, tensor<64x256xbf16, #ttnn_layout3>) -> () loc(#loc)
        "ttnn.end_trace_capture"(%0, %1) <{cq_id = 0 : ui32}> : (!ttnn.device, tensor<ui32, #ttnn.trace_id>) -> () loc(#loc)
        "ttnn.execute_trace"(%0, %1) <{blocking = false, cq_id = 0 : ui32}> : (!ttnn.device, tensor<ui32, #ttnn.trace_id>) -> () loc(#loc)
        return %1 : tensor<ui32, #ttnn.trace_id> loc(#loc)
      } loc(#loc)
      func.func private @execute_trace_0_main(%arg0: tensor<ui32, #ttnn.trace_id> loc(unknown)) attributes {tt.function_type = "trace_execute"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device loc(#loc)
        "ttnn.execute_trace"(%0, %arg0) <{blocking = false, cq_id = 0 : ui32}> : (!ttnn.device, tensor<ui32, #ttnn.trace_id>) -> () loc(#loc)
        return loc(#loc)
      } loc(#loc)
      func.func public @main(%arg0: tensor<64x128xbf16, #ttnn_layout6> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<64x128xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>} loc("x"), %arg1: tensor<128x256xbf16, #ttnn_layout7> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<128x256xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>} loc("w")) -> (tensor<64x256xbf16, #ttnn_layout3> {jax.result_info = "result", ttcore.local_shape = #ttcore<local_shape local_shape = tensor<64x256xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>}) attributes {tt.function_type = "forward_device"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device loc(#loc13)
        %1 = ttcore.load_cached(@main_const_eval_0, []) : () -> tensor<1x1xbf16, #ttnn_layout> loc(#loc)
        %2 = "ttnn.capture_or_execute_trace"(%0, %1, %arg0, %arg1) <{allocate_slots_callee = @allocate_slots_trace_0_main, capture_callee = @run_and_capture_trace_0_main, device_resident_input_count = 1 : i32, execute_callee = @execute_trace_0_main, operandSegmentSizes = array<i32: 1, 3, 0>}> : (!ttnn.device, tensor<1x1xbf16, #ttnn_layout>, tensor<64x128xbf16, #ttnn_layout6>, tensor<128x256xbf16, #ttnn_layout7>) -> tensor<64x256xbf16, #ttnn_layout3> loc(#loc)
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<1x1xbf16, #ttnn_layout>) -> () loc(#loc)
        "ttnn.deallocate"(%arg1) <{force = false}> : (tensor<128x256xbf16, #ttnn_layout7>) -> () loc(#loc)
        "ttnn.deallocate"(%arg0) <{force = false}> : (tensor<64x128xbf16, #ttnn_layout6>) -> () loc(#loc)
        return %2 : tensor<64x256xbf16, #ttnn_layout3> loc(#loc)
      } loc(#loc)
    } loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("model.py":3:11 to :35)
#loc2 = loc("model.py":5:4 to :101)
#loc3 = loc("model.py":3:23 to :28)
#loc6 = loc("layer"(#loc1))
#loc7 = loc("<module>"(#loc2))
#loc8 = loc("layer"(#loc3))
#loc9 = loc(callsite(#loc6 at #loc7))
#loc10 = loc(callsite(#loc8 at #loc7))
#loc11 = loc("jit(layer)/add"(#loc9))
#loc12 = loc("jit(layer)/dot_general"(#loc10))
#loc13 = loc("jit(layer)/dot_general_in_0_layout"(#loc10))
