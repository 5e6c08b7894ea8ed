// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors of another one's shape and, where nothing else is said, of its dtype, layout and place.
//
// As recorded from TT-NN 0.81.1: where `like` lies on the device in tiles of floating-point numbers and dtype
// and layout stay, the device fills the new tensor itself (UnaryDeviceOperation); else the host makes it and
// sends it. With `into` the values are written over that tensor.
//
// All throw OutOfMemoryError and RuntimeError. Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/creation/creation.hpp"

namespace tilemeter {

using OptionalLayout = std::optional<Layout>;

Tensor full_like(const Tensor& like, float value, const OptionalDataType& dtype = std::nullopt,
                 const OptionalLayout& layout = std::nullopt, const OptionalDevice& device = nullptr,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalTensor& into = std::nullopt);
Tensor zeros_like(const Tensor& like, const OptionalDataType& dtype = std::nullopt,
                  const OptionalLayout& layout = std::nullopt, const OptionalDevice& device = nullptr,
                  const OptionalMemoryConfig& memory_config = std::nullopt,
                  const OptionalTensor& into = std::nullopt);
Tensor ones_like(const Tensor& like, const OptionalDataType& dtype = std::nullopt,
                 const OptionalLayout& layout = std::nullopt, const OptionalDevice& device = nullptr,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalTensor& into = std::nullopt);
/// Without values (they read as zeros). Only on a device.
Tensor empty_like(const Tensor& like, const OptionalDataType& dtype = std::nullopt,
                  const OptionalLayout& layout = std::nullopt, const OptionalDevice& device = nullptr,
                  const OptionalMemoryConfig& memory_config = std::nullopt);

namespace unscoped {
/// As part of another operation: without a scope of its own.
Tensor full_like(const Tensor& like, float value, const OptionalMemoryConfig& memory_config = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
