// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/upload_and_convert.hpp"

#include <optional>

#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/typecast.hpp"

namespace tilemeter {

Tensor upload_and_convert(const Tensor& host, const std::shared_ptr<Device>& device,
                          const MemoryConfig& memory_config, DataType dtype, Layout layout) {
    Tensor tensor = upload(upload(host, device, memory_config), device, memory_config);
    if (tensor.dtype() != dtype) {
        if (tensor.layout() != Layout::TILE)
            tensor = unscoped::to_layout(tensor, Layout::TILE, std::nullopt, memory_config);
        tensor = unscoped::typecast(tensor, dtype);
    }
    if (tensor.layout() != layout) tensor = unscoped::to_layout(tensor, layout, std::nullopt, memory_config);
    return tensor;
}

}  // namespace tilemeter
