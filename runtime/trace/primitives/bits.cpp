// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The bits of integers and bools, element by element.

#include <bit>

#include "runtime/trace/primitives/internal/elementwise_kernels.hpp"
#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace::internal {

namespace {

std::uint64_t width_of(const KernelUse& use) {
    return ir::element_bytes(use.types[0].element) * 8;
}

// Shifts by the width and more shift everything out.
template <bool kArithmetic, bool kLeft>
void shift(const KernelUse& use, std::vector<Constant>& results) {
    const std::uint64_t width = width_of(use);
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    const Numbers<std::uint64_t> x(use.operand(0));
    const Numbers<std::uint64_t> amount(use.operand(1));
    Result<std::uint64_t> y(use.types[0]);
    for (std::size_t i = 0; i < y.size(); ++i) {
        const std::uint64_t count = amount[i] & mask;
        const std::uint64_t bits = x[i] & mask;
        if constexpr (kLeft) {
            y[i] = count >= width ? 0 : bits << count;
        } else if constexpr (kArithmetic) {
            // The sign bit at bit 63, then shifted back over as many bits more.
            const auto top = static_cast<std::int64_t>(bits << (64 - width));
            y[i] =
                static_cast<std::uint64_t>(top >> (64 - width) >> std::min<std::uint64_t>(count, width - 1));
        } else {
            y[i] = count >= width ? 0 : bits >> count;
        }
    }
    results.push_back(y.finish());
}

void popcnt(const KernelUse& use, std::vector<Constant>& results) {
    const std::uint64_t width = width_of(use);
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    const Numbers<std::uint64_t> x(use.operand(0));
    Result<std::uint64_t> y(use.types[0]);
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = static_cast<std::uint64_t>(std::popcount(x[i] & mask));
    results.push_back(y.finish());
}

void bitwise_not(const KernelUse& use, std::vector<Constant>& results) {
    const bool is_bool = use.types[0].element == ElementType::kBool;
    const Numbers<std::uint64_t> x(use.operand(0));
    Result<std::uint64_t> y(use.types[0]);
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = is_bool ? 1 - x[i] : ~x[i];
    results.push_back(y.finish());
}

Primitive bits(std::string_view name, std::uint32_t operands, Infer infer, Kernel compute, const char* text) {
    return {.name = name,
            .operands = {operands, operands},
            .infer = infer,
            .compute = compute,
            .derivative = zero_jvp,
            .batch = batch_elementwise,
            .text = text};
}

}  // namespace

std::span<const Primitive> bits_primitives() {
    static const Primitive kRows[] = {
        bits("not", 1, infer_same<kBits>, bitwise_not, "not"),
        bits("and", 2, infer_same<kBits>, bits2<[](auto a, auto b) { return a & b; }>, "and"),
        bits("or", 2, infer_same<kBits>, bits2<[](auto a, auto b) { return a | b; }>, "or"),
        bits("xor", 2, infer_same<kBits>, bits2<[](auto a, auto b) { return a ^ b; }>, "xor"),
        bits("popcnt", 1, infer_same<kIntegers>, popcnt, "popcnt"),
        bits("shift_left", 2, infer_same<kIntegers>, shift<false, true>, "shift_left"),
        bits("shift_right_logical", 2, infer_same<kIntegers>, shift<false, false>, "shift_right_logical"),
        bits("shift_right_arithmetic", 2, infer_same<kIntegers>, shift<true, false>,
             "shift_right_arithmetic"),
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
