// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/workloads/models.hpp"

namespace tilemeter::workloads {

std::uint32_t size_or(const Sizes& sizes, const std::string& name, std::uint32_t otherwise) {
    const auto found = sizes.find(name);
    return found == sizes.end() ? otherwise : found->second;
}

Tensor weight(const std::shared_ptr<Device>& device, const Shape& shape) {
    return zeros(shape, bfloat16, TILE_LAYOUT, device, DRAM_MEMORY_CONFIG);
}

void drop(Tensor tensor) {
    if (tensor.is_allocated() && !tensor.shares_memory()) tensor.deallocate();
}

}  // namespace tilemeter::workloads
