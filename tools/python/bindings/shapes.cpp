// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations that give elements other dimensions.

#include <nanobind/stl/variant.h>

#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/reshape_on_device.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

// The padding that the caller asks for is the one that follows from the shape.
void require_padding_of(const Tensor& input, const Shape& logical, const Shape& padded) {
    TensorSpec spec = input.spec();
    spec.shape = logical;
    if (spec.padded_shape() == padded) return;
    throw nb::value_error(
        ("reshape: padded_shape: expected " + spec.padded_shape().to_string() + ", got " + padded.to_string())
            .c_str());
}

void bind_view(nb::module_& m, Tensor (*view)(const Tensor&, const Shape&)) {
    operation(
        m, "view",
        [view](const Tensor& input, const std::vector<std::int64_t>& shape) {
            return view(input, resolve_shape(input, shape));
        },
        "input_tensor"_a, "shape"_a,
        "The same memory under another shape, of which one dimension may be -1; raises RuntimeError where an "
        "element would have to move.");
    operation(m, "view", view, "input_tensor"_a, "shape"_a, "The same for a ttnn.Shape.");
}

}  // namespace

void bind_shapes(nb::module_& m) {
    auto experimental = nb::cast<nb::module_>(m.attr("experimental"));
    operation(
        m, "reshape",
        [](const Tensor& input, const Shape& shape, const OptionalMemoryConfig& memory_config, nb::handle,
           nb::handle, const OptionalCores& sub_core_grids,
           bool) { return reshape(input, shape, memory_config, sub_core_grids); },
        "input_tensor"_a, "shape"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "pad_value"_a = nb::none(), "reshape_tile_mode"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "skip_padding_fill"_a = false,
        "The same elements, in row-major order, under other dimensions; shares memory where none moves.");
    operation(
        m, "reshape",
        [](const Tensor& input, const Shape& shape, const Shape& padded_shape,
           const OptionalMemoryConfig& memory_config, nb::handle, nb::handle,
           const OptionalCores& sub_core_grids, bool) {
            require_padding_of(input, shape, padded_shape);
            return reshape(input, shape, memory_config, sub_core_grids);
        },
        "input_tensor"_a, "logical_shape"_a, "padded_shape"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "pad_value"_a = nb::none(), "reshape_tile_mode"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "skip_padding_fill"_a = false, "padded_shape: what the layout makes of logical_shape.");
    operation(
        m, "reshape",
        [](const Tensor& input, const std::vector<std::int64_t>& shape,
           const OptionalMemoryConfig& memory_config, nb::handle, nb::handle,
           const OptionalCores& sub_core_grids,
           bool) { return reshape(input, resolve_shape(input, shape), memory_config, sub_core_grids); },
        "input_tensor"_a, "shape"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "pad_value"_a = nb::none(), "reshape_tile_mode"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "skip_padding_fill"_a = false, "One dimension may be -1: it takes what is left.");
    operation(
        m, "reshape_on_device",
        [](const Tensor& input, std::int64_t w, std::int64_t z, std::int64_t y, std::int64_t x,
           const OptionalMemoryConfig& memory_config) {
            const std::int64_t shape[] = {w, z, y, x};
            return reshape_on_device(input, resolve_shape(input, shape), memory_config);
        },
        "input_tensor"_a, "W"_a, "Z"_a, "Y"_a, "X"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "reshape to [W, Z, Y, X] by a program of its own; one of them may be -1.");
    bind_view(m, &view);
    bind_view(experimental, &tilemeter::experimental::view);
    operation(
        experimental, "view",
        [](const Tensor& input, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
            const std::int64_t shape[] = {n, c, h, w};
            return tilemeter::experimental::view(input, resolve_shape(input, shape));
        },
        "input_tensor"_a, "N"_a, "C"_a, "H"_a, "W"_a, "Four dimensions.");
    operation(m, "unsqueeze_to_4D", &unsqueeze_to_4D, "tensor"_a, "Leading dimensions of 1 up to four.");
    operation(m, "unsqueeze", &unsqueeze, "input_tensor"_a, "dim"_a, "A dimension of 1 at dim.");
    operation(
        m, "squeeze",
        [](const Tensor& input,
           const std::optional<std::variant<std::int64_t, std::vector<std::int64_t>>>& dim) {
            if (!dim) return squeeze(input);
            return std::visit([&](const auto& each) { return squeeze(input, each); }, *dim);
        },
        "input_tensor"_a, "dim"_a = nb::none(),
        "Without dimension dim, or each of the dimensions dim, if it is 1; None: without all that are 1.");
    operation(
        m, "permute",
        [](const Tensor& input, const std::vector<std::int64_t>& dims,
           const OptionalMemoryConfig& memory_config,
           float pad_value) { return permute(input, dims, memory_config, pad_value); },
        "input_tensor"_a, "dims"_a, nb::kw_only(), "memory_config"_a = nb::none(), "pad_value"_a = 0.0F,
        "Dimension i of the result is dimension dims[i] of the input.");
    operation(
        m, "permute",
        [](const Tensor& input, const std::vector<std::int64_t>& dims, float pad_value) {
            return permute(input, dims, std::nullopt, pad_value);
        },
        "input_tensor"_a, "dims"_a, "pad_value"_a = 0.0F, "The same in the memory of the input's kind.");
    operation(
        m, "transpose",
        [](const Tensor& input, std::int64_t dim1, std::int64_t dim2,
           const OptionalMemoryConfig& memory_config,
           float pad_value) { return transpose(input, dim1, dim2, memory_config, pad_value); },
        "input_tensor"_a, "dim1"_a, "dim2"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "pad_value"_a = 0.0F, "Two dimensions exchanged.");
    operation(
        m, "transpose",
        [](const Tensor& input, std::int64_t dim1, std::int64_t dim2, float pad_value) {
            return transpose(input, dim1, dim2, std::nullopt, pad_value);
        },
        "input_tensor"_a, "dim1"_a, "dim2"_a, "pad_value"_a = 0.0F,
        "The same in the memory of the input's kind.");
}

}  // namespace tilemeter::python
