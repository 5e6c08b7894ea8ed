#dram = #ttnn.buffer_type<dram>
#loc8 = loc("arguments[0]")
#system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux"}], [{arch = <blackhole>, grid = 10x13, coord_translation_offsets = 2x1, l1_size = 1572864, num_dram_channels = 8, dram_channel_size = 4278190080, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 64, noc_dram_address_align_bytes = 64, l1_unreserved_base = 177280, erisc_l1_unreserved_base = 88896, dram_unreserved_base = 1048704, dram_unreserved_end = 4275087680, supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, <bfp_f4>, <bfp_bf4>, <bfp_f2>, <bfp_bf2>, <u32>, <u16>, <u8>, <si32>], supported_tile_sizes = [ 4x16,  16x16,  32x16,  4x32,  16x32,  32x32], dst_physical_size_tiles = 16, num_cbs = 64, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x8, dram_bank_to_logical_worker_noc0 = [(9, 0), (0, 0), (7, 0), (3, 0), (9, 7), (1, 7), (6, 7), (4, 7)], dram_bank_to_logical_worker_noc1 = [(0, 0), (8, 0), (2, 0), (5, 0), (0, 7), (8, 7), (2, 7), (5, 7)]}], [0], [1 : i32], [ 0x0x0x0]>
#ttnn_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout2 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout4 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout5 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x128xf32, #dram>, <interleaved>>
module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32, ttcore.meshes = #ttcore.meshes<[<"empty_mesh" = 1x1>]>} {
  ttcore.device_module {
    builtin.module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32, ttcore.meshes = #ttcore.meshes<[<"empty_mesh" = 1x1>]>, ttcore.system_desc = #system_desc, ttnn.l1_const_eval_usage = 1024 : ui64} {
      ttcore.device @default_device = <workerGrid = #ttcore.grid<10x13, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<1x8>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6] -> (0, 0, (((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) mod 8, ((((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) floordiv 8) * s4 + ((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) mod s4 + s5), meshShape = 1x1, chipIds = [0]> loc(#loc)
      func.func private @main_const_eval_0() -> tensor<32x512xbf16, #ttnn_layout> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device loc(#loc22)
        %1 = "ttnn.ones"(%0) <{shape = #ttnn.shape<256x512>}> : (!ttnn.device) -> tensor<256x512xbf16, #ttnn_layout1> loc(#loc22)
        %2 = "ttnn.ones"(%0) <{shape = #ttnn.shape<32x64>}> : (!ttnn.device) -> tensor<32x64xbf16, #ttnn_layout2> loc(#loc23)
        %3 = "ttnn.ones"(%0) <{shape = #ttnn.shape<64x256>}> : (!ttnn.device) -> tensor<64x256xbf16, #ttnn_layout3> loc(#loc22)
        %4 = "ttnn.matmul"(%2, %3) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<13, 10>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 1, out_block_w = 1, per_core_m = 1, per_core_n = 1, fuse_batch = false, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #ttnn_layout2>, tensor<64x256xbf16, #ttnn_layout3>) -> tensor<32x256xbf16, #ttnn_layout4> loc(#loc24)
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<64x256xbf16, #ttnn_layout3>) -> () loc(#loc24)
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<32x64xbf16, #ttnn_layout2>) -> () loc(#loc24)
        %5 = "ttnn.matmul"(%4, %1) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<13, 10>, in0_block_w = 4, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 1, out_block_w = 1, per_core_m = 1, per_core_n = 1, fuse_batch = false, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> : (tensor<32x256xbf16, #ttnn_layout4>, tensor<256x512xbf16, #ttnn_layout1>) -> tensor<32x512xbf16, #ttnn_layout> loc(#loc24)
        "ttnn.deallocate"(%4) <{force = false}> : (tensor<32x256xbf16, #ttnn_layout4>) -> () loc(#loc24)
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<256x512xbf16, #ttnn_layout1>) -> () loc(#loc24)
        return %5 : tensor<32x512xbf16, #ttnn_layout> loc(#loc)
      } loc(#loc)
      func.func public @main(%arg0: tensor<128xf32, #ttnn_layout5> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<128xf32>>, ttcore.shard_status = #ttcore.shard_status<presharded>} loc("arguments[0]")) -> (tensor<32x512xbf16, #ttnn_layout> {jax.result_info = "result", ttcore.local_shape = #ttcore<local_shape local_shape = tensor<32x512xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>}) attributes {tt.function_type = "forward_device"} {
        %0 = ttcore.load_cached(@main_const_eval_0, []) : () -> tensor<32x512xbf16, #ttnn_layout> loc(#loc)
        "ttnn.deallocate"(%arg0) <{force = false}> : (tensor<128xf32, #ttnn_layout5>) -> () loc(#loc)
        return %0 : tensor<32x512xbf16, #ttnn_layout> loc(#loc)
      } loc(#loc)
    } loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("jax_programs.py":84:15 to :70)
#loc2 = loc("jax_programs.py":130:19 to :53)
#loc3 = loc("jax_programs.py":145:19 to :120)
#loc4 = loc("jax_programs.py":164:29 to :45)
#loc5 = loc("jax_programs.py":172:4 to :10)
#loc6 = loc("jax_programs.py":83:71 to :103)
#loc7 = loc("jax_programs.py":84:11 to :70)
#loc9 = loc("product"(#loc1))
#loc10 = loc("program.<locals>.function"(#loc2))
#loc11 = loc("run"(#loc3))
#loc12 = loc("main"(#loc4))
#loc13 = loc("<module>"(#loc5))
#loc14 = loc("product"(#loc6))
#loc15 = loc("product"(#loc7))
#loc16 = loc(callsite(#loc12 at #loc13))
#loc17 = loc(callsite(#loc11 at #loc16))
#loc18 = loc(callsite(#loc10 at #loc17))
#loc19 = loc(callsite(#loc9 at #loc18))
#loc20 = loc(callsite(#loc14 at #loc18))
#loc21 = loc(callsite(#loc15 at #loc18))
#loc22 = loc("jit(function)/broadcast_in_dim"(#loc19))
#loc23 = loc("jit(function)/broadcast_in_dim"(#loc20))
#loc24 = loc("jit(function)/dot_general"(#loc21))
