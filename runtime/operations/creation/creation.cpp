// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/creation/creation.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"

namespace tilemeter {

namespace {

// The name of a place in arguments: a device or none.
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

const MemoryConfig& or_dram(const OptionalMemoryConfig& memory_config) {
    return memory_config ? *memory_config : DRAM_MEMORY_CONFIG;
}

// Definition: Zeros, Ones or Full.
template <typename Definition>
RecordedFill recorded_fill(const Definition& arguments, float value) {
    return {arguments.shape,
            value,
            arguments.dtype.value_or(DataType::BFLOAT16),
            arguments.layout.value_or(Layout::ROW_MAJOR),
            place_name(arguments.device),
            or_dram(arguments.memory_config)};
}

template <typename Definition>
Tensor filled(const Definition& arguments, float value) {
    const DataType dtype = arguments.dtype.value_or(DataType::BFLOAT16);
    const Shape& shape = arguments.shape;
    if (is_block_float(dtype)) {  // TT-NN makes float32 first, and shows it
        static const record::TextId kConversion = record::intern("tt::tt_metal::to_dtype");
        in_scope(kConversion, std::tie(dtype), [] {});
    }
    return made(shape, dtype, arguments.layout.value_or(Layout::ROW_MAJOR), arguments.device,
                or_dram(arguments.memory_config), [value, dtype, shape = shape] {
                    if (value == 0) return HostArray(dtype, shape);
                    return HostArray::from_floats(std::vector<float>(shape.volume(), value), dtype, shape);
                });
}

Tensor filled_over(const Tensor& tensor, const Shape& shape, float value) {
    const TensorSpec spec{shape, tensor.dtype(), tensor.layout(), DRAM_MEMORY_CONFIG};
    const auto make_values = [spec, value] {
        return HostArray::from_floats(std::vector<float>(spec.shape.volume(), value), spec.dtype, spec.shape);
    };
    overwrite(host_or_planned(spec, make_values), tensor);
    return tensor;
}

}  // namespace

RecordedFill Zeros::recorded() const {
    return recorded_fill(*this, 0);
}

Tensor Zeros::body() const {
    return filled(*this, 0);
}

RecordedFill Ones::recorded() const {
    return recorded_fill(*this, 1);
}

Tensor Ones::body() const {
    return filled(*this, 1);
}

std::variant<RecordedFill, std::tuple<const Shape&, const float&, const Tensor&>> Full::recorded() const {
    if (optional_tensor) return std::tie(shape, fill_value, *optional_tensor);
    return recorded_fill(*this, fill_value);
}

Tensor Full::body() const {
    return optional_tensor ? filled_over(*optional_tensor, shape, fill_value) : filled(*this, fill_value);
}

std::tuple<const Shape&, DataType, Layout, std::optional<std::string>, const MemoryConfig&> Empty::recorded()
    const {
    return {shape, dtype.value_or(DataType::BFLOAT16), layout.value_or(Layout::ROW_MAJOR), place_name(device),
            or_dram(memory_config)};
}

Tensor Empty::body() const {
    require(device != nullptr, "empty: expected a device, got none");
    const TensorSpec spec{shape, dtype.value_or(DataType::BFLOAT16), layout.value_or(Layout::ROW_MAJOR),
                          or_dram(memory_config)};
    return create_device_tensor(spec, device);
}

std::tuple<const std::int64_t&, const std::int64_t&, const std::int64_t&, const DataType&,
           std::optional<std::string>, const MemoryConfig&>
Arange::recorded() const {
    return {start, end, step, dtype, place_name(device), or_dram(memory_config)};
}

Tensor Arange::body() const {
    // TT-NN makes whole numbers first, and shows it.
    static const record::TextId kConversion = record::intern("tt::tt_metal::to_dtype");
    in_scope(kConversion, std::tie(dtype), [] {});
    require(step != 0, "arange: expected a step other than 0");
    const std::int64_t distance = step > 0 ? end - start : start - end;
    const std::int64_t stride = step > 0 ? step : -step;
    const std::int64_t count = distance > 0 ? (distance + stride - 1) / stride : 0;
    const Shape shape{static_cast<std::uint32_t>(count)};
    return made(shape, dtype, layout, device, or_dram(memory_config),
                [first = start, stride_to = step, count, type = dtype, shape] {
                    std::vector<std::int64_t> values;
                    for (std::int64_t i = 0; i < count; ++i)
                        values.push_back(first + i * stride_to);
                    return HostArray::from_integers(values, type, shape);
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

std::tuple<const Tensor&, std::optional<std::string>, const MemoryConfig&> ToDevice::recorded() const {
    return {tensor, place_name(device), or_dram(memory_config)};
}

Tensor ToDevice::body() const {
    require(device != nullptr, "to_device: expected a device, got none");
    return upload(tensor, device, or_dram(memory_config));
}

Tensor FromDevice::body() const {
    return tensor.storage_type() == StorageType::HOST ? tensor : download(tensor);
}

void deallocate(Tensor& tensor, bool force) {
    static const OperationName kName("deallocate");
    in_operation(kName, std::tie(tensor, force), [&] { tensor.deallocate(force); });
}

}  // namespace tilemeter
