// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// x[...]: places, ranges, new axes, arrays of places and masks.

#include <algorithm>
#include <string>

#include "capture/ir/decide.hpp"
#include "capture/ir/dimension.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/internal/array_state.hpp"
#include "runtime/trace/primitives/constraints.hpp"
#include "runtime/trace/primitives/error.hpp"

namespace tilemeter::trace {

using internal::extents_of;
using internal::refuse_argument;
using ir::Dim;

namespace internal {

void require_inside(const char* operation, const Array& x, const Array& indices, std::int64_t axis) {
    const bool is_known =
        indices.state() == Array::State::kEvaluated || indices.state() == Array::State::kLiteral;
    const auto rank = static_cast<std::int64_t>(x.rank());
    if (!is_known || axis < -rank || axis >= rank || !ir::is_integer(indices.element())) return;
    const std::size_t at = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    const Dim extent(x.shape()[at]);
    if (!extent.is_number()) return;
    const ir::Constant values = indices.value();
    const std::int64_t count = values.type().shape.elements();
    const bool is_unsigned = ir::is_unsigned_integer(indices.element());
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t place = values.integer_at(static_cast<std::size_t>(i));
        const bool is_large = is_unsigned && place < 0;  // of 64 bits
        if (is_large || place >= extent.value() || place < -extent.value())
            refuse_argument(
                operation,
                "index " +
                    (is_large ? std::to_string(static_cast<std::uint64_t>(place)) : std::to_string(place)) +
                    " is out of bounds for axis " + std::to_string(at) + " with size " + extent.text(),
                x, Exception::kIndex);
    }
}

}  // namespace internal

namespace {

[[noreturn]] void refuse_place(std::size_t axis, Dim place, Dim extent, const Array& x) {
    refuse_argument("index",
                    "index " + place.text() + " is out of bounds for axis " + std::to_string(axis) +
                        " with size " + extent.text(),
                    x, Exception::kIndex);
}

bool is_mask(const Index& part) {
    const auto* const array = std::get_if<Array>(&part);
    return array != nullptr && array->element() == ir::ElementType::kBool;
}

/// The number of dimensions of the array that a part speaks of.
std::size_t spoken_of(const Index& part) {
    if (std::holds_alternative<NewAxis>(part) || std::holds_alternative<Rest>(part)) return 0;
    return is_mask(part) ? std::get<Array>(part).rank() : 1;
}

/// The places where a mask is true: an array of places for each dimension; of a scalar one, of an axis of extent 1.
std::vector<Array> places_of(const Array& mask, std::size_t first_axis, const Array& x) {
    if (mask.is_traced() && !internal::is_known(mask))
        throw TraceError(TraceErrorKind::kBadArgument,
                         "index: found a mask, whose number of elements only values tell",
                         {.operation = "index",
                          .types = {x.type(), mask.type()},
                          .location = current_location(),
                          .hint = "use where()",
                          .exception = Exception::kIndex});
    const ir::Shape shape = mask.shape();
    // A mask without elements fits any extent, as NumPy's does.
    for (std::size_t i = 0; i < shape.rank(); ++i)
        if (shape[i] != 0 && x.shape()[first_axis + i] != shape[i])
            refuse_argument("index",
                            "boolean index did not match the array along axis " +
                                std::to_string(first_axis + i) + ": found size " + Dim(shape[i]).text() +
                                ", expected " + Dim(x.shape()[first_axis + i]).text(),
                            x, Exception::kIndex);
    const ir::Constant values = mask.value();
    std::vector<std::vector<std::int64_t>> places(std::max<std::size_t>(shape.rank(), 1));
    const std::int64_t count = shape.elements();
    for (std::int64_t i = 0; i < count; ++i) {
        if (values.integer_at(static_cast<std::size_t>(i)) == 0) continue;
        std::int64_t rest = i;
        for (std::size_t k = places.size(); k-- > 0;) {
            const std::int64_t extent = k < shape.rank() ? shape[k] : 1;
            places[k].push_back(rest % extent);
            rest /= extent;
        }
    }
    std::vector<Array> arrays;
    for (const auto& each : places)
        arrays.emplace_back(ir::Constant::of<std::int64_t>(
            ir::ElementType::kI64, {static_cast<std::int64_t>(each.size())}, std::span(each)));
    return arrays;
}

/// The rest of an index when integers, ranges and new axes have been sorted out: a slice, a flip, a shape; and what
/// arrays of places take from that.
class Indexing {
public:
    explicit Indexing(const Array& x) : x_(x), from_(extents_of(x)) {}

    Array run(std::span<const Index> parts) {
        std::size_t count = 0;
        for (const Index& part : parts)
            count += spoken_of(part);
        if (count > from_.size())
            refuse_argument("index",
                            "too many indices: found " + std::to_string(count) + ", expected at most " +
                                std::to_string(from_.size()),
                            x_, Exception::kIndex);
        has_arrays_ =
            std::ranges::any_of(parts, [](const Index& part) { return std::holds_alternative<Array>(part); });
        const std::size_t rest = from_.size() - count;
        bool has_rest = false;
        for (const Index& part : parts) {
            if (std::holds_alternative<Rest>(part)) {
                if (has_rest)
                    refuse_argument("index", "found two ellipses, expected one", x_, Exception::kIndex);
                has_rest = true;
                if (rest == 0) leave_arrays();
                keep(rest);
            } else {
                add(part);
            }
        }
        if (!has_rest) keep(rest);
        return finish();
    }

private:
    /// Places along an axis of what the slice leaves.
    struct Places {
        Array indices;
        std::int64_t axis;
        std::size_t axis_of_x;
    };

    void keep(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            add(Range{});
    }

    /// Arrays that stand side by side have their shape in the place of the first, others in front.
    void leave_arrays() { was_left_ = was_left_ || !places_.empty(); }
    void enter_arrays() { is_split_ = is_split_ || was_left_; }

    void add_places(const Array& indices) {
        enter_arrays();
        const std::size_t axis = starts_.size();
        places_.push_back({indices, static_cast<std::int64_t>(shape_.size()), axis});
        shape_.push_back(from_[axis]);
        push(0, from_[axis], 1);
    }

    void add_mask(const Array& mask) {
        const std::vector<Array> places = places_of(mask, starts_.size(), x_);
        if (mask.rank() > 0) {
            for (const Array& each : places)
                add_places(each);
            return;
        }
        enter_arrays();
        places_.push_back({places.front(), static_cast<std::int64_t>(shape_.size()), 0});
        shape_.push_back(1);
    }

    void add(const Index& part) {
        if (std::holds_alternative<NewAxis>(part)) {
            leave_arrays();
            shape_.push_back(1);
            return;
        }
        if (is_mask(part)) {
            add_mask(std::get<Array>(part));
            return;
        }
        const auto axis = static_cast<std::int64_t>(starts_.size());
        const std::int64_t extent = from_[starts_.size()];
        if (const auto* const place = std::get_if<std::int64_t>(&part)) {
            const Dim at = Dim(*place).is_negative_number() ? Dim(*place) + extent : Dim(*place);
            const bool is_inside = is_at_most(0, at) && is_at_most(at + 1, extent);
            if (!is_inside) refuse_place(starts_.size(), *place, extent, x_);
            if (has_arrays_ && at.is_number())
                add_places(Array(ir::Constant::scalar(ir::ElementType::kI64, at.value())));
            else
                push(at.value(), (at + 1).value(), 1);
        } else if (const auto* const range = std::get_if<Range>(&part)) {
            leave_arrays();
            add_range(*range, axis, extent);
        } else {
            const Array& indices = std::get<Array>(part);
            internal::require_inside("index", x_, indices, axis);
            add_places(indices);
        }
    }

    void add_range(const Range& range, std::int64_t axis, std::int64_t extent) {
        if (range.step == 0 || !Dim(range.step).is_number())
            refuse_argument("index", "axis " + std::to_string(axis) + ": found step 0, expected another", x_,
                            Exception::kValue);
        const bool is_forward = range.step > 0;
        const auto clipped = [&](const std::optional<std::int64_t>& at, Dim otherwise) {
            if (!at) return otherwise;
            const Dim place = Dim(*at).is_negative_number() ? Dim(*at) + extent : Dim(*at);
            return is_forward ? at_least(0, at_most(place, extent))
                              : at_least(-1, at_most(place, Dim(extent) - 1));
        };
        const Dim start = clipped(range.start, is_forward ? Dim(0) : Dim(extent) - 1);
        const Dim stop = clipped(range.stop, is_forward ? Dim(extent) : Dim(-1));
        const Dim step(is_forward ? range.step : -range.step);
        const Dim distance = at_least(0, is_forward ? stop - start : start - stop);
        const Dim count = ceildiv(distance, step);
        if (count == Dim(0))
            push(0, 0, 1);
        else if (is_forward)
            push(start.value(), (start + distance).value(), step.value());
        else
            push((start - (count - 1) * step).value(), (start + 1).value(), step.value());
        if (!is_forward && count != Dim(0) && count != Dim(1)) flipped_.push_back(axis);
        shape_.push_back(count.value());
    }

    // Extents that are expressions are compared as far as it is certain which is smaller; else both stay, in min() or
    // max().
    [[nodiscard]] bool is_at_most(Dim a, Dim b) const { return is_less_equal(a, b, constraints_); }
    [[nodiscard]] Dim at_most(Dim a, Dim b) const {
        if (is_at_most(a, b)) return a;
        return is_at_most(b, a) ? b : min(a, b);
    }
    [[nodiscard]] Dim at_least(Dim a, Dim b) const {
        if (is_at_most(a, b)) return b;
        return is_at_most(b, a) ? a : max(a, b);
    }

    void push(std::int64_t start, std::int64_t limit, std::int64_t stride) {
        is_whole_ = is_whole_ && start == 0 && limit == from_[starts_.size()] && stride == 1;
        starts_.push_back(start);
        limits_.push_back(limit);
        strides_.push_back(stride);
    }

    Array finish() {
        Array result = is_whole_ ? x_ : slice(x_, starts_, limits_, strides_);
        if (!flipped_.empty()) result = flip(result, flipped_);
        if (extents_of(result) != shape_) result = reshape(result, shape_);
        if (places_.empty()) return result;
        return places_.size() == 1 ? gather(result, places_[0].indices, places_[0].axis) : gather_all(result);
    }

    Array gather_all(const Array& from) {
        const Integers batch = common_shape();
        const auto rank = static_cast<std::int64_t>(batch.size());
        const std::int64_t front = is_split_ ? 0 : places_[0].axis;
        Integers axes, sizes(shape_), offsets, result;
        bool is_empty = false;
        for (const Places& each : places_) {
            axes.push_back(each.axis);
            is_empty = is_empty || sizes[static_cast<std::size_t>(each.axis)] == 0;
            sizes[static_cast<std::size_t>(each.axis)] = 1;
        }
        for (std::size_t i = 0; i < shape_.size(); ++i)
            if (std::ranges::find(axes, static_cast<std::int64_t>(i)) == axes.end())
                result.push_back(shape_[i]);
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(result.size()) + rank; ++i)
            if (i < front || i >= front + rank) offsets.push_back(i);
        result.insert(result.begin() + front, batch.begin(), batch.end());
        if (is_empty) {
            // Nothing is taken from an axis without elements; require_inside() has seen to that for what is known.
            return full(result, 0, from.element());
        }
        std::vector<Array> vectors;
        Integers column = batch;
        column.push_back(1);
        for (const Places& each : places_)
            vectors.push_back(reshape(broadcast_to(from_the_end(each), batch), column));
        const Array starts = concat(vectors, rank);
        static const ir::Operation& kGather = operation_named("flat.gather");
        return apply_one(kGather, {&from, &starts},
                         {{"offset_dims", offsets},
                          {"collapsed_slice_dims", axes},
                          {"start_index_map", axes},
                          {"index_vector_dim", rank},
                          {"slice_sizes", sizes}});
    }

    [[nodiscard]] Integers common_shape() const {
        Integers shape;
        for (const Places& each : places_) {
            const Integers next = extents_of(each.indices);
            if (next.size() > shape.size()) shape.insert(shape.begin(), next.size() - shape.size(), 1);
            for (std::size_t i = 0; i < next.size(); ++i) {
                std::int64_t& extent = shape[shape.size() - next.size() + i];
                if (next[i] == extent || next[i] == 1) continue;
                if (extent != 1)
                    refuse_argument(
                        "index",
                        "shape mismatch: found arrays of indices " +
                            ir::text_of(ir::TensorType{
                                ir::ElementType::kI64, ir::Shape(std::span<const std::int64_t>(shape)), {}}) +
                            " and " +
                            ir::text_of(ir::TensorType{
                                ir::ElementType::kI64, ir::Shape(std::span<const std::int64_t>(next)), {}}) +
                            ", expected extents that are equal or 1, counted from the last",
                        x_, Exception::kIndex);
                extent = next[i];
            }
        }
        return shape;
    }

    /// In 64 bits, so that all arrays have one type.
    Array from_the_end(const Places& places) const {
        const Array indices = convert(places.indices, ir::ElementType::kI64);
        if (ir::is_unsigned_integer(places.indices.element())) return indices;
        if (places.indices.state() == Array::State::kEvaluated && !has_negative(places.indices))
            return indices;
        const Array extent = dimension(Dim(shape_[static_cast<std::size_t>(places.axis)]));
        return where(lt(indices, 0), trace::add(indices, extent), indices);
    }

    static bool has_negative(const Array& indices) {
        const ir::Constant values = indices.value();
        for (std::int64_t i = 0; i < values.type().shape.elements(); ++i)
            if (values.integer_at(static_cast<std::size_t>(i)) < 0) return true;
        return false;
    }

    const Array& x_;
    const Integers from_;
    const ir::Constraints* const constraints_ = trace::current_constraints();
    Integers starts_, limits_, strides_, shape_, flipped_;
    bool is_whole_ = true;
    bool has_arrays_ = false, was_left_ = false, is_split_ = false;
    std::vector<Places> places_;
};

}  // namespace

Array index(const Array& x, std::span<const Index> parts) {
    return Indexing(x).run(parts);
}

}  // namespace tilemeter::trace
