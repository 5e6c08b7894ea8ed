// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/write_log.hpp"

#include <vector>

#include "runtime/device/buffer.hpp"

namespace tilemeter {

namespace {

// Records of gradients nest, so that a thread may have several.
constinit thread_local std::vector<std::weak_ptr<WriteLog>> this_threads_logs;
constinit thread_local int padding_scopes = 0;

}  // namespace

std::shared_ptr<WriteLog> WriteLog::begin() {
    auto log = std::make_shared<WriteLog>();
    std::erase_if(this_threads_logs, [](const auto& each) { return each.expired(); });
    this_threads_logs.push_back(log);
    return log;
}

std::uint64_t WriteLog::last_write(record::BufferId buffer) const {
    const auto found = written_.find(buffer);
    return found == written_.end() ? 0 : found->second;
}

ScopedPaddingWrites::ScopedPaddingWrites() {
    ++padding_scopes;
}

ScopedPaddingWrites::~ScopedPaddingWrites() {
    --padding_scopes;
}

void note_write(const Buffer& buffer) {
    if (padding_scopes > 0) return;
    for (const std::weak_ptr<WriteLog>& each : this_threads_logs)
        if (const std::shared_ptr<WriteLog> log = each.lock()) log->written_[buffer.id()] = log->call_;
}

}  // namespace tilemeter
