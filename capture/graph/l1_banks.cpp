// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/l1_banks.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace tilemeter::graph {

L1Banks::L1Banks(std::uint64_t columns, std::uint64_t rows) : columns_(columns) {
    if (columns > kMostAcross || rows > kMostAcross) return;
    // As TT-NN numbers them: this generator, seeded with 0, and the C++ library's shuffle.
    banks_.resize(columns * rows);
    std::iota(banks_.begin(), banks_.end(), 0U);
    std::minstd_rand0 generator(0);
    std::shuffle(banks_.begin(), banks_.end(), generator);
    cores_.resize(banks_.size());
    for (std::size_t i = 0; i < banks_.size(); ++i) {
        cores_[banks_[i]] = {static_cast<std::uint16_t>(i % columns),
                             static_cast<std::uint16_t>(i / columns)};
    }
}

std::uint32_t L1Banks::bank_of(record::Core core) const {
    const std::uint64_t place = core.y * columns_ + core.x;
    return core.x < columns_ && place < banks_.size() ? banks_[place] : 0;
}

}  // namespace tilemeter::graph
