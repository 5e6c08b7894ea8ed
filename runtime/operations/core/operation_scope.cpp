// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/operation_scope.hpp"

#include <array>
#include <cstddef>
#include <typeinfo>

#include "capture/record/emit.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/held_scope.hpp"

namespace tilemeter {

namespace {

thread_local CallStyle this_threads_style = CallStyle::kCpp;

// True if the exception that unwinds this thread's scopes has had its error event. A new scope means that the exception
// before, if any, was handled.
thread_local bool error_emitted = false;

// The scope that the thread's caller holds (held_scope.hpp).
struct HeldScope {
    record::TextId name = record::TextId::kNone;  // kNone: none
    int depth = 0;                                // scopes that are open from the held one on
    bool aborted = false;
};
thread_local HeldScope held;

// True if a scope's begin is the held one's.
bool begins_held(record::TextId name) {
    if (held.name == record::TextId::kNone) return false;
    if (held.depth == 0 && name != held.name) return false;
    return held.depth++ == 0;
}

// True if a scope's end is the held one's.
bool ends_held() {
    if (held.name == record::TextId::kNone || held.depth == 0) return false;
    if (--held.depth != 0) return false;
    held.name = record::TextId::kNone;
    return true;
}

record::TextId error_type_of(const std::exception& error) {
    if (dynamic_cast<const OutOfMemoryError*>(&error) != nullptr) return record::intern("out_of_memory");
    if (dynamic_cast<const ProgramMemoryClashError*>(&error) != nullptr)
        return record::intern("program_memory_clash");
    if (dynamic_cast<const OperationTimeoutError*>(&error) != nullptr) return record::intern("timeout");
    return record::intern("exception");
}

// Texts of an enumeration's values, interned.
template <typename Enum, std::size_t kCount>
std::array<record::TextId, kCount> texts_of() {
    std::array<record::TextId, kCount> texts{};
    for (std::size_t i = 0; i < kCount; ++i)
        texts.at(i) = record::intern(attribute_text(static_cast<Enum>(i)));
    return texts;
}

}  // namespace

ScopedCallStyle::ScopedCallStyle(CallStyle style) : previous_(this_threads_style) {
    this_threads_style = style;
}
ScopedCallStyle::~ScopedCallStyle() {
    this_threads_style = previous_;
}

ScopedHeldScope::ScopedHeldScope(record::TextId name) {
    held = {name, 0, false};
}
ScopedHeldScope::~ScopedHeldScope() {
    held.name = record::TextId::kNone;
}
bool ScopedHeldScope::was_aborted() {
    return held.aborted;
}

CallStyle call_style() {
    return this_threads_style;
}

OperationName::OperationName(std::string_view name) {
    std::string dotted = "ttnn.";
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool separator = name.substr(i, 2) == "::";
        dotted += separator ? '.' : name[i];
        if (separator) ++i;
    }
    cpp_ = record::intern("ttnn::" + std::string(name));
    python_ = record::intern(dotted);
}

namespace internal {

void emit_one(DataType dtype) {
    static const auto kTexts = texts_of<DataType, 8>();
    record::show_next(dtype);
    record::emit_argument(kTexts.at(static_cast<std::size_t>(dtype)));
}
void emit_one(Layout layout) {
    static const auto kTexts = texts_of<Layout, 2>();
    record::show_next(layout);
    record::emit_argument(kTexts.at(static_cast<std::size_t>(layout)));
}

void begin_scope(record::TextId name, std::uint64_t argument_count) {
    error_emitted = false;
    if (CallRecorder* const recorder = call_recorder()) [[unlikely]]
        recorder->on_scope(name);
    if (!begins_held(name)) record::emit_function_begin(name, argument_count);
}

void end_scope() {
    if (!ends_held()) record::emit_function_end();
}

void abort_scope(record::TextId name) {
    record::TextId reason = record::TextId::kNone;
    record::TextId type = record::intern("exception");
    try {
        throw;
    } catch (const std::exception& error) {
        reason = record::intern(error.what());
        type = error_type_of(error);
    } catch (...) {  // NOLINT: an exception of unknown type is recorded without a reason
    }
    if (!error_emitted) {
        emit_live_buffers();
        record::emit_error(type, reason, name);
    }
    error_emitted = true;
    if (ends_held()) held.aborted = true;
    record::emit_function_aborted(reason);
}

}  // namespace internal

}  // namespace tilemeter
