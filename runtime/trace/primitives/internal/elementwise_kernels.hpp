// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Values of elementwise primitives from a formula of one element: float1<[](auto x) { return std::exp(x); }>.

#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "runtime/trace/primitives/internal/kernel.hpp"

namespace tilemeter::trace::internal {

template <class T>
constexpr bool kIsFloat = std::is_floating_point_v<T>;

// Wraps around instead of overflowing.
template <class T>
constexpr auto wrapping(T value) {
    if constexpr (kIsFloat<T>)
        return value;
    else
        return static_cast<std::uint64_t>(value);
}

template <class T, class Formula>
void unary_as(const KernelUse& use, std::vector<Constant>& results, Formula formula) {
    const Numbers<T> x(use.operand(0));
    Result<T> y = Result<T>::unwritten(use.types[0]);
    const T* const from = x.data();
    T* const to = y.data();
    const std::size_t count = y.size();
    for (std::size_t i = 0; i < count; ++i)
        to[i] = static_cast<T>(formula(from[i]));
    results.push_back(y.finish());
}

template <class T, class Formula>
void binary_as(const KernelUse& use, std::vector<Constant>& results, Formula formula) {
    const Numbers<T> a(use.operand(0));
    const Numbers<T> b(use.operand(1));
    Result<T> y = Result<T>::unwritten(use.types[0]);
    const T* const left = a.data();
    const T* const right = b.data();
    T* const to = y.data();
    const std::size_t count = y.size();
    // One element of an operand stands for all.
    if (a.size() == count && b.size() == count) {
        for (std::size_t i = 0; i < count; ++i)
            to[i] = static_cast<T>(formula(left[i], right[i]));
    } else if (a.size() == count) {
        const T all = right[0];
        for (std::size_t i = 0; i < count; ++i)
            to[i] = static_cast<T>(formula(left[i], all));
    } else {
        const T all = left[0];
        for (std::size_t i = 0; i < count; ++i)
            to[i] = static_cast<T>(formula(all, right[b.size() == count ? i : 0]));
    }
    results.push_back(y.finish());
}

// Each formula, a lambda without captures, is a kernel of its own.
template <auto kFormula>
void float1(const KernelUse& use, std::vector<Constant>& results) {
    if (use.types[0].element == ElementType::kF64) return unary_as<double>(use, results, kFormula);
    unary_as<float>(use, results, kFormula);
}

template <auto kFormula>
void number1(const KernelUse& use, std::vector<Constant>& results) {
    with_number_type(use.types[0].element, [&]<class T>(T) { unary_as<T>(use, results, kFormula); });
}

template <auto kFormula>
void float2(const KernelUse& use, std::vector<Constant>& results) {
    if (use.types[0].element == ElementType::kF64) return binary_as<double>(use, results, kFormula);
    binary_as<float>(use, results, kFormula);
}

template <auto kFormula>
void number2(const KernelUse& use, std::vector<Constant>& results) {
    with_number_type(use.types[0].element, [&]<class T>(T) { binary_as<T>(use, results, kFormula); });
}

template <auto kFormula>
void bits2(const KernelUse& use, std::vector<Constant>& results) {
    binary_as<std::uint64_t>(use, results, kFormula);
}

// A nan in either operand is the answer; of zeros the sign decides.
template <bool kLargest, class T>
T extreme(T a, T b) {
    if constexpr (kIsFloat<T>) {
        if (std::isnan(a)) return a;
        if (std::isnan(b)) return b;
        if (a == b) return std::signbit(a) == kLargest ? b : a;
    }
    return (kLargest ? a > b : a < b) ? a : b;
}

}  // namespace tilemeter::trace::internal
