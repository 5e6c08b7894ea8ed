// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/broadcast.hpp"

#include <algorithm>

namespace tilemeter::compute {

std::optional<Shape> broadcast_shape(const Shape& a, const Shape& b) {
    const std::size_t rank = std::max(a.rank(), b.rank());
    const Shape left = a.to_rank(rank);
    const Shape right = b.to_rank(rank);
    Shape common;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::uint32_t x = left.dimensions()[i];
        const std::uint32_t y = right.dimensions()[i];
        if (x != y && x != 1 && y != 1) return std::nullopt;
        common.push_back(x == 1 ? y : x);
    }
    return common;
}

std::vector<std::uint64_t> broadcast_sources(const Shape& from, const Shape& to) {
    const std::size_t rank = to.rank();
    const Shape source = from.to_rank(rank);
    std::vector<std::uint64_t> strides(rank);  // in `from`; 0 along repeated dimensions
    std::uint64_t stride = 1;
    for (std::size_t i = rank; i-- > 0;) {
        strides[i] = source.dimensions()[i] == 1 ? 0 : stride;
        stride *= source.dimensions()[i];
    }
    std::vector<std::uint64_t> sources(to.volume());
    std::vector<std::uint32_t> index(rank);
    std::uint64_t at = 0;
    for (std::uint64_t& each : sources) {
        each = at;
        for (std::size_t i = rank; i-- > 0;) {
            at += strides[i];
            if (++index[i] < to.dimensions()[i]) break;
            at -= strides[i] * to.dimensions()[i];
            index[i] = 0;
        }
    }
    return sources;
}

}  // namespace tilemeter::compute
