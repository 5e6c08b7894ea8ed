// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/prod_backward.hpp"

#include <string>
#include <vector>

#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/eltwise/bcast.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/reduction/prod.hpp"

namespace tilemeter {

namespace {

using Order = std::vector<std::int64_t>;

Tensor multiplied(const Tensor& a, const Tensor& b, const MemoryConfig& memory_config) {
    BinaryOptions options;
    options.memory_config = memory_config;
    return unscoped::binary(BinaryKind::kMultiply, a, b, options);
}

Tensor reciprocal_of(const Tensor& input, const MemoryConfig& memory_config) {
    return unscoped::unary({UnaryOpType::RECIP, {}}, input, memory_config);
}

/// The first place of the gradient along `dim`, which TT-NN takes even where there is only one.
Tensor first_of(const Tensor& gradient, std::size_t dim, const MemoryConfig& memory_config) {
    const bool columns = dim == 3;
    const ScopedTensor outside(
        unscoped::permute(gradient, columns ? Order{0, 3, 1, 2} : Order{0, 2, 1, 3}, memory_config));
    const Shape padded = gradient.padded_shape();
    const ScopedTensor first(
        unscoped::slice(*outside, {0, 0, 0, 0}, {padded[0], 1, padded[1], columns ? padded[2] : padded[3]}));
    return unscoped::permute(*first, columns ? Order{0, 2, 3, 1} : Order{0, 2, 1, 3}, memory_config);
}

/// Along a dimension within the tiles: its rows or columns are repeated by the program that multiplies.
Tensor within_tiles(const ProdGradient& call, std::size_t dim, const Tensor& product,
                    const MemoryConfig& memory_config) {
    const ScopedTensor gradient(first_of(call.grad_tensor, dim, memory_config));
    const ScopedTensor reciprocal(reciprocal_of(call.input_tensor, memory_config));
    const ScopedTensor scaled(multiplied(product, *gradient, memory_config));
    return unscoped::bcast(*reciprocal, *scaled, BcastOpMath::MUL, dim == 3 ? BcastOpDim::W : BcastOpDim::H,
                           memory_config);
}

/// Along one of the two outer dimensions: filled up to a tile, it is brought into the tiles and back.
Tensor outside_tiles(const ProdGradient& call, std::size_t dim, const Tensor& product,
                     const MemoryConfig& memory_config) {
    const Tensor& input = call.input_tensor;
    const ScopedTensor reciprocal(reciprocal_of(input, memory_config));
    const ScopedTensor scaled(multiplied(product, call.grad_tensor, memory_config));
    const std::uint32_t rest = input.shape()[static_cast<std::int64_t>(dim)] % kTileHeight;
    const bool fits = rest == 0;
    Padding padding(4);
    padding[dim].second = fits ? 0 : kTileHeight - rest;
    const ScopedTensor whole(fits ? *reciprocal
                                  : unscoped::pad(*reciprocal, padding, 0.0F, std::nullopt, dim == 1));
    const Order inwards = dim == 1 ? Order{0, 2, 3, 1} : Order{3, 1, 2, 0};
    const Order back = dim == 1 ? Order{0, 3, 1, 2} : inwards;
    const ScopedTensor a(unscoped::permute(*whole, inwards, memory_config));
    const ScopedTensor b(unscoped::permute(*scaled, inwards, memory_config));
    upload(*b, input.shared_device(), b->memory_config());
    const auto multiply_and_return = [&] {
        const ScopedTensor products(unscoped::bcast(*a, *b, BcastOpMath::MUL, BcastOpDim::W, memory_config));
        return unscoped::permute(*products, back, memory_config);
    };
    ScopedTensor result(multiply_and_return());
    if (fits) return result.take();
    const auto extents = input.shape().dimensions();
    return unscoped::slice(*result, {0, 0, 0, 0}, {extents.begin(), extents.end()});
}

/// The product times the gradient, of which TT-NN takes the first element.
Tensor scaled_by_first(const Tensor& product, const Tensor& gradient, const MemoryConfig& memory_config) {
    if (gradient.shape().volume() == 1) return multiplied(product, gradient, memory_config);
    const std::size_t rank = gradient.shape().rank();
    const ScopedTensor first(
        unscoped::slice(gradient, std::vector<std::uint32_t>(rank, 0), std::vector<std::uint32_t>(rank, 1)));
    return multiplied(product, *first, memory_config);
}

Tensor of_all(const ProdGradient& call, const Tensor& product, const MemoryConfig& memory_config) {
    const ScopedTensor scaled(scaled_by_first(product, call.grad_tensor, memory_config));
    const ScopedTensor reciprocal(reciprocal_of(call.input_tensor, memory_config));
    return multiplied(*reciprocal, *scaled, memory_config);
}

/// As TT-NN refuses them, but for tiles that are filled in part: it gives a gradient of whole tiles then.
void require_four_dimensions(const Shape& shape, std::int64_t dim) {
    const auto rank = static_cast<std::int64_t>(shape.rank());
    require(dim >= -rank && dim < rank, [&] {
        return "Dimension for prod is out of range (expected to be in range of [" + std::to_string(-rank) +
               ", " + std::to_string(rank - 1) + "])";
    });
    require(rank >= 4 || dim != 0 || shape[0] % kTileHeight == 0,
            "ttnn.pad: padding len can't be larger than input tensor rank");
    require(rank == 4,
            "The number of dimensions in the tensor input does not match the length of the desired "
            "ordering");
    const std::size_t position = shape.position(dim);
    require((position == 2 || shape[-2] % kTileHeight == 0) && (position == 3 || shape[-1] % kTileWidth == 0),
            "prod_bw: input_tensor: expected whole tiles beside dimension ", position, ", got ", shape);
}

}  // namespace

Gradients ProdGradient::body() const {
    require_on_device(input_tensor, "prod_bw", "input_tensor");
    const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
    if (dim) require_four_dimensions(input_tensor.shape(), *dim);
    const ScopedTensor product(unscoped::prod(input_tensor, dim, dim.has_value(), config));
    if (!dim) return {of_all(*this, *product, config)};
    const std::size_t position = input_tensor.shape().position(*dim);
    return {position < 2 ? outside_tiles(*this, position, *product, config)
                         : within_tiles(*this, position, *product, config)};
}

}  // namespace tilemeter
