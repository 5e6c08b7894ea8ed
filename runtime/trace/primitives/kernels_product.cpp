// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <array>

#include "runtime/trace/primitives/internal/kernel.hpp"
#include "runtime/trace/primitives/internal/summation.hpp"

namespace tilemeter::trace::internal {

namespace {

template <class T>
T multiply_add(T sum, T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return sum + a * b;
    else
        return static_cast<T>(static_cast<std::uint64_t>(sum) +
                              static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

Integers joined(std::initializer_list<const Integers*> parts) {
    Integers all;
    for (const Integers* const part : parts)
        all.insert(all.end(), part->begin(), part->end());
    return all;
}

Integers axes_without(std::size_t rank, const Integers& taken) {
    Integers rest;
    for (std::size_t i = 0; i < rank; ++i)
        if (std::ranges::find(taken, static_cast<std::int64_t>(i)) == taken.end())
            rest.push_back(static_cast<std::int64_t>(i));
    return rest;
}

std::size_t extent_of(const Shape& shape, const Integers& axes) {
    std::size_t count = 1;
    for (const std::int64_t axis : axes)
        count *= static_cast<std::size_t>(shape[static_cast<std::size_t>(axis)]);
    return count;
}

// A row by a matrix. Products of a few rows of the matrix are added as they are, and the sums of these in what sums are kept in.
template <class T>
void row_of_product(const T* left, const T* right, std::size_t inner, std::size_t columns, T* to) {
    constexpr std::size_t kRows = 32;
    const auto add = [&](std::size_t first, std::size_t limit) {
        for (std::size_t k = first; k < limit; ++k) {
            const T factor = left[k];
            const T* const from = right + k * columns;
            for (std::size_t column = 0; column < columns; ++column)
                to[column] = multiply_add(to[column], factor, from[column]);
        }
    };
    if (inner <= kRows || !std::is_floating_point_v<T>) return add(0, inner);
    std::vector<Sum<T>> sums(columns);
    for (std::size_t first = 0; first < inner; first += kRows) {
        std::fill_n(to, columns, T{});
        add(first, std::min(inner, first + kRows));
        for (std::size_t column = 0; column < columns; ++column)
            sums[column] += static_cast<Sum<T>>(to[column]);
    }
    for (std::size_t column = 0; column < columns; ++column)
        to[column] = static_cast<T>(sums[column]);
}

// Both operands as matrices of a batch: [batch, rows, inner] and [batch, inner, columns].
void dot_general(const KernelUse& use, std::vector<Constant>& results) {
    const auto& lhs_batch = use.attributes.get<Integers>("lhs_batch");
    const auto& rhs_batch = use.attributes.get<Integers>("rhs_batch");
    const auto& lhs_contract = use.attributes.get<Integers>("lhs_contract");
    const auto& rhs_contract = use.attributes.get<Integers>("rhs_contract");
    const Integers lhs_free = axes_without(use.shape(0).rank(), joined({&lhs_batch, &lhs_contract}));
    const Integers rhs_free = axes_without(use.shape(1).rank(), joined({&rhs_batch, &rhs_contract}));
    const Constant left = transposed(use.operand(0), joined({&lhs_batch, &lhs_free, &lhs_contract}));
    const Constant right = transposed(use.operand(1), joined({&rhs_batch, &rhs_contract, &rhs_free}));
    const std::size_t batch = extent_of(use.shape(0), lhs_batch);
    const std::size_t rows = extent_of(use.shape(0), lhs_free);
    const std::size_t inner = extent_of(use.shape(0), lhs_contract);
    const std::size_t columns = extent_of(use.shape(1), rhs_free);
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> a(left);
        const Numbers<T> b(right);
        Result<T> y(use.types[0]);
        for (std::size_t row = 0; row < batch * rows; ++row) {
            const T* const left_row = a.data() + row * inner;
            const T* const right_rows = b.data() + row / rows * inner * columns;
            T* const to = y.data() + row * columns;
            if (columns == 1)
                to[0] = static_cast<T>(sum_of_terms<T>(
                    0, inner, [&](std::size_t k) { return product_in_sum(left_row[k], right_rows[k]); }));
            else
                row_of_product(left_row, right_rows, inner, columns, to);
        }
        results.push_back(y.finish());
    });
}

// The flat place of the input element under a window, or -1 where there is padding or a gap.
class WindowPlaces {
public:
    WindowPlaces(const KernelUse& use, std::size_t spatial)
        : strides(use.integers("strides", spatial, 1)),
          low(use.integers("low", spatial, 0)),
          base(use.integers("lhs_dilation", spatial, 1)),
          dilation(use.integers("rhs_dilation", spatial, 1)) {}

    // In dimension i, of output place `out` and window place `in_window`.
    [[nodiscard]] std::int64_t place(std::size_t i, std::int64_t out, std::int64_t in_window,
                                     std::int64_t extent) const {
        const std::int64_t place = out * strides[i] + in_window * dilation[i] - low[i];
        if (place < 0 || place % base[i] != 0 || place / base[i] >= extent) return -1;
        return place / base[i];
    }

private:
    Integers strides, low, base, dilation;
};

void convolution(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& input = use.shape(0);
    const Shape& kernel = use.shape(1);
    const Shape& shape = use.types[0].shape;
    const std::size_t spatial = input.rank() - 2;
    const WindowPlaces places(use, spatial);
    const std::int64_t groups = use.attributes.get_or<std::int64_t>("groups", 1);
    const std::int64_t outputs_of_group = kernel[0] / groups;
    const Integers input_strides = strides_of(input);
    const Integers kernel_strides = strides_of(kernel);
    Shape window;
    window.push_back(kernel[1]);
    for (std::size_t i = 0; i < spatial; ++i)
        window.push_back(kernel[i + 2]);
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(use.operand(0));
        const Numbers<T> w(use.operand(1));
        Result<T> y(use.types[0]);
        std::size_t next = 0;
        for_each_index(shape, [&](const auto& out) {
            Sum<T> sum = 0;
            const std::int64_t first_feature = out[1] / outputs_of_group * kernel[1];
            for_each_index(window, [&](const auto& in) {
                std::int64_t from = out[0] * input_strides[0] + (first_feature + in[0]) * input_strides[1];
                std::int64_t weight = out[1] * kernel_strides[0] + in[0] * kernel_strides[1];
                for (std::size_t i = 0; i < spatial; ++i) {
                    const std::int64_t place = places.place(i, out[i + 2], in[i + 1], input[i + 2]);
                    if (place < 0) return;
                    from += place * input_strides[i + 2];
                    weight += in[i + 1] * kernel_strides[i + 2];
                }
                sum += product_in_sum(x[static_cast<std::size_t>(from)], w[static_cast<std::size_t>(weight)]);
            });
            y[next++] = static_cast<T>(sum);
        });
        results.push_back(y.finish());
    });
}

constexpr NamedKernel kProductKernels[] = {{"dot_general", dot_general}, {"convolution", convolution}};

}  // namespace

std::span<const NamedKernel> product_kernels() {
    return kProductKernels;
}

}  // namespace tilemeter::trace::internal
