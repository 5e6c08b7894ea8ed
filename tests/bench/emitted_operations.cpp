// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/emitted_operations.hpp"

#include <string>

#include "capture/record/device_info.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"

namespace tilemeter::bench {

namespace {

constexpr record::DeviceId kDevice{1};
constexpr std::uint64_t kAddress = 1497088;
constexpr auto kObserved = record::Origin::kObserved;

// As long as what TT-NN's reports hold.
const std::string kMemoryConfig =
    "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0,range_lockstep_allocation=0)";
const std::string kTensor =
    "Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(logical_shape=Shape([4, 3, 32, "
    "32]),tensor_layout=TensorLayout(dtype=DataType::BFLOAT16,page_config=PageConfig(config=TilePageConfig(tile=Tile(tile_shape={32, "
    "32},face_shape={16, 16},num_faces=4))),memory_config=" +
    kMemoryConfig + ",alignment=Alignment([32, 32]))))";

record::TensorSpecId tensor_type() {
    record::TensorInfo info;
    info.shape = {4, 3, 32, 32};
    info.dtype = record::intern("DataType::BFLOAT16");
    info.layout = record::intern("Layout::TILE");
    info.on_device = true;
    info.size_bytes = info.buffer_size_bytes = 24576;
    info.memory = record::MemoryType::kL1;
    info.memory_config = record::intern(kMemoryConfig);
    info.argument_text = record::intern(kTensor);
    return record::intern(info);
}

}  // namespace

Operation::Operation()
    : outer_name_(record::intern("ttnn.add")),
      device_operation_(record::intern("BinaryNgDeviceOperation")),
      create_(record::intern("tt::tt_metal::create_device_tensor")),
      deallocate_(record::intern("Tensor::deallocate")),
      attributes_(record::intern("operation_attributes_t(BinaryOpType::ADD, SmallVector([]), std::nullopt, " +
                                 kMemoryConfig + ", DataType::BFLOAT16, <CoreRangeSet>, Layout::TILE)")),
      factory_(record::intern("ttnn::operations::binary_ng::BinaryNgDeviceOperation::ProgramFactory")),
      cores_(record::intern("{[0-0 - 7-7]}")),
      worker_cores_(record::intern(R"([{"end":{"x":7,"y":7},"start":{"x":0,"y":0}}])")),
      spec_(tensor_type()),
      first_input_(record::next_buffer_id()),
      second_input_(record::next_buffer_id()) {
    record::DeviceInfo info;
    info.arch = "WORMHOLE_B0";
    info.chips = {0};
    record::announce_device(kDevice, info);
}

void Operation::emit() const {
    const record::TensorId output = record::next_tensor_id();
    const record::BufferRecord buffer{record::next_buffer_id(),
                                      kDevice,
                                      record::MemoryType::kL1,
                                      record::BufferLayout::kInterleaved,
                                      0,
                                      kAddress,
                                      24576,
                                      2048,
                                      2048};
    const record::TensorRecord made{output, spec_, kDevice, buffer.buffer, kAddress, false};
    const record::TensorId input{1};

    record::emit_function_begin(outer_name_, 0);
    record::emit_function_begin(device_operation_, 2);
    record::emit_argument(attributes_);
    record::emit_argument(record::ArgumentType::kListBegin, 0);
    record::emit_argument(input, spec_);
    record::emit_argument(input, spec_);
    record::emit_argument(record::ArgumentType::kListEnd, 0);
    record::emit_input_tensor({input, spec_, kDevice, first_input_, kAddress, false});
    record::emit_input_tensor({input, spec_, kDevice, second_input_, kAddress, false});
    record::emit_function_begin(create_, 5);
    record::emit_buffer_allocate(buffer, kObserved);
    record::emit_output_tensor(made);
    record::emit_function_end();
    record::emit_program_selected(factory_, 0, true);
    record::emit_program_begin(kDevice, 1, kObserved);
    for (std::uint64_t i = 0; i < 3; ++i) {
        record::emit_program_memory(record::EventKind::kCircularBuffer,
                                    {1, kDevice, cores_, 105824 + 4096 * i, 4096, record::BufferId::kNone},
                                    kObserved);
    }
    record::emit_program_execution(kDevice, 1, {1, 1024, 0, 0, 0}, worker_cores_, 0);
    record::emit_output_tensor(made);
    record::emit_function_end();
    record::emit_function_end();
    record::emit_function_begin(deallocate_, 0);
    record::emit_buffer_free(buffer, kObserved);
    record::emit_function_end();
}

}  // namespace tilemeter::bench
