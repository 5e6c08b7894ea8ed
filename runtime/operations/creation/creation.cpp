// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/creation/creation.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"

namespace tilemeter {

namespace {

// How arguments name the place: a device or none.
std::optional<std::string> place_name(const OptionalDevice& device) {
    if (!device) return std::nullopt;
    return "device " + std::to_string(static_cast<unsigned>(device->id()));
}

template <typename MakeValues>
Tensor made(const Shape& shape, DataType dtype, Layout layout, const OptionalDevice& device,
            const MemoryConfig& memory_config, MakeValues make_values) {
    const Tensor host =
        host_or_planned(TensorSpec{shape, dtype, layout, DRAM_MEMORY_CONFIG}, std::move(make_values));
    return device ? upload(host, device, memory_config) : host;
}

Tensor filled(const OperationName& name, const Shape& shape, float value, DataType dtype, Layout layout,
              const OptionalDevice& device, const MemoryConfig& memory_config) {
    const std::optional<std::string> place = place_name(device);
    return in_operation(name, std::tie(shape, value, dtype, layout, place, memory_config), [&] {
        return made(shape, dtype, layout, device, memory_config, [&] {
            if (value == 0) return HostArray(dtype, shape);
            return HostArray::from_floats(std::vector<float>(shape.volume(), value), dtype, shape);
        });
    });
}

}  // namespace

Tensor full(const Shape& shape, float value, const Tensor& into) {
    static const OperationName kName("full");
    return in_operation(kName, std::tie(shape, value, into), [&] {
        const TensorSpec spec{shape, into.dtype(), into.layout(), DRAM_MEMORY_CONFIG};
        overwrite(host_or_planned(spec,
                                  [&] {
                                      return HostArray::from_floats(std::vector<float>(shape.volume(), value),
                                                                    spec.dtype, shape);
                                  }),
                  into);
        return into;
    });
}

Tensor full(const Shape& shape, float value, DataType dtype, Layout layout, const OptionalDevice& device,
            const MemoryConfig& memory_config) {
    static const OperationName kName("full");
    return filled(kName, shape, value, dtype, layout, device, memory_config);
}

Tensor zeros(const Shape& shape, DataType dtype, Layout layout, const OptionalDevice& device,
             const MemoryConfig& memory_config) {
    static const OperationName kName("zeros");
    return filled(kName, shape, 0, dtype, layout, device, memory_config);
}

Tensor ones(const Shape& shape, DataType dtype, Layout layout, const OptionalDevice& device,
            const MemoryConfig& memory_config) {
    static const OperationName kName("ones");
    return filled(kName, shape, 1, dtype, layout, device, memory_config);
}

Tensor empty(const Shape& shape, DataType dtype, Layout layout, const OptionalDevice& device,
             const MemoryConfig& memory_config) {
    static const OperationName kName("empty");
    const std::optional<std::string> place = place_name(device);
    return in_operation(kName, std::tie(shape, dtype, layout, place, memory_config), [&] {
        if (!device) throw RuntimeError("empty: expected a device, got none");
        return create_device_tensor(TensorSpec{shape, dtype, layout, memory_config}, device);
    });
}

Tensor arange(std::int64_t start, std::int64_t end, std::int64_t step, DataType dtype,
              const OptionalDevice& device, const MemoryConfig& memory_config, Layout layout) {
    static const OperationName kName("arange");
    const std::optional<std::string> place = place_name(device);
    return in_operation(kName, std::tie(start, end, step, dtype, place, memory_config), [&] {
        // TT-NN makes whole numbers first, and shows it.
        static const record::TextId kConversion = record::intern("tt::tt_metal::to_dtype");
        in_scope(kConversion, std::tie(dtype), [] {});
        if (step == 0) throw RuntimeError("arange: expected a step other than 0");
        const std::int64_t distance = step > 0 ? end - start : start - end;
        const std::int64_t stride = step > 0 ? step : -step;
        const std::int64_t count = distance > 0 ? (distance + stride - 1) / stride : 0;
        const Shape shape{static_cast<std::uint32_t>(count)};
        return made(shape, dtype, layout, device, memory_config, [&] {
            std::vector<std::int64_t> values;
            for (std::int64_t i = 0; i < count; ++i)
                values.push_back(start + i * step);
            return HostArray::from_integers(values, dtype, shape);
        });
    });
}

Tensor from_vector(std::span<const float> values, const Shape& shape, DataType dtype, Layout layout,
                   const OptionalDevice& device, const MemoryConfig& memory_config) {
    const Tensor host = Tensor::on_host(TensorSpec{shape, dtype, layout, DRAM_MEMORY_CONFIG},
                                        HostArray::from_floats(values, dtype, shape));
    return device ? upload(host, device, memory_config) : host;
}

Tensor from_vector(std::span<const std::int64_t> values, const Shape& shape, DataType dtype, Layout layout,
                   const OptionalDevice& device, const MemoryConfig& memory_config) {
    const Tensor host = Tensor::on_host(TensorSpec{shape, dtype, layout, DRAM_MEMORY_CONFIG},
                                        HostArray::from_integers(values, dtype, shape));
    return device ? upload(host, device, memory_config) : host;
}

Tensor to_device(const Tensor& host, const std::shared_ptr<Device>& device,
                 const MemoryConfig& memory_config) {
    static const OperationName kName("to_device");
    const std::optional<std::string> place = place_name(device);
    return in_operation(kName, std::tie(host, place, memory_config), [&] {
        if (!device) throw RuntimeError("to_device: expected a device, got none");
        return upload(host, device, memory_config);
    });
}

Tensor from_device(const Tensor& tensor) {
    static const OperationName kName("from_device");
    return in_operation(kName, std::tie(tensor), [&] {
        return tensor.storage_type() == StorageType::HOST ? tensor : download(tensor);
    });
}

void deallocate(Tensor& tensor, bool force) {
    static const OperationName kName("deallocate");
    in_operation(kName, std::tie(tensor, force), [&] { tensor.deallocate(force); });
}

}  // namespace tilemeter
