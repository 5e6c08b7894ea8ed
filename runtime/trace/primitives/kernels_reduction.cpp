// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Primitives along axes: the axes become the last ones, so that a row of elements belongs to one result.

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "runtime/trace/primitives/internal/kernel.hpp"
#include "runtime/trace/primitives/internal/summation.hpp"

namespace tilemeter::trace::internal {

namespace {

std::int64_t elements_along(const Shape& shape, const Integers& axes) {
    std::int64_t count = 1;
    for (const std::int64_t axis : axes)
        count *= shape[static_cast<std::size_t>(axis)];
    return count;
}

// What a row without elements is reduced to.
template <class T>
T lowest() {
    return std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::min();
}
template <class T>
T highest() {
    return std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}

// The limits of a narrow integer, in the wide number type.
template <class T>
T narrowed(T limit, ElementType element) {
    if constexpr (!std::is_floating_point_v<T>) {
        std::byte bytes[8];
        ir::put_double(element, static_cast<double>(limit), bytes);
        if (ir::element_bytes(element) < 8) return static_cast<T>(ir::to_integer(element, bytes));
    }
    return limit;
}

// Integers wrap around.
template <class Operator, int kStart>
struct Accumulation {
    template <class T>
    static T start(ElementType) {
        return kStart;
    }
    template <class T>
    static T next(T so_far, T x) {
        if constexpr (std::is_floating_point_v<T>)
            return Operator()(so_far, x);
        else
            return static_cast<T>(
                Operator()(static_cast<std::uint64_t>(so_far), static_cast<std::uint64_t>(x)));
    }
};
using Product = Accumulation<std::multiplies<>, 1>;

// A nan stays.
template <bool kLargest>
struct Extreme {
    template <class T>
    static T start(ElementType element) {
        return narrowed(kLargest ? lowest<T>() : highest<T>(), element);
    }
    template <class T>
    static T next(T so_far, T x) {
        return (kLargest ? x > so_far : x < so_far) || x != x ? x : so_far;
    }
};

struct All {
    template <class T>
    static T start(ElementType element) {
        return element == ElementType::kBool ? T{1} : static_cast<T>(-1);
    }
    template <class T>
    static T next(T so_far, T x) {
        return static_cast<T>(static_cast<std::uint64_t>(so_far) & static_cast<std::uint64_t>(x));
    }
};
struct Any {
    template <class T>
    static T start(ElementType) {
        return 0;
    }
    template <class T>
    static T next(T so_far, T x) {
        return static_cast<T>(static_cast<std::uint64_t>(so_far) | static_cast<std::uint64_t>(x));
    }
};

template <class Reduction>
void reduce(const KernelUse& use, std::vector<Constant>& results) {
    const auto& axes = use.attributes.get<Integers>("axes");
    const auto length = static_cast<std::size_t>(elements_along(use.shape(0), axes));
    const Constant rows = with_axes_last(use.operand(0), axes);
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(rows);
        Result<T> y(use.types[0]);
        for (std::size_t row = 0; row < y.size(); ++row) {
            T value = Reduction::template start<T>(use.types[0].element);
            for (std::size_t i = 0; i < length; ++i)
                value = Reduction::next(value, x[row * length + i]);
            y[row] = value;
        }
        results.push_back(y.finish());
    });
}

// The sums of columns, row by row. Blocks of rows keep what is added to a sum in doubles of its size.
template <class T>
void sum_columns(const T* x, std::size_t rows, std::size_t columns, T* y) {
    std::vector<Sum<T>> totals(columns);
    std::vector<Sum<T>> block(columns);
    for (std::size_t first = 0; first < rows; first += kSumBlock) {
        std::ranges::fill(block, Sum<T>{});
        for (std::size_t row = first; row < std::min(rows, first + kSumBlock); ++row)
            for (std::size_t column = 0; column < columns; ++column)
                block[column] += static_cast<Sum<T>>(x[row * columns + column]);
        for (std::size_t column = 0; column < columns; ++column)
            totals[column] += block[column];
    }
    for (std::size_t column = 0; column < columns; ++column)
        y[column] = static_cast<T>(totals[column]);
}

void reduce_sum(const KernelUse& use, std::vector<Constant>& results) {
    const auto& axes = use.attributes.get<Integers>("axes");
    const Shape& shape = use.shape(0);
    const auto length = static_cast<std::size_t>(elements_along(shape, axes));
    const auto is_leading = [&](std::int64_t axis) { return axis < static_cast<std::int64_t>(axes.size()); };
    const bool is_of_columns = axes.size() < shape.rank() && std::ranges::all_of(axes, is_leading);
    with_number_type(use.types[0].element, [&]<class T>(T) {
        Result<T> y(use.types[0]);
        if (is_of_columns) {
            const Numbers<T> x(use.operand(0));
            sum_columns(x.data(), length, y.size(), y.data());
        } else {
            const Constant rows = with_axes_last(use.operand(0), axes);
            const Numbers<T> x(rows);
            const auto term = [from = x.data()](std::size_t i) { return static_cast<Sum<T>>(from[i]); };
            for (std::size_t row = 0; row < y.size(); ++row)
                y[row] = static_cast<T>(sum_of_terms<T>(row * length, length, term));
        }
        results.push_back(y.finish());
    });
}

// The first of equal ones; the first nan, if there is one.
template <bool kLargest>
void arg_reduce(const KernelUse& use, std::vector<Constant>& results) {
    const Integers axes{use.attributes.get<std::int64_t>("axis")};
    const auto length = static_cast<std::size_t>(elements_along(use.shape(0), axes));
    const Constant rows = with_axes_last(use.operand(0), axes);
    Result<std::int64_t> y(use.types[0]);
    with_number_type(rows.type().element, [&]<class T>(T) {
        const Numbers<T> x(rows);
        for (std::size_t row = 0; row < y.size(); ++row) {
            std::size_t best = 0;
            for (std::size_t i = 1; i < length; ++i) {
                const T value = x[row * length + i];
                const T so_far = x[row * length + best];
                if (so_far == so_far && ((kLargest ? value > so_far : value < so_far) || value != value))
                    best = i;
            }
            y[row] = static_cast<std::int64_t>(best);
        }
    });
    results.push_back(y.finish());
}

// Moves the last axis back to where it was.
Constant with_last_axis_at(const Constant& rows, std::size_t axis) {
    const std::size_t rank = rows.type().shape.rank();
    Integers perm;
    for (std::size_t i = 0; i + 1 < rank; ++i)
        perm.push_back(static_cast<std::int64_t>(i));
    perm.insert(perm.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<std::int64_t>(rank - 1));
    return transposed(rows, perm);
}

void cumsum(const KernelUse& use, std::vector<Constant>& results) {
    const auto axis = static_cast<std::size_t>(use.attributes.get<std::int64_t>("axis"));
    const bool reverse = use.attributes.get_or("reverse", false);
    const Constant rows = with_axes_last(use.operand(0), {static_cast<std::int64_t>(axis)});
    const auto length = static_cast<std::size_t>(use.shape(0)[axis]);
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(rows);
        Result<T> y(rows.type());
        for (std::size_t row = 0; length != 0 && row < y.size() / length; ++row) {
            Sum<T> sum = 0;
            for (std::size_t k = 0; k < length; ++k) {
                const std::size_t i = row * length + (reverse ? length - 1 - k : k);
                sum += static_cast<Sum<T>>(x[i]);
                y[i] = static_cast<T>(sum);
            }
        }
        results.push_back(with_last_axis_at(y.finish(), axis));
    });
}

// Floats in IEEE's total order as far as sorting needs it: nans come last.
template <class T>
bool is_before(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
    }
    return a < b;
}

// For each row the places of its elements in sorted order, equal ones as they were.
std::vector<std::size_t> sorted_places(const Constant& rows, std::size_t length, bool descending) {
    std::vector<std::size_t> places(static_cast<std::size_t>(rows.type().shape.elements()));
    with_number_type(rows.type().element, [&]<class T>(T) {
        const Numbers<T> x(rows);
        for (std::size_t start = 0; start + length <= places.size() && length != 0; start += length) {
            const auto row = std::span(places).subspan(start, length);
            std::iota(row.begin(), row.end(), start);
            std::stable_sort(row.begin(), row.end(), [&](std::size_t a, std::size_t b) {
                return descending ? is_before(x[b], x[a]) : is_before(x[a], x[b]);
            });
        }
    });
    return places;
}

// Elements of rows by their places, of any element type.
Constant taken(const Constant& rows, const TensorType& type, const std::vector<std::size_t>& places) {
    const std::size_t width = ir::element_bytes(type.element);
    const auto storage = std::make_shared<std::byte[]>(ir::byte_size(type));
    for (std::size_t i = 0; i < places.size(); ++i)
        std::copy_n(rows.bytes().data() + places[i] * width, width, storage.get() + i * width);
    return {type, storage};
}

void sort(const KernelUse& use, std::vector<Constant>& results) {
    const auto axis = static_cast<std::size_t>(use.attributes.get<std::int64_t>("axis"));
    const auto length = static_cast<std::size_t>(use.shape(0)[axis]);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < use.operands.size(); ++i) {
        const Constant rows = with_axes_last(use.operand(i), {static_cast<std::int64_t>(axis)});
        if (i == 0) places = sorted_places(rows, length, use.attributes.get_or("descending", false));
        results.push_back(with_last_axis_at(taken(rows, rows.type(), places), axis));
    }
}

void top_k(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& shape = use.shape(0);
    const auto length = static_cast<std::size_t>(shape[shape.rank() - 1]);
    const auto k = static_cast<std::size_t>(use.attributes.get<std::int64_t>("k"));
    const std::vector<std::size_t> places = sorted_places(use.operand(0), length, true);
    std::vector<std::size_t> chosen;
    Result<std::int64_t> indices(use.types[1]);
    for (std::size_t start = 0; k != 0 && start < places.size(); start += length)
        for (std::size_t i = 0; i < k; ++i) {
            indices[chosen.size()] = static_cast<std::int64_t>(places[start + i] - start);
            chosen.push_back(places[start + i]);
        }
    results.push_back(taken(use.operand(0), use.types[0], chosen));
    results.push_back(indices.finish());
}

constexpr NamedKernel kReductionKernels[] = {
    {"reduce_sum", reduce_sum},
    {"reduce_prod", reduce<Product>},
    {"reduce_max", reduce<Extreme<true>>},
    {"reduce_min", reduce<Extreme<false>>},
    {"reduce_and", reduce<All>},
    {"reduce_or", reduce<Any>},
    {"arg_max", arg_reduce<true>},
    {"arg_min", arg_reduce<false>},
    {"cumsum", cumsum},
    {"sort", sort},
    {"top_k", top_k},
};

}  // namespace

std::span<const NamedKernel> reduction_kernels() {
    return kReductionKernels;
}

}  // namespace tilemeter::trace::internal
