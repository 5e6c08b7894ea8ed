// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/call_recorder.hpp"

#include <array>
#include <cstddef>

namespace tilemeter {

namespace {

constinit thread_local CallRecorder* this_threads_recorder = nullptr;
constinit thread_local const ScopedCallRecorder* innermost_scope = nullptr;
constinit thread_local const Buffer* refused = nullptr;

}  // namespace

std::string_view name_of(TracingErrorKind kind) {
    constexpr std::array<std::string_view, static_cast<std::size_t>(TracingErrorKind::kCount)> kNames = {
        "escaped_tracer", "needs_concrete_array", "two_devices",
        "random_by_seed", "host_values",          "bad_argument"};
    const auto index = static_cast<std::size_t>(kind);
    return index < kNames.size() ? kNames[index] : "unknown";
}

TracingError::TracingError(TracingErrorKind kind, const std::string& message)
    : RuntimeError(message), kind_(kind) {}

CallRecorder* call_recorder() {
    return this_threads_recorder;
}

ScopedCallRecorder::ScopedCallRecorder(CallRecorder* recorder)
    : outer_(this_threads_recorder), outer_scope_(innermost_scope) {
    this_threads_recorder = recorder;
    innermost_scope = this;
}

ScopedCallRecorder::~ScopedCallRecorder() {
    this_threads_recorder = outer_;
    innermost_scope = outer_scope_;
}

ScopedAroundRecorder::ScopedAroundRecorder() : left_(this_threads_recorder), left_scope_(innermost_scope) {
    this_threads_recorder = left_scope_->outer_;
    innermost_scope = left_scope_->outer_scope_;
}

ScopedAroundRecorder::~ScopedAroundRecorder() {
    this_threads_recorder = left_;
    innermost_scope = left_scope_;
}

ScopedPass::ScopedPass(CallPass pass) : recorder_(this_threads_recorder) {
    if (recorder_ != nullptr) outer_ = recorder_->set_pass(pass);
}

// A record may outlive the trace that it began in.
ScopedPass::~ScopedPass() {
    if (recorder_ != nullptr && recorder_ == this_threads_recorder) recorder_->set_pass(outer_);
}

void note_refused(const Buffer& buffer) {
    refused = &buffer;
}

void require_not_escaped(const Buffer& buffer, std::string_view operation) {
    refused = nullptr;
    if (buffer.is_allocated() || refused != &buffer) return;
    throw TracingError(
        TracingErrorKind::kEscapedTracer,
        std::string(operation) +
            ": expected a tensor with memory, found one of a function that is traced elsewhere or was "
            "traced before; hint: return it from the traced function");
}

}  // namespace tilemeter
