// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/creation/creation.hpp"

#include "runtime/operations/eltwise/creation_like.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

using OptionalMemory = std::optional<MemoryConfig>;

MemoryConfig or_dram(const OptionalMemory& memory_config) {
    return memory_config ? *memory_config : DRAM_MEMORY_CONFIG;
}

using Filled = Tensor (*)(const Shape&, DataType, Layout, const OptionalDevice&, const MemoryConfig&);

void bind_filled(nb::module_& m, const char* name, Filled function, const char* doc) {
    operation(
        m, name,
        [function](const Shape& shape, const std::optional<DataType>& dtype,
                   const std::optional<Layout>& layout, const OptionalDevice& device,
                   const OptionalMemory& memory_config) {
            return function(shape, dtype.value_or(DataType::BFLOAT16), layout.value_or(Layout::ROW_MAJOR),
                            device, or_dram(memory_config));
        },
        "shape"_a, "dtype"_a = nb::none(), "layout"_a = nb::none(), "device"_a = nb::none(),
        "memory_config"_a = nb::none(), doc);
}

using FilledLike = Tensor (*)(const Tensor&, const OptionalDataType&, const OptionalLayout&,
                              const OptionalDevice&, const OptionalMemoryConfig&, const OptionalTensor&);

void bind_filled_like(nb::module_& m, const char* name, FilledLike function, const char* doc) {
    operation(m, name, function, "tensor"_a, "dtype"_a = nb::none(), "layout"_a = nb::none(),
              "device"_a = nb::none(), "memory_config"_a = nb::none(), "optional_tensor"_a = nb::none(), doc);
}

}  // namespace

void bind_creation(nb::module_& m) {
    bind_filled(m, "zeros", &zeros, "A tensor of zeros; bfloat16 in rows on the host unless said otherwise.");
    bind_filled(m, "ones", &ones, "A tensor of ones; bfloat16 in rows on the host unless said otherwise.");
    bind_filled_like(m, "zeros_like", &zeros_like,
                     "Zeros of another tensor's shape, dtype, layout and place.");
    bind_filled_like(m, "ones_like", &ones_like, "Ones of another tensor's shape, dtype, layout and place.");
    operation(m, "empty_like", &empty_like, "tensor"_a, nb::kw_only(), "dtype"_a = nb::none(),
              "layout"_a = nb::none(), "device"_a = nb::none(), "memory_config"_a = nb::none(),
              "Device memory without values in another tensor's shape, dtype and layout.");
    operation(m, "full_like", &full_like, "tensor"_a, "fill_value"_a, "dtype"_a = nb::none(),
              "layout"_a = nb::none(), "device"_a = nb::none(), "memory_config"_a = nb::none(),
              "optional_tensor"_a = nb::none(),
              "One value in another tensor's shape, dtype, layout and place, or over optional_tensor.");
    operation(
        m, "full",
        [](const Shape& shape, float fill_value, const std::optional<DataType>& dtype,
           const std::optional<Layout>& layout, const OptionalDevice& device,
           const OptionalMemory& memory_config, const OptionalTensor& into) {
            if (into) return full(shape, fill_value, *into);
            return full(shape, fill_value, dtype.value_or(DataType::BFLOAT16),
                        layout.value_or(Layout::ROW_MAJOR), device, or_dram(memory_config));
        },
        "shape"_a, "fill_value"_a, "dtype"_a = nb::none(), "layout"_a = nb::none(), "device"_a = nb::none(),
        "memory_config"_a = nb::none(), "optional_tensor"_a = nb::none(),
        "A tensor of one value; or that value over optional_tensor, in its dtype and layout.");
    operation(
        m, "empty",
        [](const Shape& shape, const std::optional<DataType>& dtype, const std::optional<Layout>& layout,
           const OptionalDevice& device, const OptionalMemory& memory_config) {
            return empty(shape, dtype.value_or(DataType::BFLOAT16), layout.value_or(Layout::ROW_MAJOR),
                         device, or_dram(memory_config));
        },
        "shape"_a, "dtype"_a = nb::none(), "layout"_a = nb::none(), "device"_a = nb::none(),
        "memory_config"_a = nb::none(), "Device memory without values (they read as zeros).");
    const auto make_arange = [](std::int64_t start, std::int64_t end, std::int64_t step, DataType dtype,
                                const OptionalDevice& device, const OptionalMemory& memory_config,
                                Layout layout) {
        return arange(start, end, step, dtype, device, or_dram(memory_config), layout);
    };
    operation(
        m, "arange",
        [make_arange](std::int64_t end, DataType dtype, const OptionalDevice& device,
                      const OptionalMemory& memory_config,
                      Layout layout) { return make_arange(0, end, 1, dtype, device, memory_config, layout); },
        "end"_a, nb::kw_only(), "dtype"_a = DataType::BFLOAT16, "device"_a = nb::none(),
        "memory_config"_a = nb::none(), "layout"_a = Layout::ROW_MAJOR, "0, 1, ... below end; shape [end].");
    operation(m, "arange", make_arange, "start"_a, "end"_a, "step"_a = 1, "dtype"_a = DataType::BFLOAT16,
              "device"_a = nb::none(), "memory_config"_a = nb::none(), "layout"_a = Layout::ROW_MAJOR,
              "start, start + step, ... before end; shape [n].");
    operation(
        m, "to_device",
        [](const Tensor& tensor, const OptionalDevice& device, const OptionalMemory& memory_config,
           nb::handle) { return to_device(tensor, device, or_dram(memory_config)); },
        "tensor"_a, "device"_a, "memory_config"_a = nb::none(), nb::kw_only(), "queue_id"_a = nb::none(),
        "A host tensor on a device.");
    operation(
        m, "from_device", [](const Tensor& tensor, bool, nb::handle) { return from_device(tensor); },
        "tensor"_a, "blocking"_a = true, nb::kw_only(), "queue_id"_a = nb::none(),
        "A device tensor on the host.");
    operation(
        // By its object: a tensor of our own would share the memory, which then stays without force.
        m, "deallocate", [](TensorHandle& tensor, bool force) { deallocate(tensor.tensor(), force); },
        "tensor"_a, "force"_a = true,
        "Frees the device memory, with force also for other tensors that share it.");
}

}  // namespace tilemeter::python
