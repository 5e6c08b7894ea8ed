// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/program_cache.hpp"

#include <utility>

namespace tilemeter {

ProgramCache ProgramCache::over(const ProgramCache& below) {
    ProgramCache cache;
    cache.below_ = &below;
    cache.latest_id_ = below.latest_id_;
    return cache;
}

std::shared_ptr<const CachedProgram> ProgramCache::find(const std::string& key) const {
    const auto found = programs_.find(key);
    if (found != programs_.end()) return found->second;
    return below_ != nullptr ? below_->find(key) : nullptr;
}

std::shared_ptr<const CachedProgram> ProgramCache::insert(std::string key, CachedProgram program) {
    program.program_id = ++latest_id_;
    auto kept = std::make_shared<const CachedProgram>(std::move(program));
    programs_.insert_or_assign(std::move(key), kept);
    return kept;
}

std::size_t ProgramCache::size() const {
    return programs_.size() + (below_ != nullptr ? below_->size() : 0);
}

void ProgramCache::clear() {
    programs_.clear();
    below_ = nullptr;
}

}  // namespace tilemeter
