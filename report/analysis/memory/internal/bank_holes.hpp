// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>

namespace tilemeter::analysis::internal {

/// The free memory of one bank, for placing buffers anew. L1 is filled from the top, DRAM from the bottom.
class BankHoles {
public:
    enum class From : std::uint8_t { kTop, kBottom };
    enum class Fit : std::uint8_t {
        kFirst,  ///< the first hole by address that is large enough: the devices' rule
        kBest,   ///< the smallest hole that is; the first of those
    };

    BankHoles(std::uint64_t begin, std::uint64_t end, From from)
        : from_(from), free_bytes_(end > begin ? end - begin : 0) {
        if (free_bytes_ != 0) holes_[begin] = end;
    }

    /// The address; nothing where no hole is large enough.
    std::optional<std::uint64_t> allocate(std::uint64_t bytes, Fit fit = Fit::kFirst) {
        auto chosen = holes_.end();
        const auto consider = [&](Holes::iterator hole) {
            if (size(hole) < bytes) return false;
            if (chosen == holes_.end() || size(hole) < size(chosen)) chosen = hole;
            return fit == Fit::kFirst;
        };
        if (from_ == From::kTop) {
            for (auto hole = holes_.end(); hole != holes_.begin();)
                if (consider(--hole)) break;
        } else {
            for (auto hole = holes_.begin(); hole != holes_.end(); ++hole)
                if (consider(hole)) break;
        }
        if (chosen == holes_.end()) return {};
        const std::uint64_t begin = chosen->first;
        const std::uint64_t end = chosen->second;
        free_bytes_ -= bytes;
        if (from_ == From::kTop) {
            chosen->second = end - bytes;
            if (size(chosen) == 0) holes_.erase(chosen);
            return end - bytes;
        }
        holes_.erase(chosen);
        if (begin + bytes != end) holes_[begin + bytes] = end;
        return begin;
    }

    void release(std::uint64_t address, std::uint64_t bytes) {
        auto hole = holes_.emplace(address, address + bytes).first;
        free_bytes_ += bytes;
        if (const auto above = std::next(hole); above != holes_.end() && above->first == hole->second) {
            hole->second = above->second;
            holes_.erase(above);
        }
        if (hole == holes_.begin()) return;
        if (const auto below = std::prev(hole); below->second == hole->first) {
            below->second = hole->second;
            holes_.erase(hole);
        }
    }

    std::uint64_t free_bytes() const { return free_bytes_; }
    std::uint64_t largest_hole() const {
        std::uint64_t largest = 0;
        for (const auto& [begin, end] : holes_)
            largest = std::max(largest, end - begin);
        return largest;
    }

private:
    using Holes = std::map<std::uint64_t, std::uint64_t>;  // begin -> end
    static std::uint64_t size(Holes::const_iterator hole) { return hole->second - hole->first; }

    From from_;
    Holes holes_;
    std::uint64_t free_bytes_;
};

}  // namespace tilemeter::analysis::internal
