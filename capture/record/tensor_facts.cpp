// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/tensor_facts.hpp"

#include <deque>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "capture/record/internal/fact_codec.hpp"

namespace tilemeter::record {

namespace {

struct FactsHash {
    std::size_t operator()(const TensorFacts* facts) const {
        std::size_t hash = std::hash<std::uint64_t>()(facts->size_bytes);
        const auto mix = [&hash](std::uint64_t value) {
            hash ^= std::hash<std::uint64_t>()(value) + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
        };
        for (const std::uint64_t dimension : facts->shape)
            mix(dimension);
        mix(static_cast<std::uint64_t>(facts->dtype) << 32 | static_cast<std::uint64_t>(facts->layout));
        mix(static_cast<std::uint64_t>(facts->memory_config) << 1 |
            static_cast<std::uint64_t>(facts->on_device));
        return hash;
    }
};

struct FactsEqual {
    bool operator()(const TensorFacts* a, const TensorFacts* b) const { return *a == *b; }
};

class FactsTable {
public:
    TensorSpecId intern(const TensorFacts& facts) {
        const std::scoped_lock lock(mutex_);
        if (const auto found = ids_.find(&facts); found != ids_.end()) return found->second;
        facts_.push_back(facts);
        const auto id = static_cast<TensorSpecId>(facts_.size());
        ids_.emplace(&facts_.back(), id);
        if (internal::facts_wanted.load(std::memory_order_acquire)) publish(id, facts_.back());
        return id;
    }

    void publish_all() const {
        const std::scoped_lock lock(mutex_);
        for (std::size_t i = 0; i < facts_.size(); ++i)
            publish(static_cast<TensorSpecId>(i + 1), facts_[i]);
    }

    const TensorFacts& of(TensorSpecId id) const {
        const std::scoped_lock lock(mutex_);
        return facts_.at(static_cast<std::size_t>(id) - 1);
    }

private:
    static void publish(TensorSpecId id, const TensorFacts& facts) {
        internal::publish_fact(internal::FactKind::kTensor, static_cast<std::uint32_t>(id),
                               internal::encode(facts));
    }

    mutable std::mutex mutex_;
    std::deque<TensorFacts> facts_;  // a deque: the pointers in ids_ stay valid as it grows
    std::unordered_map<const TensorFacts*, TensorSpecId, FactsHash, FactsEqual> ids_;
};

FactsTable& table() {
    static auto& the_table = *new FactsTable;  // never destroyed, as the texts
    return the_table;
}

}  // namespace

TensorSpecId intern(const TensorFacts& facts) {
    return table().intern(facts);
}
const TensorFacts& tensor_facts_of(TensorSpecId id) {
    static const auto& nothing = *new TensorFacts;  // never destroyed, as the table
    if (id == TensorSpecId::kNone) return nothing;
    return table().of(id);
}

namespace internal {
void publish_tensors() {
    table().publish_all();
}
}  // namespace internal

}  // namespace tilemeter::record
