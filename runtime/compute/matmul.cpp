// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/matmul.hpp"

#include <algorithm>
#include <utility>

#include "runtime/compute/onednn.hpp"

namespace tilemeter::compute {

namespace {

// The operand as oneDNN sees it: `rank` dimensions, transposition by strides.
dnnl::memory::desc described(const Shape& shape, bool transpose) {
    dnnl::memory::dims dims(shape.dimensions().begin(), shape.dimensions().end());
    dnnl::memory::dims strides(dims.size());
    dnnl::memory::dim stride = 1;
    for (std::size_t i = dims.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= dims[i];
    }
    if (transpose) {
        const std::size_t last = dims.size() - 1;
        std::swap(dims[last], dims[last - 1]);
        std::swap(strides[last], strides[last - 1]);
    }
    return {dims, dnnl::memory::data_type::f32, strides};
}

}  // namespace

std::vector<float> matmul(const MatrixOperand& a, const MatrixOperand& b) {
    const std::size_t rank = std::max<std::size_t>({a.shape.rank(), b.shape.rank(), 2});
    const Shape right = b.shape.rank() == 1 ? Shape{b.shape[0], 1} : b.shape;
    const dnnl::memory::desc left_desc = described(a.shape.to_rank(rank), a.transpose && a.shape.rank() > 1);
    const dnnl::memory::desc right_desc = described(right.to_rank(rank), b.transpose && b.shape.rank() > 1);

    Shape out;
    const dnnl::memory::dims left_dims = left_desc.dims();
    const dnnl::memory::dims right_dims = right_desc.dims();
    for (std::size_t i = 0; i + 2 < rank; ++i)
        out.push_back(static_cast<std::uint32_t>(std::max(left_dims[i], right_dims[i])));
    out.push_back(static_cast<std::uint32_t>(left_dims[rank - 2]));
    out.push_back(static_cast<std::uint32_t>(right_dims[rank - 1]));
    std::vector<float> result(out.volume());
    if (result.empty()) return result;

    const dnnl::memory::desc out_desc = row_major(out);
    const dnnl::matmul::primitive_desc desc({left_desc, right_desc, out_desc}, engine());
    run("matmul", dnnl::matmul(desc),
        {{DNNL_ARG_SRC, over(left_desc, a.values)},
         {DNNL_ARG_WEIGHTS, over(right_desc, b.values)},
         {DNNL_ARG_DST, over(out_desc, std::span<float>(result))}});
    return result;
}

}  // namespace tilemeter::compute
