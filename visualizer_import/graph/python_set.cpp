// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/graph/python_set.hpp"

#include <optional>

namespace tilemeter::visualizer_import {
namespace {

constexpr std::size_t kFirstSlots = 8;
constexpr std::size_t kNeighbours = 9;  // looked at before the next jump
constexpr std::size_t kFewEntries = 50000;

// An open-addressing table of ids, which hash to themselves.
class Slots {
public:
    explicit Slots(std::size_t count) : slots_(count) {}

    // False if the id is there already.
    bool insert(std::int64_t id) {
        const std::size_t mask = slots_.size() - 1;
        auto perturb = static_cast<std::uint64_t>(id);
        for (std::size_t i = perturb & mask;;) {
            const std::size_t last = i + kNeighbours <= mask ? i + kNeighbours : i;
            for (std::size_t slot = i; slot <= last; ++slot) {
                if (slots_[slot] == id) return false;
                if (slots_[slot]) continue;
                slots_[slot] = id;
                ++filled_;
                return true;
            }
            perturb >>= 5U;
            i = (i * 5 + 1 + perturb) & mask;
        }
    }
    [[nodiscard]] bool crowded() const { return filled_ * 5 >= (slots_.size() - 1) * 3; }
    [[nodiscard]] Slots grown() const {
        const std::size_t wanted = filled_ > kFewEntries ? filled_ * 2 : filled_ * 4;
        std::size_t count = kFirstSlots;
        while (count <= wanted)
            count *= 2;
        Slots larger(count);
        for (const auto& id : slots_)
            if (id) larger.insert(*id);
        return larger;
    }
    [[nodiscard]] std::vector<std::int64_t> in_order() const {
        std::vector<std::int64_t> ids;
        for (const auto& id : slots_)
            if (id) ids.push_back(*id);
        return ids;
    }

private:
    std::vector<std::optional<std::int64_t>> slots_;
    std::size_t filled_ = 0;
};

}  // namespace

std::vector<std::int64_t> python_set_order(std::span<const std::int64_t> ids) {
    Slots slots(kFirstSlots);
    for (const std::int64_t id : ids)
        if (slots.insert(id) && slots.crowded()) slots = slots.grown();
    return slots.in_order();
}

}  // namespace tilemeter::visualizer_import
