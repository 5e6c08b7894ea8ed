// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Models as a TT-NN author writes them in Python, in C++: the same operations in the same order, temporaries
// given back where Python gives them back. Weights are zeros; what is compared is memory.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"

namespace tilemeter::workloads {

/// Runs the model once; the result is kept until the capture has ended.
using Model = std::function<Tensor()>;

/// Number of layers, sizes, ...: by name, where they differ from the model's own.
using Sizes = std::map<std::string, std::uint32_t>;

/// Puts the weights on the device.
using Setup = Model (*)(const std::shared_ptr<Device>& device, const Sizes& sizes);

Model decoder(const std::shared_ptr<Device>& device, const Sizes& sizes);
Model attention_sdpa(const std::shared_ptr<Device>& device, const Sizes& sizes);
Model attention_mm(const std::shared_ptr<Device>& device, const Sizes& sizes);
Model bert_tiny(const std::shared_ptr<Device>& device, const Sizes& sizes);
/// Sentence embeddings; sizes: batch.
Model minilm(const std::shared_ptr<Device>& device, const Sizes& sizes);

/// All of them by name.
const std::map<std::string, Setup>& models();
std::vector<std::string> names_of_models();

std::uint32_t size_or(const Sizes& sizes, const std::string& name, std::uint32_t otherwise);

/// bfloat16 tiles in DRAM.
Tensor weight(const std::shared_ptr<Device>& device, const Shape& shape);

/// ttnn.deallocate, also of a tensor that is const here.
inline void give_back(Tensor tensor) {
    deallocate(tensor);
}

/// The end of a tensor that no name refers to any more.
void drop(Tensor tensor);

}  // namespace tilemeter::workloads
