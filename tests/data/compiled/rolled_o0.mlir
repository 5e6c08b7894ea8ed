#dram = #ttnn.buffer_type<dram>
#loc1 = loc("arguments[0]")
#loc2 = loc("arguments[1]")
#system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux"}], [{arch = <blackhole>, grid = 10x13, coord_translation_offsets = 2x1, l1_size = 1572864, num_dram_channels = 8, dram_channel_size = 4278190080, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 64, noc_dram_address_align_bytes = 64, l1_unreserved_base = 177280, erisc_l1_unreserved_base = 88896, dram_unreserved_base = 1048704, dram_unreserved_end = 4275087680, supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, <bfp_f4>, <bfp_bf4>, <bfp_f2>, <bfp_bf2>, <u32>, <u16>, <u8>, <si32>], supported_tile_sizes = [ 4x16,  16x16,  32x16,  4x32,  16x32,  32x32], dst_physical_size_tiles = 16, num_cbs = 64, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x8, dram_bank_to_logical_worker_noc0 = [(9, 0), (0, 0), (7, 0), (3, 0), (9, 7), (1, 7), (6, 7), (4, 7)], dram_bank_to_logical_worker_noc1 = [(0, 0), (8, 0), (2, 0), (5, 0), (0, 7), (8, 7), (2, 7), (5, 7)]}], [0], [1 : i32], [ 0x0x0x0]>
#ttnn_layout = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x256xbf16, #dram>, <interleaved>>
#ttnn_layout1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 16384 + d1 * 512 + d2, d3), <1x1>, memref<524288x256xbf16, #dram>, <interleaved>>
#ttnn_layout2 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout3 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout4 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1xbf16, #dram>, <interleaved>>
#ttnn_layout5 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x255xbf16, #dram>, <interleaved>>
module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32, ttcore.meshes = #ttcore.meshes<[<"empty_mesh" = 1x1>]>} {
  ttcore.device_module {
    builtin.module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32, ttcore.meshes = #ttcore.meshes<[<"empty_mesh" = 1x1>]>, ttcore.system_desc = #system_desc, ttnn.l1_const_eval_usage = 1024 : ui64} {
      ttcore.device @default_device = <workerGrid = #ttcore.grid<10x13, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<1x8>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6] -> (0, 0, (((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) mod 8, ((((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) floordiv 8) * s4 + ((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) mod s4 + s5), meshShape = 1x1, chipIds = [0]> loc(#loc)
      func.func public @main(%arg0: tensor<256xbf16, #ttnn_layout> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<256xbf16>>, ttcore.shard_status = #ttcore.shard_status<presharded>} loc("arguments[0]"), %arg1: tensor<32x32x512x256xbf16, #ttnn_layout1> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<32x32x512x256xbf16>>, ttcore.shard_status = #ttcore.shard_status<presharded>} loc("arguments[1]")) -> (tensor<256xbf16, #ttnn_layout2> {jax.result_info = "result", ttcore.local_shape = #ttcore<local_shape local_shape = tensor<256xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>}) attributes {tt.function_type = "forward_device"} {
        %0 = "ttnn.to_layout"(%arg0) : (tensor<256xbf16, #ttnn_layout>) -> tensor<256xbf16, #ttnn_layout2> loc(#loc1)
        "ttnn.deallocate"(%arg1) <{force = false}> : (tensor<32x32x512x256xbf16, #ttnn_layout1>) -> () loc(#loc1)
        "ttnn.deallocate"(%arg0) <{force = false}> : (tensor<256xbf16, #ttnn_layout>) -> () loc(#loc1)
        %1 = "ttnn.silu"(%0) : (tensor<256xbf16, #ttnn_layout2>) -> tensor<256xbf16, #ttnn_layout2> loc(#loc25)
        "ttnn.deallocate"(%0) <{force = false}> : (tensor<256xbf16, #ttnn_layout2>) -> () loc(#loc25)
        %2 = "ttnn.slice_static"(%1) <{begins = [255 : i32], ends = [256 : i32], step = [1 : i32]}> : (tensor<256xbf16, #ttnn_layout2>) -> tensor<1xbf16, #ttnn_layout3> loc(#loc26)
        %3 = "ttnn.slice_static"(%1) <{begins = [0 : i32], ends = [255 : i32], step = [1 : i32]}> : (tensor<256xbf16, #ttnn_layout2>) -> tensor<255xbf16, #ttnn_layout2> loc(#loc26)
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<256xbf16, #ttnn_layout2>) -> () loc(#loc26)
        %4 = "ttnn.to_layout"(%2) : (tensor<1xbf16, #ttnn_layout3>) -> tensor<1xbf16, #ttnn_layout4> loc(#loc26)
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<1xbf16, #ttnn_layout3>) -> () loc(#loc26)
        %5 = "ttnn.to_layout"(%3) : (tensor<255xbf16, #ttnn_layout2>) -> tensor<255xbf16, #ttnn_layout5> loc(#loc26)
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<255xbf16, #ttnn_layout2>) -> () loc(#loc26)
        %6 = "ttnn.concat"(%4, %5) <{dim = 0 : si32}> : (tensor<1xbf16, #ttnn_layout4>, tensor<255xbf16, #ttnn_layout5>) -> tensor<256xbf16, #ttnn_layout> loc(#loc27)
        "ttnn.deallocate"(%5) <{force = false}> : (tensor<255xbf16, #ttnn_layout5>) -> () loc(#loc27)
        "ttnn.deallocate"(%4) <{force = false}> : (tensor<1xbf16, #ttnn_layout4>) -> () loc(#loc27)
        %7 = "ttnn.to_layout"(%6) : (tensor<256xbf16, #ttnn_layout>) -> tensor<256xbf16, #ttnn_layout2> loc(#loc27)
        "ttnn.deallocate"(%6) <{force = false}> : (tensor<256xbf16, #ttnn_layout>) -> () loc(#loc27)
        return %7 : tensor<256xbf16, #ttnn_layout2> loc(#loc)
      } loc(#loc)
    } loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc3 = loc("mul")
#loc4 = loc("programs.py":35:11 to :43)
#loc5 = loc("programs.py":131:19 to :53)
#loc6 = loc("programs.py":146:19 to :120)
#loc7 = loc("programs.py":167:29 to :45)
#loc8 = loc("programs.py":176:4 to :10)
#loc9 = loc("slice")
#loc10 = loc("programs.py":80:65 to :90)
#loc11 = loc("concatenate")
#loc12 = loc("unary"(#loc4))
#loc13 = loc("program.<locals>.function"(#loc5))
#loc14 = loc("run"(#loc6))
#loc15 = loc("main"(#loc7))
#loc16 = loc("<module>"(#loc8))
#loc17 = loc("movement"(#loc10))
#loc18 = loc(callsite(#loc15 at #loc16))
#loc19 = loc(callsite(#loc14 at #loc18))
#loc20 = loc(callsite(#loc13 at #loc19))
#loc21 = loc(callsite(#loc12 at #loc20))
#loc22 = loc(callsite(#loc17 at #loc20))
#loc23 = loc("jit(function)/jit(silu)"(#loc21))
#loc24 = loc("jit(function)/jit(_roll_static)"(#loc22))
#loc25 = loc(callsite(#loc3 at #loc23))
#loc26 = loc(callsite(#loc9 at #loc24))
#loc27 = loc(callsite(#loc11 at #loc24))
