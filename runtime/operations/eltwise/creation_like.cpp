// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/creation_like.hpp"

#include <tuple>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/eltwise/unary.hpp"

namespace tilemeter {

namespace {

Tensor made_on_host(const TensorSpec& spec, float value) {
    return host_or_planned(spec, [&] {
        return HostArray::from_floats(std::vector<float>(spec.shape.volume(), value), spec.dtype, spec.shape);
    });
}

// What an element-wise program can overwrite: a device makes a tensor like that itself.
bool device_can_fill(const Tensor& like, const TensorSpec& spec) {
    const bool floating =
        is_block_float(spec.dtype) || spec.dtype == DataType::BFLOAT16 || spec.dtype == DataType::FLOAT32;
    return like.storage_type() == StorageType::DEVICE && like.layout() == Layout::TILE && floating &&
           spec.layout == like.layout() && spec.dtype == like.dtype();
}

struct Likeness {
    TensorSpec spec;
    OptionalDevice device;
};

Likeness likeness_of(const Tensor& like, const OptionalDataType& dtype, const OptionalLayout& layout,
                     const OptionalDevice& device, const OptionalMemoryConfig& memory_config) {
    const bool on_device = like.storage_type() == StorageType::DEVICE;
    return {TensorSpec{like.shape(), dtype.value_or(like.dtype()), layout.value_or(like.layout()),
                       memory_config.value_or(on_device ? like.memory_config() : DRAM_MEMORY_CONFIG)},
            device      ? device
            : on_device ? like.shared_device()
                        : nullptr};
}

Tensor filled(const Tensor& like, float value, const OptionalDataType& dtype, const OptionalLayout& layout,
              const OptionalDevice& device, const OptionalMemoryConfig& memory_config,
              const OptionalTensor& into) {
    const auto [spec, place] = likeness_of(like, dtype, layout, device, memory_config);
    if (device_can_fill(like, spec) && place == like.shared_device())
        return unscoped::unary({UnaryOpType::FILL, {value}}, like, spec.memory_config, into);
    const Tensor host = made_on_host({spec.shape, spec.dtype, spec.layout, DRAM_MEMORY_CONFIG}, value);
    if (into) {
        overwrite(host, *into);
        return *into;
    }
    return place ? upload(host, place, spec.memory_config) : host;
}

Tensor filled_like(const OperationName& name, const Tensor& like, float value, const OptionalDataType& dtype,
                   const OptionalLayout& layout, const OptionalDevice& device,
                   const OptionalMemoryConfig& memory_config, const OptionalTensor& into) {
    return in_operation(name, std::tie(like, value, dtype, layout, memory_config),
                        [&] { return filled(like, value, dtype, layout, device, memory_config, into); });
}

}  // namespace

Tensor unscoped::full_like(const Tensor& like, float value, const OptionalMemoryConfig& memory_config) {
    return filled(like, value, std::nullopt, std::nullopt, nullptr, memory_config, std::nullopt);
}

Tensor full_like(const Tensor& like, float value, const OptionalDataType& dtype, const OptionalLayout& layout,
                 const OptionalDevice& device, const OptionalMemoryConfig& memory_config,
                 const OptionalTensor& into) {
    static const OperationName kName("full_like");
    return filled_like(kName, like, value, dtype, layout, device, memory_config, into);
}

Tensor zeros_like(const Tensor& like, const OptionalDataType& dtype, const OptionalLayout& layout,
                  const OptionalDevice& device, const OptionalMemoryConfig& memory_config,
                  const OptionalTensor& into) {
    static const OperationName kName("zeros_like");
    return filled_like(kName, like, 0, dtype, layout, device, memory_config, into);
}

Tensor ones_like(const Tensor& like, const OptionalDataType& dtype, const OptionalLayout& layout,
                 const OptionalDevice& device, const OptionalMemoryConfig& memory_config,
                 const OptionalTensor& into) {
    static const OperationName kName("ones_like");
    return filled_like(kName, like, 1, dtype, layout, device, memory_config, into);
}

Tensor empty_like(const Tensor& like, const OptionalDataType& dtype, const OptionalLayout& layout,
                  const OptionalDevice& device, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("empty_like");
    return in_operation(kName, std::tie(like, dtype, layout, memory_config), [&] {
        const auto [spec, place] = likeness_of(like, dtype, layout, device, memory_config);
        if (!place) throw RuntimeError("empty_like: expected a device, or a tensor on one");
        return create_device_tensor(spec, place);
    });
}

}  // namespace tilemeter
