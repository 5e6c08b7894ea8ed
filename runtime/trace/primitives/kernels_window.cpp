// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <limits>

#include "runtime/trace/primitives/internal/kernel.hpp"
#include "runtime/trace/primitives/internal/summation.hpp"

namespace tilemeter::trace::internal {

namespace {

// The windows of an operand, one for each element of the result.
class Windows {
public:
    Windows(const KernelUse& use, const Shape& counts)
        : input_(use.shape(0)), counts_(counts), input_strides_(strides_of(input_)) {
        const std::size_t rank = input_.rank();
        strides_ = use.integers("strides", rank, 1);
        low_ = use.integers("low", rank, 0);
        base_ = use.integers("base_dilation", rank, 1);
        dilation_ = use.integers("window_dilation", rank, 1);
        window_ = Shape(use.integers("window", rank, 1));
    }

    /// Calls visit(number of the window, place in the operand) for each element of a window that is no padding.
    template <class Visit>
    void for_each(Visit&& visit) const {
        std::size_t number = 0;
        for_each_index(counts_, [&](const auto& out) {
            for_each_index(window_, [&](const auto& in) {
                std::int64_t from = 0;
                for (std::size_t i = 0; i < in.size(); ++i) {
                    const std::int64_t place = out[i] * strides_[i] + in[i] * dilation_[i] - low_[i];
                    if (place < 0 || place % base_[i] != 0 || place / base_[i] >= input_[i]) return;
                    from += place / base_[i] * input_strides_[i];
                }
                visit(number, static_cast<std::size_t>(from));
            });
            ++number;
        });
    }

private:
    const Shape& input_;
    const Shape& counts_;
    Shape window_;
    Integers input_strides_, strides_, low_, base_, dilation_;
};

void reduce_window_sum(const KernelUse& use, std::vector<Constant>& results) {
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(use.operand(0));
        Result<T> y(use.types[0]);
        std::vector<Sum<T>> sums(y.size());
        Windows(use, use.types[0].shape).for_each([&](std::size_t window, std::size_t from) {
            sums[window] += static_cast<Sum<T>>(x[from]);
        });
        for (std::size_t i = 0; i < sums.size(); ++i)
            y[i] = static_cast<T>(sums[i]);
        results.push_back(y.finish());
    });
}

void reduce_window_max(const KernelUse& use, std::vector<Constant>& results) {
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(use.operand(0));
        Result<T> y(use.types[0]);
        const T lowest =
            std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::min();
        const Constant least = Constant::scalar(use.types[0].element, static_cast<double>(lowest));
        std::ranges::fill(y.span(), Numbers<T>(least)[0]);
        Windows(use, use.types[0].shape).for_each([&](std::size_t window, std::size_t from) {
            if (x[from] > y[window] || x[from] != x[from]) y[window] = x[from];
        });
        results.push_back(y.finish());
    });
}

void select_and_scatter_add(const KernelUse& use, std::vector<Constant>& results) {
    constexpr std::size_t kNone = ~std::size_t{0};
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(use.operand(0));
        const Numbers<T> source(use.operand(1));
        Result<T> y(use.types[0]);
        std::vector<std::size_t> best(source.size(), kNone);
        Windows(use, use.shape(1)).for_each([&](std::size_t window, std::size_t from) {
            if (best[window] == kNone || x[from] > x[best[window]]) best[window] = from;
        });
        std::vector<Sum<T>> sums(y.size());
        for (std::size_t window = 0; window < best.size(); ++window)
            if (best[window] != kNone) sums[best[window]] += static_cast<Sum<T>>(source[window]);
        for (std::size_t i = 0; i < sums.size(); ++i)
            y[i] = static_cast<T>(sums[i]);
        results.push_back(y.finish());
    });
}

constexpr NamedKernel kWindowKernels[] = {{"reduce_window_sum", reduce_window_sum},
                                          {"reduce_window_max", reduce_window_max},
                                          {"select_and_scatter_add", select_and_scatter_add}};

}  // namespace

std::span<const NamedKernel> window_kernels() {
    return kWindowKernels;
}

}  // namespace tilemeter::trace::internal
