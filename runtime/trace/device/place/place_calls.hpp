// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN's functions as placed graphs call them. Each call returns a tensor and, where a graph is being recorded, adds
// an equation to it.
//
// Thread safety: outside locking.

#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/ir/graph.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/trace/device/place/place.hpp"

namespace tilemeter::trace::placement {

using ir::Integers;

/// A tensor and its name in the graph that is being recorded.
struct Value {
    Tensor tensor;
    ir::ValueId id = ir::kUndefined;

    [[nodiscard]] const Shape& shape() const { return tensor.shape(); }
    [[nodiscard]] std::int64_t extent(std::size_t axis) const { return shape().dimensions()[axis]; }
    [[nodiscard]] Integers extents() const {
        const auto dims = shape().dimensions();
        return {dims.begin(), dims.end()};
    }
};
using Values = std::vector<Value>;

/// The element type of a tensor of this dtype on a device.
ir::ElementType element_of(DataType dtype);

/// A number that FLOAT32 holds exactly: it may be an argument of a call.
bool is_exact(double number);

class Calls {
public:
    /// `record`: null for none; lives as long as the calls.
    Calls(std::shared_ptr<Device> device, PlaceOptions options, ir::Graph* record = nullptr)
        : device_(std::move(device)), options_(std::move(options)), record_(record) {}

    [[nodiscard]] const PlaceOptions& options() const { return options_; }

    // ---- types
    [[nodiscard]] DataType dtype_of(ir::ElementType element) const;
    /// The shape on the device: scalars are [1].
    static Shape shape_of(const ir::Shape& shape);
    [[nodiscard]] ir::TensorType type_of(const Tensor& tensor) const;

    // ---- sources
    Value constant(const ir::Constant& constant);
    Value integers(const std::vector<std::int64_t>& values, const Integers& shape,
                   DataType dtype = DataType::INT32);
    Value full(const Integers& shape, double value, DataType dtype);
    /// start, start + step, ...: n of them.
    Value arange(std::int64_t start, std::int64_t n, std::int64_t step, DataType dtype);
    /// Memory without values.
    Value empty(const TensorSpec& spec);

    // ---- elementwise
    template <class Function>
    Value unary(const Function& function, const Value& x) {
        return made(function.row().operation.name, {x}, {}, function(x.tensor));
    }
    template <class Function>
    Value binary(const Function& function, const Value& a, const Value& b) {
        return made(function.row().operation.name, {a, b}, {}, function(a.tensor, b.tensor));
    }
    template <class Function>
    Value binary(const Function& function, const Value& a, double b) {
        return made(function.row().operation.name, {a}, {{"input_tensor_b", b}},
                    function(a.tensor, scalar(b, a)));
    }
    template <class Function>
    Value binary(const Function& function, double a, const Value& b) {
        return made(function.row().operation.name, {b}, {{"input_tensor_a", a}},
                    function(scalar(a, b), b.tensor));
    }
    Value add(const Value& a, const Value& b) { return binary(tilemeter::add, a, b); }
    Value subtract(const Value& a, const Value& b) { return binary(tilemeter::subtract, a, b); }
    Value multiply(const Value& a, const Value& b) { return binary(tilemeter::multiply, a, b); }
    Value power(const Value& x, double exponent);
    /// The quotient of INT32, rounded towards 0; 0 where b is 0.
    Value truncated_quotient(const Value& a, const Value& b);
    Value round(const Value& x);
    Value where(const Value& predicate, const Value& a, const Value& b);
    Value where(const Value& predicate, const Value& a, double b);
    Value where(const Value& predicate, double a, const Value& b);
    Value where(const Value& predicate, double a, double b);
    /// The value itself where it has the dtype.
    Value typecast(const Value& x, DataType dtype);
    Value bitcast(const Value& x, DataType dtype);

    // ---- shapes; the value itself where nothing changes
    Value reshape(const Value& x, const Integers& shape);
    Value permute(const Value& x, const Integers& order);
    Value expand(const Value& x, const Integers& shape);
    Value slice(const Value& x, const Integers& starts, const Integers& limits, const Integers& strides = {});
    Value pad(const Value& x, const Integers& low, const Integers& high, double value);
    Value concat(const Values& parts, std::int64_t dim);
    Value to_layout(const Value& x, Layout layout);
    /// As [outer, extent of the axis, inner].
    Value around_axis(const Value& x, std::size_t axis);

    // ---- reductions and the like
    Value matmul(const Value& a, const Value& b, bool transpose_b);
    Value sum(const Value& x, const Integers& dims);
    Value max(const Value& x, const Integers& dims);
    Value min(const Value& x, const Integers& dims);
    Value prod(const Value& x, std::int64_t dim);
    Value argmax(const Value& x, std::int64_t dim);
    Value cumsum(const Value& x, std::int64_t dim, bool from_end);
    Values sort(const Value& x, std::int64_t dim, bool descending);
    Values topk(const Value& x, std::int64_t k);

    // ---- indices
    /// Elements of `x` along dim, `index` having its rank.
    Value gather(const Value& x, std::int64_t dim, const Value& index);
    /// `source` written over or added to what `x` has at index along dim, in rows.
    Value scatter(const Value& x, std::int64_t dim, const Value& index, const Value& source, bool adds);

    /// The elements on the host.
    std::vector<double> read(const Value& x);

    /// The value with this dtype, this shape, in tiles.
    Value as(const Value& x, DataType dtype, const Integers& shape) {
        return reshape(to_layout(typecast(x, dtype), Layout::TILE), shape);
    }

private:
    Value made(std::string_view name, std::initializer_list<Value> operands, const ir::Attributes& attributes,
               const Tensor& tensor) {
        return made(name, std::span(operands.begin(), operands.size()), attributes, std::span(&tensor, 1))
            .front();
    }
    Values made(std::string_view name, std::span<const Value> operands, const ir::Attributes& attributes,
                std::span<const Tensor> tensors);
    static Scalar scalar(double number, const Value& beside);

    std::shared_ptr<Device> device_;
    PlaceOptions options_;
    ir::Graph* record_;
};

}  // namespace tilemeter::trace::placement
