// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/workloads/models.hpp"

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tools/minilm_demo/encoder.hpp"
#include "tools/minilm_demo/weights.hpp"

namespace tilemeter::workloads {

Model minilm(const std::shared_ptr<Device>& device, const Sizes& sizes) {
    const demo::Encoder encoder({}, demo::zero_weights(device));
    const std::uint32_t batch = size_or(sizes, "batch", 2);
    return [=] {
        const Tensor tokens = zeros({batch, demo::Encoder::kSequence}, uint32, ROW_MAJOR_LAYOUT, device);
        const Tensor mask = zeros({batch, 1, 1, demo::Encoder::kSequence}, bfloat16, TILE_LAYOUT, device);
        return mean(encoder(tokens, mask), 1);
    };
}

const std::map<std::string, Setup>& models() {
    static const std::map<std::string, Setup> kModels = {{"minilm", minilm},
                                                         {"decoder", decoder},
                                                         {"attention_sdpa", attention_sdpa},
                                                         {"attention_mm", attention_mm},
                                                         {"bert_tiny", bert_tiny}};
    return kModels;
}

std::vector<std::string> names_of_models() {
    std::vector<std::string> names;
    for (const auto& [name, setup] : models())
        names.push_back(name);
    return names;
}

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
