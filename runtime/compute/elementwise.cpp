// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/elementwise.hpp"

#include <algorithm>

#include "runtime/compute/broadcast.hpp"
#include "runtime/compute/onednn.hpp"

namespace tilemeter::compute {

namespace {

dnnl::algorithm algorithm(BinaryKind kind) {
    switch (kind) {
        case BinaryKind::kAdd:
            return dnnl::algorithm::binary_add;
        case BinaryKind::kSubtract:
            return dnnl::algorithm::binary_sub;
        case BinaryKind::kMultiply:
            return dnnl::algorithm::binary_mul;
        case BinaryKind::kEqual:
            return dnnl::algorithm::binary_eq;
        case BinaryKind::kNotEqual:
            return dnnl::algorithm::binary_ne;
        case BinaryKind::kGreater:
            return dnnl::algorithm::binary_gt;
        case BinaryKind::kGreaterOrEqual:
            return dnnl::algorithm::binary_ge;
        case BinaryKind::kLess:
            return dnnl::algorithm::binary_lt;
        case BinaryKind::kLessOrEqual:
            return dnnl::algorithm::binary_le;
        case BinaryKind::kMaximum:
            return dnnl::algorithm::binary_max;
        case BinaryKind::kMinimum:
            return dnnl::algorithm::binary_min;
        case BinaryKind::kDivide:
            break;
    }
    return dnnl::algorithm::binary_div;
}

std::int64_t apply(BinaryKind kind, std::int64_t a, std::int64_t b) {
    switch (kind) {
        case BinaryKind::kAdd:
            return a + b;
        case BinaryKind::kSubtract:
            return a - b;
        // 32-bit operands: the product fits as unsigned, the caller keeps its lower bits.
        case BinaryKind::kMultiply:
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
        case BinaryKind::kDivide:
            return b == 0 ? 0 : a / b;
        case BinaryKind::kEqual:
            return a == b ? 1 : 0;
        case BinaryKind::kNotEqual:
            return a != b ? 1 : 0;
        case BinaryKind::kGreater:
            return a > b ? 1 : 0;
        case BinaryKind::kGreaterOrEqual:
            return a >= b ? 1 : 0;
        case BinaryKind::kLess:
            return a < b ? 1 : 0;
        case BinaryKind::kLessOrEqual:
            return a <= b ? 1 : 0;
        case BinaryKind::kMaximum:
            return std::max(a, b);
        case BinaryKind::kMinimum:
            return std::min(a, b);
    }
    return 0;
}

}  // namespace

std::vector<float> binary(BinaryKind kind, std::span<const float> a, const Shape& a_shape,
                          std::span<const float> b, const Shape& b_shape, const Shape& out) {
    std::vector<float> result(out.volume());
    if (result.empty()) return result;
    // oneDNN repeats its second source only.
    const std::vector<float> left = broadcast_to(a, a_shape, out);
    const dnnl::memory::desc left_desc = row_major(out);
    const dnnl::memory::desc right_desc = row_major(b_shape.to_rank(out.rank()));
    const dnnl::binary::primitive_desc desc({algorithm(kind), left_desc, right_desc, left_desc}, engine());
    run("binary", dnnl::binary(desc),
        {{DNNL_ARG_SRC_0, over(left_desc, std::span<const float>(left))},
         {DNNL_ARG_SRC_1, over(right_desc, b)},
         {DNNL_ARG_DST, over(left_desc, std::span<float>(result))}});
    return result;
}

std::vector<std::int64_t> binary(BinaryKind kind, std::span<const std::int64_t> a, const Shape& a_shape,
                                 std::span<const std::int64_t> b, const Shape& b_shape, const Shape& out) {
    std::vector<std::int64_t> result(out.volume());
    const std::vector<std::uint64_t> left = broadcast_sources(a_shape, out);
    const std::vector<std::uint64_t> right = broadcast_sources(b_shape, out);
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = apply(kind, a[left[i]], b[right[i]]);
    return result;
}

}  // namespace tilemeter::compute
