// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// gather and scatter, with StableHLO's dimension numbers.

#include <algorithm>

#include "runtime/trace/primitives/internal/axes.hpp"
#include "runtime/trace/primitives/internal/flat_inference.hpp"

namespace tilemeter::trace::internal {

namespace {

// The shape of the indices without the dimension that holds the index vector, and the length of that vector.
std::pair<Shape, std::int64_t> index_parts(const Site& site) {
    require_domain(site, 1, kIntegers);
    const Shape& indices = site.shape(1);
    const std::int64_t vector_dim = site.integer("index_vector_dim");
    site.require(vector_dim >= 0 && vector_dim <= site.rank(1), ErrorKind::kBadArgument, [&] {
        return "found index_vector_dim " + std::to_string(vector_dim) + ", expected 0 to the rank of " +
               text_of(site.type(1));
    });
    std::pair<Shape, std::int64_t> parts{{}, 1};
    for (std::size_t i = 0; i < indices.rank(); ++i)
        if (static_cast<std::int64_t>(i) == vector_dim)
            parts.second = indices[i];
        else
            parts.first.push_back(indices[i]);
    return parts;
}

}  // namespace

void infer_gather(const Site& site, Types& types) {
    const std::pair<Shape, std::int64_t> parts = index_parts(site);
    const Shape& batch = parts.first;
    const std::int64_t length = parts.second;
    const Shape& from = site.shape(0);
    const Integers& offsets = site.integers("offset_dims");
    const Integers& collapsed = site.integers("collapsed_slice_dims");
    const Integers& start_map = site.integers("start_index_map");
    const Integers& sizes = site.integers("slice_sizes");
    require_axes(site, collapsed, from.rank(), "collapsed_slice_dims");
    require_axes(site, start_map, from.rank(), "start_index_map");
    site.require(static_cast<std::int64_t>(start_map.size()) == length, ErrorKind::kShapeMismatch, [&] {
        return "found start_index_map " + text_of(start_map) + " and indices of type " +
               text_of(site.type(1)) + ", expected vectors of as many indices";
    });
    site.require(sizes.size() == from.rank(), ErrorKind::kBadArgument, [&] {
        return "found slice_sizes " + text_of(sizes) + ", expected one for each of " + text_of(from);
    });
    Integers kept;
    for (std::size_t i = 0; i < from.rank(); ++i) {
        site.require(site.at_most(0, sizes[i]) && site.at_most(sizes[i], from[i]) &&
                         (sizes[i] == 1 || !contains(collapsed, i)),
                     ErrorKind::kBadArgument, [&] {
                         return "found slice_sizes " + text_of(sizes) + ", expected at most " +
                                text_of(from) + " and 1 where collapsed";
                     });
        if (!contains(collapsed, i)) kept.push_back(sizes[i]);
    }
    const std::size_t rank = batch.rank() + kept.size();
    require_axes(site, offsets, rank, "offset_dims");
    site.require(offsets.size() == kept.size() && std::ranges::is_sorted(offsets), ErrorKind::kBadArgument,
                 [&] {
                     return "found offset_dims " + text_of(offsets) + ", expected " +
                            std::to_string(kept.size()) + " in order";
                 });
    TensorType type{site.type(0).element, {}, {}};
    std::size_t next_batch = 0;
    std::size_t next_kept = 0;
    for (std::size_t i = 0; i < rank; ++i)
        type.shape.push_back(contains(offsets, i) ? kept[next_kept++] : batch[next_batch++]);
    types.push_back(type);
}

void infer_scatter(const Site& site, Types& types) {
    const std::pair<Shape, std::int64_t> parts = index_parts(site);
    const Shape& batch = parts.first;
    const std::int64_t length = parts.second;
    const Shape& to = site.shape(0);
    const Shape& updates = site.shape(2);
    const Integers& window = site.integers("update_window_dims");
    const Integers& inserted = site.integers("inserted_window_dims");
    const Integers& to_operand = site.integers("scatter_dims_to_operand_dims");
    site.require(site.type(0).element == site.type(2).element, ErrorKind::kElementTypeMismatch, [&] {
        return "found " + text_of(site.type(0)) + " and updates of type " + text_of(site.type(2)) +
               ", expected one element type";
    });
    require_axes(site, inserted, to.rank(), "inserted_window_dims");
    require_axes(site, to_operand, to.rank(), "scatter_dims_to_operand_dims");
    site.require(static_cast<std::int64_t>(to_operand.size()) == length, ErrorKind::kShapeMismatch, [&] {
        return "found scatter_dims_to_operand_dims " + text_of(to_operand) + " and indices of type " +
               text_of(site.type(1)) + ", expected vectors of as many indices";
    });
    require_axes(site, window, updates.rank(), "update_window_dims");
    site.require(window.size() + inserted.size() == to.rank() && std::ranges::is_sorted(window) &&
                     window.size() + batch.rank() == updates.rank(),
                 ErrorKind::kShapeMismatch, [&] {
                     return "found updates of type " + text_of(site.type(2)) + ", expected " +
                            std::to_string(batch.rank()) + " dimensions of indices and " +
                            std::to_string(to.rank() - inserted.size()) + " of a window";
                 });
    std::vector<std::int64_t> extents;  // of the operand's dimensions that are not inserted
    for (std::size_t i = 0; i < to.rank(); ++i)
        if (!contains(inserted, i)) extents.push_back(to[i]);
    std::size_t next_batch = 0;
    std::size_t next_window = 0;
    for (std::size_t i = 0; i < updates.rank(); ++i) {
        const bool fits = contains(window, i) ? site.at_most(updates[i], extents[next_window++])
                                              : site.equal(Dim(updates[i]), Dim(batch[next_batch++]));
        site.require(fits, ErrorKind::kShapeMismatch, [&] {
            return "found " + text_of(site.type(0)) + ", indices of type " + text_of(site.type(1)) +
                   " and updates of type " + text_of(site.type(2)) + ", expected updates that fit both";
        });
    }
    types.push_back(site.type(0));
}

}  // namespace tilemeter::trace::internal
