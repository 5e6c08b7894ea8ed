// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/scatter.hpp"

#include <string>
#include <tuple>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/gather.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/leading_part.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

// The value of an element that is written: the source's value, or both added or multiplied.
enum class ScatterReduction : std::uint8_t { kNone, kAdd, kMultiply };

/// Along the last of four dimensions or more, in rows.
struct ScatterOperation {
    static constexpr std::string_view kName = "ScatterDeviceOperation";
    static constexpr std::string_view kAttributesName = "ScatterParams";

    std::size_t dim;
    MemoryConfig memory_config;
    ScatterReduction reduction;

    auto attributes() const {
        const std::string type = reduction == ScatterReduction::kNone  ? "INVALID"
                                 : reduction == ScatterReduction::kAdd ? "ADD"
                                                                       : "MULTIPLY";
        return std::make_tuple(dim, memory_config, "ScatterReductionType::" + type);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec &input = inputs[0], &index = inputs[1], &source = inputs[2];
        if (is_floating_point(index.dtype)) refuse("scatter", "index", "integers", name_of(index.dtype));
        if (source.dtype != input.dtype)
            refuse("scatter", "source", name_of(input.dtype), name_of(source.dtype));
        if (source.shape != index.shape)
            refuse("scatter", "source", index.shape.to_string(), source.shape.to_string());
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::ROW_MAJOR, memory_config}};
    }

    // Whole rows, or of longer ones what nine tenths of L1 hold of four buffers of 32 bits.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const {
        constexpr std::uint64_t kAlignment = 32;
        const CoreRangeSet cores = cores_down_columns(num_rows(inputs[0]), device);
        const std::uint64_t room = free_l1_bytes / (4 * sizeof(std::int32_t)) * 9 / 10;
        const std::uint64_t most = round_up(room > kAlignment ? room - kAlignment : 0, kAlignment);
        const auto bytes = [&](const TensorSpec& spec, DataType dtype) {
            return round_up(std::min<std::uint64_t>(row_elements(spec), most) * element_size(dtype),
                            kAlignment);
        };
        const auto row = [&](const TensorSpec& spec) { return bytes(spec, spec.dtype); };
        ProgramPlan plan{{"ttnn::prim::ScatterProgramFactory", 0},
                         {dataflow_buffer(row(inputs[0]), cores), scratchpad(row(inputs[0]), cores),
                          scratchpad(row(inputs[1]), cores), scratchpad(row(inputs[2]), cores)}};
        // Short floats are reduced in long ones.
        if (reduction != ScatterReduction::kNone && inputs[0].dtype == DataType::BFLOAT16) {
            plan.memory.push_back(scratchpad(bytes(inputs[0], DataType::FLOAT32), cores));
        }
        return plan;
    }

    // Integers as such: a float does not hold all of 32 bits.
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<std::int64_t> places = inputs[1]->to_integers();
        const auto written = [&](auto values, const auto& source) {
            write(values, inputs[0]->shape(), places, inputs[1]->shape(), source);
            return values;
        };
        const TensorSpec& out = outputs[0];
        if (is_floating_point(inputs[0]->dtype()))
            return {HostArray::from_floats(written(inputs[0]->to_floats(), inputs[2]->to_floats()), out.dtype,
                                           out.shape)};
        return {HostArray::from_integers(written(inputs[0]->to_integers(), inputs[2]->to_integers()),
                                         out.dtype, out.shape)};
    }

private:
    template <typename T>
    void write(std::vector<T>& values, const Shape& to, const std::vector<std::int64_t>& places,
               const Shape& from, const std::vector<T>& written) const {
        for (std::uint64_t i = 0; i < places.size(); ++i) {
            require(places[i] >= 0 && places[i] < static_cast<std::int64_t>(to[-1]), [&] {
                return "scatter: index: expected 0 to " + std::to_string(to[-1] - 1) + ", got " +
                       std::to_string(places[i]);
            });
            std::uint64_t rest = i / from[-1], row = 0, pitch = 1;
            for (std::int64_t axis = -2; axis >= -static_cast<std::int64_t>(to.rank()); --axis) {
                row += rest % from[axis] * pitch;
                rest /= from[axis];
                pitch *= to[axis];
            }
            T& value = values[row * to[-1] + static_cast<std::uint64_t>(places[i])];
            value = reduction == ScatterReduction::kNone  ? written[i]
                    : reduction == ScatterReduction::kAdd ? value + written[i]
                                                          : value * written[i];
        }
    }
};

// In rows of at least four dimensions, the one that is scattered along being the last.
Tensor in_rows(const Tensor& tensor, std::int64_t dim, bool last) {
    Tensor rows = unscoped::to_layout(tensor, Layout::ROW_MAJOR);
    if (!last) rows = unscoped::transpose(rows, dim, -1);
    return rows.shape().rank() < 4 ? unscoped::unsqueeze_to_4D(rows) : rows;
}

// Freed at the end unless it is the caller's.
ScopedTensor own_rows(const Tensor& rows, const Tensor& given) {
    return ScopedTensor(rows.shared_buffer() == given.shared_buffer() ? Tensor() : rows);
}

Tensor named_part(const Tensor& source, const Shape& index) {
    for (std::size_t i = 0; i < index.rank(); ++i) {
        if (source.shape().dimensions()[i] < index.dimensions()[i])
            refuse("scatter", "source", "at least " + index.to_string(), source.shape().to_string());
    }
    return leading_part(source, index, source.memory_config());
}

// TT-NN takes no tiles that its conversion to rows does not keep as they are.
void require_exact_rows(const Tensor& tensor, const char* name, std::size_t axis) {
    constexpr std::uint32_t kLongest = 256;
    if (tensor.layout() != Layout::TILE) return;
    const std::string tensor_is = std::string(" - ") + name + " tensor is ";
    require(tensor.dtype() != DataType::FLOAT32 || name == std::string_view("index"),
            "Scatter doesn't work for fp32 tiled tensors yet (see to_layout issue #)", tensor_is,
            "DataType::FLOAT32 Layout::TILE.");
    const bool whole = tensor.dtype() == DataType::UINT32 || tensor.dtype() == DataType::INT32;
    require(!whole || tensor.shape().dimensions()[axis] <= kLongest, [&] {
        return "Scatter doesn't work for int32 tensors that have scatter row longer than 256 elements" +
               tensor_is + "of type: " + std::string(name_of(tensor.dtype())) + ", layout: TILE and " + name +
               "_shape[scatter_axis] == " + std::to_string(tensor.shape().dimensions()[axis]);
    });
}

Tensor scattered(const Tensor& input, std::int64_t dim, const Tensor& index, const Tensor& source,
                 const MemoryConfig& memory_config, ScatterReduction reduction) {
    const std::size_t rank = input.shape().rank();
    require(rank != 0 && index.shape().rank() == rank && source.shape().rank() == rank,
            "scatter: expected dimensions, as many of input, index and source, got ", input.shape(), ", ",
            index.shape(), " and ", source.shape());
    const std::size_t axis = input.shape().position(dim);
    if (index.shape().volume() == 0) return input;
    require_exact_rows(input, "input", axis);
    require_exact_rows(index, "index", axis);
    require_exact_rows(source, "source", axis);
    const auto from = static_cast<std::int64_t>(axis);
    const bool last = axis + 1 == rank;
    Tensor values = in_rows(input, from, last);
    const ScopedTensor own_values = own_rows(values, input);
    Tensor places = in_rows(index, from, last);
    const ScopedTensor own_places = own_rows(places, index);
    // The part of a larger source that the index names.
    const bool part = source.shape() != index.shape();
    Tensor named = part ? named_part(source, index.shape()) : source;
    Tensor written = in_rows(named, from, last);
    if (part) named = Tensor();
    const ScopedTensor own_written = part ? ScopedTensor(written) : own_rows(written, source);
    Tensor result = launch(ScatterOperation{axis, memory_config, reduction}, {values, places, written});
    values = places = written = Tensor();
    if (rank < 4) result = unscoped::squeeze_from_4D(result, rank);
    if (!last) result = unscoped::transpose(result, from, -1);
    return unscoped::to_layout(result, input.layout());
}

}  // namespace

namespace {

ScatterReduction reduction(const std::optional<std::string>& reduce) {
    if (!reduce) return ScatterReduction::kNone;
    if (*reduce == "add") return ScatterReduction::kAdd;
    require(*reduce == "multiply",
            [&] { return "reduce must be either 'add' or 'multiply' (case-sensitive), got " + *reduce; });
    return ScatterReduction::kMultiply;
}

void require_no_cores(const OptionalCores& cores, std::string_view operation) {
    if (cores) refuse(operation, "sub_core_grids", "None", cores->to_string());
}

Tensor checked(const Tensor& input, std::int64_t dim, const Tensor& index, const Tensor& source,
               const OptionalMemoryConfig& memory_config, ScatterReduction reduction) {
    require_on_device(input, "scatter", "input");
    require_on_device(index, "scatter", "index");
    require_on_device(source, "scatter", "source");
    return scattered(input, dim, index, source, memory_config.value_or(input.memory_config()), reduction);
}

}  // namespace

Tensor Scatter::call() const {
    require_no_cores(sub_core_grids, "scatter");
    const ScatterReduction how = reduction(reduce);
    return in_operation(*this, [&] { return checked(input, dim, index, src, memory_config, how); });
}

namespace {

// As in_rows, but exchanged before they become rows.
Tensor exchanged_rows(Tensor tensor) {
    tensor = unscoped::transpose(tensor, 1, -1);
    tensor = unscoped::to_layout(tensor, Layout::ROW_MAJOR);
    return unscoped::unsqueeze_to_4D(tensor);
}

// TT-NN brings the index to the host to make it short, whatever its dtype is.
Tensor short_index(Tensor index) {
    const MemoryConfig place = index.memory_config();
    const std::shared_ptr<Device> device = index.shared_device();
    index = download(index);
    index = unscoped::typecast(index, DataType::UINT16);
    return upload(index, device, place);
}

}  // namespace

Tensor TosaScatter::call() const {
    return in_operation(*this, [&] {
        require_on_device(input, "tosa_scatter", "input");
        require_on_device(index, "tosa_scatter", "index");
        require_on_device(src, "tosa_scatter", "src");
        const ScopedTensor values(exchanged_rows(input));
        const ScopedTensor places(exchanged_rows(short_index(index_of_channels(index, input))));
        const ScopedTensor written(exchanged_rows(src));
        const ScatterOperation operation{2, memory_config.value_or(input.memory_config()),
                                         ScatterReduction::kNone};
        const ScopedTensor rows(launch(operation, {*values, *places, *written}));
        Tensor result = unscoped::transpose(*rows, -2, -1);
        result = unscoped::squeeze_from_4D(result, 3);
        return unscoped::to_layout(result, input.layout());
    });
}

Tensor ScatterAdd::call() const {
    require_no_cores(sub_core_grids, "scatter_add");
    return in_operation(
        *this, [&] { return checked(input, dim, index, src, memory_config, ScatterReduction::kAdd); });
}

}  // namespace tilemeter
