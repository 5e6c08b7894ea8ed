// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/tensor/global_semaphore.hpp"

#include "runtime/device/errors.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

namespace {

TensorSpec spec_of(const CoreRangeSet& cores, BufferType::Value memory) {
    const auto count = static_cast<std::uint32_t>(cores.num_cores());
    if (count == 0) throw RuntimeError("create_global_semaphore: expected at least one core");
    const ShardSpec one_each{cores, {1, 1}, ShardOrientation::ROW_MAJOR};
    return {Shape({count, 1}),
            DataType::UINT32,
            Layout::ROW_MAJOR,
            {TensorMemoryLayout::HEIGHT_SHARDED, memory, one_each}};
}

}  // namespace

GlobalSemaphore::GlobalSemaphore(const std::shared_ptr<Device>& device, const CoreRangeSet& cores,
                                 BufferType::Value memory)
    : buffer_(Buffer::allocate(device, spec_of(cores, memory))) {}

}  // namespace tilemeter
