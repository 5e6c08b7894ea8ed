// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The model's weights on a device.

#pragma once

#include <filesystem>
#include <memory>

#include "runtime/device/device.hpp"
#include "tools/minilm_demo/encoder.hpp"

namespace tilemeter::demo {

/// Weights from the model's file, in DRAM. Matrices are turned from [out, in] to [in,
/// out]; the position embeddings have the embedding of token type 0 added, since all sentences are of that
/// type. The function throws std::runtime_error for a weight that the file lacks or has in another shape.
Encoder::MakeWeight weights_from_file(const std::filesystem::path& safetensors,
                                      std::shared_ptr<Device> device);

/// Zeros of the same shapes: for what depends on sizes only.
Encoder::MakeWeight zero_weights(std::shared_ptr<Device> device);

}  // namespace tilemeter::demo
