// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/place/place_calls.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "capture/ir/error.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/bitcast.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/gather.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/scatter.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/data_movement/sort.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/eltwise_composites.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/reduction/accumulation.hpp"
#include "runtime/operations/reduction/argmax.hpp"
#include "runtime/operations/reduction/prod.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/operations/reduction/topk.hpp"

namespace tilemeter::trace::placement {

namespace {

using ir::ElementType;

Shape shape_of_extents(const Integers& extents) {
    Shape shape;
    for (const std::int64_t extent : extents)
        shape.push_back(static_cast<std::uint32_t>(extent));
    return shape;
}

ReduceDims reduce_dims(const Integers& dims) {
    return std::vector<int>(dims.begin(), dims.end());
}

bool is_identity(const Integers& order) {
    for (std::size_t i = 0; i < order.size(); ++i)
        if (order[i] != static_cast<std::int64_t>(i)) return false;
    return true;
}

}  // namespace

bool is_exact(double number) {
    return static_cast<double>(static_cast<float>(number)) == number;
}

ElementType element_of(DataType dtype) {
    switch (dtype) {
        case DataType::BFLOAT16:
            return ElementType::kBF16;
        case DataType::FLOAT32:
            return ElementType::kF32;
        case DataType::UINT32:
            return ElementType::kU32;
        case DataType::BFLOAT8_B:
            return ElementType::kBfloat8B;
        case DataType::BFLOAT4_B:
            return ElementType::kBfloat4B;
        case DataType::UINT8:
            return ElementType::kU8;
        case DataType::UINT16:
            return ElementType::kU16;
        case DataType::INT32:
            break;
    }
    return ElementType::kI32;
}

DataType Calls::dtype_of(ElementType element) const {
    switch (element) {
        case ElementType::kI32:
            return DataType::INT32;
        case ElementType::kU32:
            return DataType::UINT32;
        case ElementType::kBF16:
            return options_.dtype.value_or(DataType::BFLOAT16);
        default:
            return options_.dtype.value_or(DataType::FLOAT32);
    }
}

Shape Calls::shape_of(const ir::Shape& shape) {
    return shape.rank() == 0 ? Shape{1} : shape_of_extents({shape.begin(), shape.end()});
}

ir::TensorType Calls::type_of(const Tensor& tensor) const {
    const auto dims = tensor.shape().dimensions();
    const Integers extents(dims.begin(), dims.end());
    const std::string device =
        device_->description().name + ":" + std::to_string(static_cast<unsigned>(device_->id()));
    return {element_of(tensor.dtype()), ir::Shape(extents),
            ir::Place{device, std::string(name_of(tensor.layout())),
                      std::string(name_of(tensor.memory_config().buffer_type))}};
}

Values Calls::made(std::string_view name, std::span<const Value> operands, const ir::Attributes& attributes,
                   std::span<const Tensor> tensors) {
    Values values;
    for (const Tensor& tensor : tensors)
        values.push_back({tensor, {}});
    if (record_ == nullptr) return values;
    std::vector<ir::ValueId> ids;
    for (const Value& operand : operands)
        ids.push_back(operand.id);
    std::vector<ir::TensorType> types;
    for (const Tensor& tensor : tensors)
        types.push_back(type_of(tensor));
    const ir::ValueRange results = record_->append("ttnn." + std::string(name), ids, types, attributes);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i].id = results[i];
    return values;
}

Scalar Calls::scalar(double number, const Value& beside) {
    if (is_floating_point(beside.tensor.dtype())) return number;
    return static_cast<std::int64_t>(number);
}

// ---- sources

Value Calls::constant(const ir::Constant& constant) {
    const ir::TensorType& type = constant.type();
    const DataType dtype = dtype_of(type.element);
    const Shape shape = shape_of(type.shape);
    const auto count = static_cast<std::size_t>(type.shape.elements());
    Tensor tensor;
    if (is_floating_point(dtype)) {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = static_cast<float>(constant.double_at(i));
        tensor = from_vector(std::span<const float>(values), shape, dtype, Layout::TILE, device_,
                             options_.memory_config);
    } else {
        std::vector<std::int64_t> values(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = constant.integer_at(i);
        tensor = from_vector(std::span<const std::int64_t>(values), shape, dtype, Layout::TILE, device_,
                             options_.memory_config);
    }
    if (record_ == nullptr) return {tensor, {}};
    return made("to_device", {Value{{}, record_->add_const(constant)}}, {}, tensor);
}

Value Calls::integers(const std::vector<std::int64_t>& values, const Integers& shape, DataType dtype) {
    return constant(ir::Constant::of(element_of(dtype), ir::Shape(shape), std::span(values)));
}

Value Calls::full(const Integers& shape, double value, DataType dtype) {
    return made("full", {}, {{"shape", shape}, {"fill_value", value}, {"dtype", element_of(dtype)}},
                tilemeter::full(Full{.shape = shape_of_extents(shape),
                                     .fill_value = static_cast<float>(value),
                                     .dtype = dtype,
                                     .layout = Layout::TILE,
                                     .device = device_,
                                     .memory_config = options_.memory_config}));
}

Value Calls::arange(std::int64_t start, std::int64_t n, std::int64_t step, DataType dtype) {
    const std::int64_t end = start + n * step;
    return made("arange", {}, {{"start", start}, {"end", end}, {"step", step}, {"dtype", element_of(dtype)}},
                tilemeter::arange(Arange{.start = start,
                                         .end = end,
                                         .step = step,
                                         .dtype = dtype,
                                         .device = device_,
                                         .memory_config = options_.memory_config,
                                         .layout = Layout::TILE}));
}

Value Calls::empty(const TensorSpec& spec) {
    return {tilemeter::empty(Empty{spec.shape, spec.dtype, spec.layout, device_, spec.memory_config}), {}};
}

// ---- elementwise

Value Calls::power(const Value& x, double exponent) {
    return made(
        "pow", {x}, {{"exponent", exponent}},
        tilemeter::pow(PowerOfTensor{.input_tensor = x.tensor, .exponent = static_cast<float>(exponent)}));
}

Value Calls::truncated_quotient(const Value& a, const Value& b) {
    return made("div", {a, b}, {{"rounding_mode", std::string("trunc")}},
                tilemeter::div(Divide<Tensor, Tensor>{
                    .input_tensor_a = a.tensor, .input_tensor_b = b.tensor, .rounding_mode = "trunc"}));
}

Value Calls::round(const Value& x) {
    return made("round", {x}, {}, tilemeter::round(Round{.input_tensor = x.tensor}));
}

Value Calls::where(const Value& predicate, const Value& a, const Value& b) {
    return made("where", {predicate, a, b}, {},
                tilemeter::where(
                    Where{.predicate = predicate.tensor, .true_value = a.tensor, .false_value = b.tensor}));
}

Value Calls::where(const Value& predicate, const Value& a, double b) {
    return made(
        "where", {predicate, a}, {{"false_value", b}},
        tilemeter::where(Where{
            .predicate = predicate.tensor, .true_value = a.tensor, .false_value = static_cast<float>(b)}));
}

Value Calls::where(const Value& predicate, double a, const Value& b) {
    return made(
        "where", {predicate, b}, {{"true_value", a}},
        tilemeter::where(Where{
            .predicate = predicate.tensor, .true_value = static_cast<float>(a), .false_value = b.tensor}));
}

Value Calls::where(const Value& predicate, double a, double b) {
    return made("where", {predicate}, {{"true_value", a}, {"false_value", b}},
                tilemeter::where(Where{.predicate = predicate.tensor,
                                       .true_value = static_cast<float>(a),
                                       .false_value = static_cast<float>(b)}));
}

Value Calls::typecast(const Value& x, DataType dtype) {
    if (x.tensor.dtype() == dtype) return x;
    return made("typecast", {x}, {{"dtype", element_of(dtype)}},
                tilemeter::typecast(Typecast{.input_tensor = x.tensor, .dtype = dtype}));
}

Value Calls::bitcast(const Value& x, DataType dtype) {
    if (x.tensor.dtype() == dtype) return x;
    return made("bitcast", {x}, {{"dtype", element_of(dtype)}},
                tilemeter::bitcast(Bitcast{.input_tensor = x.tensor, .dtype = dtype}));
}

// ---- shapes

Value Calls::reshape(const Value& x, const Integers& shape) {
    const Shape wanted = shape_of_extents(shape);
    if (x.shape() == wanted) return x;
    return made("reshape", {x}, {{"shape", shape}},
                tilemeter::reshape(Reshape{.input_tensor = x.tensor, .shape = wanted}));
}

Value Calls::permute(const Value& x, const Integers& order) {
    if (is_identity(order)) return x;
    return made("permute", {x}, {{"dims", order}},
                tilemeter::permute(Permute{.input_tensor = x.tensor, .dims = order}));
}

Value Calls::expand(const Value& x, const Integers& shape) {
    if (x.shape() == shape_of_extents(shape)) return x;
    return made("expand", {x}, {{"output_shape", shape}},
                tilemeter::expand(Expand{.input_tensor = x.tensor, .output_shape = shape}));
}

Value Calls::slice(const Value& x, const Integers& starts, const Integers& limits, const Integers& strides) {
    const bool is_strided = std::ranges::any_of(strides, [](std::int64_t stride) { return stride != 1; });
    const bool is_whole =
        std::ranges::all_of(starts, [](std::int64_t start) { return start == 0; }) && limits == x.extents();
    if (is_whole && !is_strided) return x;
    ir::Attributes attributes{{"slice_start", starts}, {"slice_end", limits}};
    Slice call{.input_tensor = x.tensor, .slice_start = starts, .slice_end = limits};
    if (is_strided) {
        attributes.set("slice_step", strides);
        call.slice_step = strides;
    }
    return made("slice", {x}, attributes, tilemeter::slice(call));
}

Value Calls::pad(const Value& x, const Integers& low, const Integers& high, double value) {
    Padding padding;
    bool is_in_front = false;
    for (std::size_t i = 0; i < low.size(); ++i) {
        padding.emplace_back(static_cast<std::uint32_t>(low[i]), static_cast<std::uint32_t>(high[i]));
        is_in_front = is_in_front || low[i] != 0;
    }
    if (std::ranges::all_of(padding, [](const auto& each) { return each.first + each.second == 0; }))
        return x;
    // In tensors of more than four dimensions TT-NN pads the last three: another one is padded as the middle of three.
    constexpr std::size_t kPaddedTogether = 3;
    for (std::size_t axis = 0; low.size() > 4 && axis + kPaddedTogether < low.size(); ++axis) {
        if (low[axis] + high[axis] == 0) continue;
        const Value longer = pad(around_axis(x, axis), {0, low[axis], 0}, {0, high[axis], 0}, value);
        Integers extents = x.extents(), other_low = low, other_high = high;
        extents[axis] += low[axis] + high[axis];
        other_low[axis] = other_high[axis] = 0;
        return pad(reshape(longer, extents), other_low, other_high, value);
    }
    // In tiles TT-NN pads the end alone.
    const Value source = is_in_front ? to_layout(x, Layout::ROW_MAJOR) : x;
    const Value padded =
        made("pad", {source}, {{"low", low}, {"high", high}, {"value", value}},
             tilemeter::pad(
                 Pad{.input_tensor = source.tensor, .padding = padding, .value = static_cast<float>(value)}));
    return to_layout(padded, Layout::TILE);
}

Value Calls::concat(const Values& parts, std::int64_t dim) {
    if (parts.size() == 1) return parts.front();
    if (parts.front().shape().rank() == 1) {  // TT-NN joins rows of matrices, whatever their dtype
        Values rows;
        for (const Value& part : parts)
            rows.push_back(reshape(part, {1, part.extent(0)}));
        const Value joined = concat(rows, 1);
        return reshape(joined, {joined.extent(1)});
    }
    std::vector<Tensor> tensors;
    for (const Value& part : parts)
        tensors.push_back(part.tensor);
    const Tensor joined =
        tilemeter::concat(Concat{.tensors = tensors, .dim = dim, .memory_config = options_.memory_config});
    return made("concat", parts, {{"dim", dim}}, std::span(&joined, 1)).front();
}

Value Calls::to_layout(const Value& x, Layout layout) {
    if (x.tensor.layout() == layout) return x;
    return made("to_layout", {x}, {{"layout", std::string(name_of(layout))}},
                tilemeter::to_layout(ToLayout{.tensor = x.tensor, .layout = layout}));
}

Value Calls::around_axis(const Value& x, std::size_t axis) {
    std::int64_t outer = 1;
    std::int64_t inner = 1;
    for (std::size_t i = 0; i < x.shape().rank(); ++i)
        if (i != axis) (i < axis ? outer : inner) *= x.extent(i);
    return reshape(x, {outer, x.extent(axis), inner});
}

// ---- reductions and the like

Value Calls::matmul(const Value& a, const Value& b, bool transpose_b) {
    Matmul call{.input_tensor_a = a.tensor,
                .input_tensor_b = b.tensor,
                .transpose_b = transpose_b,
                .memory_config = options_.memory_config};
    // Products of float32 as precisely as the device can: its default rounds factors to fewer bits.
    if (a.tensor.dtype() == DataType::FLOAT32)
        call.compute_kernel_config = DeviceComputeKernelConfig{
            .math_fidelity = MathFidelity::HiFi4, .math_approx_mode = false, .fp32_dest_acc_en = true};
    ir::Attributes attributes;
    if (transpose_b) attributes.set("transpose_b", true);
    return made("matmul", {a, b}, attributes, tilemeter::matmul(call));
}

Value Calls::sum(const Value& x, const Integers& dims) {
    return made("sum", {x}, {{"dim", dims}, {"keepdim", true}},
                tilemeter::sum(Sum{.input_tensor = x.tensor, .dim = reduce_dims(dims), .keepdim = true}));
}

Value Calls::max(const Value& x, const Integers& dims) {
    return made("max", {x}, {{"dim", dims}, {"keepdim", true}},
                tilemeter::max(Max{.input_tensor = x.tensor, .dim = reduce_dims(dims), .keepdim = true}));
}

Value Calls::min(const Value& x, const Integers& dims) {
    return made("min", {x}, {{"dim", dims}, {"keepdim", true}},
                tilemeter::min(Min{.input_tensor = x.tensor, .dim = reduce_dims(dims), .keepdim = true}));
}

Value Calls::prod(const Value& x, std::int64_t dim) {
    return made("prod", {x}, {{"dim", dim}, {"keepdim", true}},
                tilemeter::prod(Prod{.input_tensor = x.tensor, .dim = dim, .keepdim = true}));
}

Value Calls::argmax(const Value& x, std::int64_t dim) {
    return made("argmax", {x}, {{"dim", dim}},
                tilemeter::argmax(Argmax{.input_tensor = x.tensor, .dim = static_cast<int>(dim)}));
}

Value Calls::cumsum(const Value& x, std::int64_t dim, bool from_end) {
    ir::Attributes attributes{{"dim", dim}};
    if (from_end) attributes.set("reverse_order", true);
    return made("cumsum", {x}, attributes,
                tilemeter::cumsum(Cumsum{.input = x.tensor, .dim = dim, .reverse_order = from_end}));
}

Values Calls::sort(const Value& x, std::int64_t dim, bool descending) {
    const std::vector<Tensor> sorted =
        tilemeter::sort(Sort{.input_tensor = x.tensor, .dim = dim, .descending = descending, .stable = true});
    return made("sort", std::span(&x, 1), {{"dim", dim}, {"descending", descending}, {"stable", true}},
                sorted);
}

Values Calls::topk(const Value& x, std::int64_t k) {
    const std::vector<Tensor> best =
        tilemeter::topk(Topk{.input_tensor = x.tensor, .k = static_cast<std::uint32_t>(k)});
    return made("topk", std::span(&x, 1), {{"k", k}}, best);
}

// ---- indices

Value Calls::gather(const Value& x, std::int64_t dim, const Value& index) {
    return made("gather", {x, index}, {{"dim", dim}},
                tilemeter::gather(Gather{.input = x.tensor, .dim = dim, .index = index.tensor}));
}

Value Calls::scatter(const Value& x, std::int64_t dim, const Value& index, const Value& source, bool adds) {
    if (adds)
        return made("scatter_add", {x, index, source}, {{"dim", dim}},
                    tilemeter::scatter_add(ScatterAdd{
                        .input = x.tensor, .dim = dim, .index = index.tensor, .src = source.tensor}));
    return made("scatter", {x, index, source}, {{"dim", dim}},
                tilemeter::scatter(
                    Scatter{.input = x.tensor, .dim = dim, .index = index.tensor, .src = source.tensor}));
}

std::vector<double> Calls::read(const Value& x) {
    const Tensor host = download(x.tensor);
    if (is_floating_point(host.dtype())) return host.to_vector<double>();
    const auto integers = host.to_vector<std::int64_t>();
    return {integers.begin(), integers.end()};
}

}  // namespace tilemeter::trace::placement
