// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Conversions between the types that clients of TT-NN write and those of the model.

#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/operations/work/core_grid.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tilemeter_ttnn/mesh.hpp"
#include "tilemeter_ttnn/tensor.hpp"
#include "tilemeter_ttnn/tensor_spec.hpp"

namespace tilemeter::compat {

namespace metal = ::tt::tt_metal;

// Enumerations of both sides have the same numbers.
inline DataType to_model(metal::DataType dtype) {
    return static_cast<DataType>(dtype);
}
inline Layout to_model(metal::Layout layout) {
    return static_cast<Layout>(layout);
}
inline TensorMemoryLayout::Value to_model(metal::TensorMemoryLayout layout) {
    return static_cast<TensorMemoryLayout::Value>(layout);
}
inline BufferType::Value to_model(metal::BufferType type) {
    return static_cast<BufferType::Value>(type);
}
inline ShardOrientation to_model(metal::ShardOrientation orientation) {
    return static_cast<ShardOrientation>(orientation);
}
inline metal::DataType from_model(DataType dtype) {
    return static_cast<metal::DataType>(dtype);
}
inline metal::Layout from_model(Layout layout) {
    return static_cast<metal::Layout>(layout);
}

CoreCoord to_model(const metal::CoreCoord& core);
CoreRangeSet to_model(const metal::CoreRangeSet& cores);
Shape to_model(const metal::Shape& shape);
MemoryConfig to_model(const metal::MemoryConfig& config);
Tile to_model(const metal::Tile& tile);
TensorSpec to_model(const metal::TensorSpec& spec);
MeshShape to_model(const metal::distributed::MeshShape& shape);
inline const Tensor& to_model(const ::ttnn::Tensor& tensor) {
    return tensor.model();
}
/// Throws std::runtime_error for null.
std::shared_ptr<Device> to_model(metal::distributed::MeshDevice* device);

metal::CoreCoord from_model(CoreCoord core);
metal::CoreRangeSet from_model(const CoreRangeSet& cores);
metal::Shape from_model(const Shape& shape);
metal::MemoryConfig from_model(const MemoryConfig& config);
metal::TensorSpec from_model(const TensorSpec& spec);
inline ::ttnn::Tensor from_model(Tensor tensor) {
    return ::ttnn::Tensor::of(std::move(tensor));
}

template <typename T>
auto to_model(const std::optional<T>& value) {
    using Model = std::remove_cvref_t<decltype(to_model(*value))>;
    return value ? std::optional<Model>(to_model(*value)) : std::nullopt;
}

}  // namespace tilemeter::compat
