// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors in files, in TT-NN 0.81.1's form (.tensorbin): either one reads what the other wrote.

#pragma once

#include <cstdint>
#include <string>

#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn {

/// Which hosts of several write: there is one here, and both write all of the tensor.
enum class DumpTensorMode : std::uint8_t { DISTRIBUTED_GATHER = 0, DISTRIBUTED_LOCAL = 1 };

/// Throws std::runtime_error where the file cannot be written, and nothing stays half-written.
void dump_tensor_flatbuffer(const std::string& file_name, const Tensor& tensor,
                            DumpTensorMode mode = DumpTensorMode::DISTRIBUTED_GATHER);
/// The tensor of a file, on the device where one is given. Throws std::runtime_error, naming the file, for another form.
Tensor load_tensor_flatbuffer(const std::string& file_name,
                              tt::tt_metal::distributed::MeshDevice* device = nullptr);

}  // namespace ttnn
