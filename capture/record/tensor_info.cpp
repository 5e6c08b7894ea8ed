// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/tensor_info.hpp"

#include <deque>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "capture/record/internal/definition_codec.hpp"

namespace tilemeter::record {

namespace {

struct TensorInfoHash {
    std::size_t operator()(const TensorInfo* info) const {
        std::size_t hash = std::hash<std::uint64_t>()(info->size_bytes);
        const auto mix = [&hash](std::uint64_t value) {
            hash ^= std::hash<std::uint64_t>()(value) + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
        };
        for (const std::uint64_t dimension : info->shape)
            mix(dimension);
        mix(static_cast<std::uint64_t>(info->dtype) << 32 | static_cast<std::uint64_t>(info->layout));
        mix(static_cast<std::uint64_t>(info->memory_config) << 1 |
            static_cast<std::uint64_t>(info->on_device));
        return hash;
    }
};

struct TensorInfoEqual {
    bool operator()(const TensorInfo* a, const TensorInfo* b) const { return *a == *b; }
};

class TensorInfoTable {
public:
    TensorSpecId intern(const TensorInfo& info) {
        const std::scoped_lock lock(mutex_);
        if (const auto found = ids_.find(&info); found != ids_.end()) return found->second;
        infos_.push_back(info);
        const auto id = static_cast<TensorSpecId>(infos_.size());
        ids_.emplace(&infos_.back(), id);
        if (internal::definitions_wanted.load(std::memory_order_acquire)) publish(id, infos_.back());
        return id;
    }

    void publish_all() const {
        const std::scoped_lock lock(mutex_);
        for (std::size_t i = 0; i < infos_.size(); ++i)
            publish(static_cast<TensorSpecId>(i + 1), infos_[i]);
    }

    const TensorInfo& of(TensorSpecId id) const {
        const std::scoped_lock lock(mutex_);
        return infos_.at(static_cast<std::size_t>(id) - 1);
    }

private:
    static void publish(TensorSpecId id, const TensorInfo& info) {
        internal::publish_definition(internal::DefinitionKind::kTensor, static_cast<std::uint32_t>(id),
                                     internal::encode(info));
    }

    mutable std::mutex mutex_;
    std::deque<TensorInfo> infos_;  // a deque: the pointers in ids_ stay valid as it grows
    std::unordered_map<const TensorInfo*, TensorSpecId, TensorInfoHash, TensorInfoEqual> ids_;
};

TensorInfoTable& tensor_info_table() {
    static auto& the_table = *new TensorInfoTable;  // never destroyed, as the texts
    return the_table;
}

}  // namespace

TensorSpecId intern(const TensorInfo& info) {
    return tensor_info_table().intern(info);
}
const TensorInfo& tensor_info_of(TensorSpecId id) {
    static const auto& nothing = *new TensorInfo;  // never destroyed, as the table
    if (id == TensorSpecId::kNone) return nothing;
    return tensor_info_table().of(id);
}

namespace internal {
void publish_tensors() {
    tensor_info_table().publish_all();
}
}  // namespace internal

}  // namespace tilemeter::record
