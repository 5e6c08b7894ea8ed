// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/tensor_views.hpp"

#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "capture/record/text.hpp"
#include "runtime/compute/rearrange.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"

namespace tilemeter {

namespace {

// The statement of TT-NN: shards of more dimensions stay as they are.
void require_view_of_nd_shards(const Tensor& tensor, const Shape& padded) {
    if (tensor.memory_config().memory_layout != TensorMemoryLayout::ND_SHARDED) return;
    const Shape from = tensor.padded_shape();
    require(
        padded == from || (from.rank() == 1 && padded == from.to_rank(2)),
        "View is not supported for ND sharded tensors except for rank expansion to 2D or same-physical-shape "
        "(logical-only) metadata updates. Input shape: ",
        from, ", New shape: ", padded);
}

bool keeps_rows(const Shape& from, const Shape& to) {
    return to.rank() != 0 && from.rank() != 0 && to[-1] == from[-1];
}

// A row of a shard stays a row: another last dimension, padding included, needs shards as wide as the tensor. In
// ROW_MAJOR they become as wide as the new rows, and as much less high; in tiles they are kept. The messages are TT-NN's.
void follow_shards(const Tensor& tensor, TensorSpec& spec, const Shape& to) {
    require_view_of_shards(tensor, to);
    const Shape padded = tensor.padded_shape();
    if (!tensor.memory_config().shard_spec || keeps_rows(padded, to)) return;
    if (tensor.layout() == Layout::TILE || to.rank() == 0 || to[-1] == 0) return;
    spec.memory_config.nd_shard_spec.reset();
    std::array<std::uint32_t, 2>& shard = spec.memory_config.shard_spec->shape;
    shard = {shard[0] * shard[1] / to[-1], to[-1]};
    page_geometry(spec);  // refuses what does not fit
    const std::uint64_t page = to[-1] * element_size(spec.dtype);
    const std::uint64_t bytes = tensor.buffer().size_bytes();
    require(bytes % page == 0, "For valid non-interleaved buffers page size ", page,
            " must equal buffer size ", bytes,
            ". For interleaved-buffers, buffer size should be divisible by the page size");
}

// The same memory of the same chips under another spec.
Tensor view_of(const Tensor& tensor, TensorSpec spec) {
    Tensor view = Tensor::on_device(std::move(spec), tensor.shared_buffer(), true);
    if (tensor.chip()) view = Tensor::of_chip(view, *tensor.chip());
    view.set_distribution(tensor.distribution());
    return view;
}

}  // namespace

void require_view_of_shards(const Tensor& tensor, const Shape& to) {
    require_view_of_nd_shards(tensor, to);
    const std::optional<ShardSpec>& shards = tensor.memory_config().shard_spec;
    const Shape padded = tensor.padded_shape();
    if (!shards || keeps_rows(padded, to)) return;
    require(
        shards->shape[1] == padded[-1],
        "Changing the last dimension of a sharded tensor is not supported unless the shard width matches the "
        "input last dimension. Input shape: ",
        padded, ", New shape: ", to, ", Shard width: ", shards->shape[1]);
}

namespace {

Tensor view_under(const Tensor& tensor, const Shape& shape, const Shape& padded) {
    static const record::TextId kName = record::intern("Tensor::reshape");
    TensorSpec spec = tensor.spec();
    spec.shape = shape;
    return in_scope(kName, std::tie(tensor, shape, padded), [&] {
        require(shape.volume() == tensor.shape().volume(), "reshape: ", tensor.shape(), " has ",
                tensor.shape().volume(), " elements, ", shape, " has ", shape.volume());
        if (tensor.storage_type() == StorageType::DEVICE) {
            follow_shards(tensor, spec, padded);
            return view_of(tensor, std::move(spec));
        }
        return changed_on_host(tensor, std::move(spec),
                               [shape](const HostArray& stored) { return stored.reshaped(shape); });
    });
}

bool is_in_rows(const Tensor& tensor, const Shape& shape) {
    return shape.rank() < 2 || tensor.layout() == Layout::ROW_MAJOR;
}

Shape padded_as(const Tensor& tensor, const Shape& shape) {
    TensorSpec spec = tensor.spec();
    spec.shape = shape;
    return spec.padded_shape();
}

}  // namespace

Tensor reshape_view(const Tensor& tensor, const Shape& shape) {
    const bool same_rows = shape.rank() >= 2 && tensor.shape().rank() != 0 && shape[-1] == tensor.shape()[-1];
    return view_under(tensor, shape,
                      is_in_rows(tensor, shape) && !same_rows ? shape : padded_as(tensor, shape));
}

Tensor unpadded_view(const Tensor& tensor, const Shape& shape) {
    return view_under(tensor, shape, is_in_rows(tensor, shape) ? shape : padded_as(tensor, shape));
}

Tensor view_in_four(const Tensor& tensor) {
    constexpr std::size_t kMostDimensions = 4;
    Tensor view = tensor;
    for (std::size_t rank = tensor.shape().rank(); rank > kMostDimensions && view.shape()[0] == 1; --rank)
        view = reshape_view(view, view.shape().to_rank(rank - 1));
    if (view.shape().rank() <= kMostDimensions) return view;
    return reshape_view(view, view.shape().to_rank(kMostDimensions));
}

Tensor view_of_tiles(const Tensor& tensor, const Shape& shape) {
    static const record::TextId kName = record::intern("Tensor::reshape");
    TensorSpec spec = tensor.spec();
    spec.shape = shape;
    const Shape padded = spec.padded_shape();
    return in_scope(kName, std::tie(tensor, shape, padded), [&] {
        require(padded.volume() <= tensor.padded_shape().volume(),  // TT-NN's words come first
                "MeshBuffer must be large enough to hold the tensor.: reshape: ", tensor.shape(), " has ",
                tensor.padded_shape().volume(), " elements with padding, ", shape, " has ", padded.volume());
        return view_of(tensor, std::move(spec));
    });
}

Tensor without_padding_rows(const Tensor& tensor, const Shape& shape) {
    static const record::TextId kName = record::intern("Tensor::reshape");
    TensorSpec spec = tensor.spec();
    spec.shape = shape;
    const Shape padded = spec.padded_shape();
    return in_scope(kName, std::tie(tensor, shape, padded), [&] {
        const std::vector<std::uint32_t> begin(shape.rank(), 0);
        const std::vector<std::uint32_t> step(shape.rank(), 1);
        change_values(tensor, [begin, step, shape](const HostArray& values) {
            return compute::sliced(values, begin, step, shape);
        });
        return view_of(tensor, std::move(spec));
    });
}

}  // namespace tilemeter
