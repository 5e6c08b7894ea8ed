// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/program_cache.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "capture/log/log.hpp"
#include "runtime/types/spec_hash.hpp"

namespace tilemeter {

ProgramCache ProgramCache::over(const ProgramCache& below) {
    ProgramCache cache;
    cache.below_ = &below;
    cache.latest_id_ = cache.latest_id_below_ = below.latest_id_;
    cache.is_on_ = below.is_on_;
    cache.allows_misses_ = below.allows_misses_;
    return cache;
}

std::shared_ptr<const CachedProgram> ProgramCache::find(const std::string& key) const {
    const auto found = programs_.find(key);
    if (found != programs_.end()) return found->second;
    if (below_ == nullptr) return nullptr;
    auto program = below_->find(key);
    return program != nullptr && program->program_id <= latest_id_below_ ? program : nullptr;
}

std::shared_ptr<const CachedProgram> ProgramCache::insert(std::string key, CachedProgram program) {
    program.program_id = ++latest_id_;
    logging::trace({"program ", program.program_id, " is planned: ", key});
    auto kept = std::make_shared<const CachedProgram>(std::move(program));
    if (is_on_) programs_.insert_or_assign(std::move(key), kept);
    return kept;
}

std::shared_ptr<const PlannedCall> ProgramCache::find_call(std::string_view key) const {
    const auto found = calls_.find(key);
    if (found != calls_.end()) return found->second;
    if (below_ == nullptr) return nullptr;
    auto call = below_->find_call(key);
    return call != nullptr && call->program->program_id <= latest_id_below_ ? call : nullptr;
}

void ProgramCache::insert_call(std::string key, std::shared_ptr<const PlannedCall> call) {
    if (is_on_) calls_.insert_or_assign(std::move(key), std::move(call));
}

std::size_t ProgramCache::size() const {
    return programs_.size() + (below_ != nullptr ? below_->size() : 0);
}

// The tables have no order: what does not depend on one is their sum.
std::uint64_t ProgramCache::hash() const {
    std::uint64_t sum = 0;
    for (const auto& [key, program] : programs_)
        sum += mix_hash(std::hash<std::string_view>()(key), program->program_id);
    for (const auto& [key, call] : calls_)
        sum += mix_hash(std::hash<std::string_view>()(key), ~call->program->program_id);
    return mix_hash(mix_hash(sum, latest_id_), below_ != nullptr ? below_->hash() : 0);
}

std::vector<std::shared_ptr<const CachedProgram>> ProgramCache::clear() {
    std::vector<std::shared_ptr<const CachedProgram>> dropped;
    for (const ProgramCache* cache = this; cache != nullptr; cache = cache->below_) {
        for (const auto& [key, program] : cache->programs_)
            dropped.push_back(program);
    }
    std::ranges::sort(dropped, std::greater(), [](const auto& each) { return each->program_id; });
    if (!dropped.empty()) logging::debug({"a program cache drops ", dropped.size(), " programs"});
    programs_.clear();
    calls_.clear();
    below_ = nullptr;
    return dropped;
}

}  // namespace tilemeter
