// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/failures.hpp"

#include <algorithm>
#include <utility>

namespace tilemeter::analysis {
namespace {

RecordedFailure failure_at(const NodeList& list, const Scopes& scopes, std::uint32_t scope,
                           std::string message) {
    const Scope& it = scopes.scopes[scope];
    RecordedFailure failure;
    failure.scope = scope;
    failure.node = it.end == kNoIndex ? static_cast<std::uint32_t>(list.size() - 1) : it.end;
    failure.operation = scopes.path(list, scope);
    for (std::uint32_t at = scope; message.empty() && at != kNoIndex; at = scopes.scopes[at].parent)
        if (const PythonCall* call = list.source.python_call(scopes.scopes[at].start))
            message = call->error_message;
    failure.read = read_failure_message(message);
    failure.message = std::move(message);
    return failure;
}

/// The last function within `scope` before the node `before`, but for those that only free memory.
std::uint32_t last_child(const NodeList& list, const Scopes& scopes, std::uint32_t scope,
                         std::uint32_t before) {
    const auto first_after = std::partition_point(scopes.scopes.begin(), scopes.scopes.end(),
                                                  [&](const Scope& it) { return it.start < before; });
    auto child = static_cast<std::uint32_t>(first_after - scopes.scopes.begin());
    while (child-- > scope + 1) {
        const Scope& it = scopes.scopes[child];
        if (it.parent == scope && list.name(it.start) != "Tensor::deallocate") return child;
    }
    return kNoIndex;
}

/// By scope: what the error nodes say. A recorder around TT-NN (attach) learns the reason where an exception leaves the
/// outermost function; those inside were aborted by then, without one.
std::vector<std::string> find_messages(const NodeList& list, const Scopes& scopes) {
    std::vector<std::string> messages(scopes.scopes.size());
    for (std::uint32_t node = 0; node < list.size(); ++node) {
        std::uint32_t scope = scopes.of_node[node];
        if (list.nodes[node].kind != NodeType::kError || scope == kNoIndex) continue;
        const std::string message(list.text(list.failures[list.nodes[node].detail].message));
        messages[scope] = message;
        while ((scope = last_child(list, scopes, scope, node)) != kNoIndex) {
            const std::uint32_t end = scopes.scopes[scope].end;
            if (end == kNoIndex || end > node || !list.end(end)->aborted || !messages[scope].empty()) break;
            messages[scope] = message;
        }
    }
    return messages;
}

}  // namespace

std::vector<bool> find_left_by_printing(const NodeList& list, const Scopes& scopes) {
    constexpr std::string_view kSwept = "Operation did not complete: its graph scope was still open when ";
    std::vector<bool> prints(scopes.scopes.size(), false);
    std::vector<bool> left(scopes.scopes.size(), false);
    for (auto scope = static_cast<std::uint32_t>(scopes.scopes.size()); scope-- > 0;) {
        const Scope& it = scopes.scopes[scope];
        prints[scope] = prints[scope] || list.name(it.start) == "ttnn::to_string";
        if (!prints[scope]) continue;
        if (it.parent != kNoIndex) prints[it.parent] = true;
        const NodeList::End* end = it.end == kNoIndex ? nullptr : list.end(it.end);
        left[scope] = end == nullptr || (end->aborted && list.text(end->abort_reason).starts_with(kSwept));
    }
    return left;
}

std::vector<RecordedFailure> find_failures(const NodeList& list, const Scopes& scopes) {
    std::vector<RecordedFailure> failures;
    const std::vector<bool> left_by_printing = find_left_by_printing(list, scopes);
    std::vector<bool> has_inner(scopes.scopes.size(), false);
    std::vector<std::string> message_of = find_messages(list, scopes);
    for (auto scope = static_cast<std::uint32_t>(scopes.scopes.size()); scope-- > 0;) {
        const Scope& it = scopes.scopes[scope];
        const bool aborted = it.end != kNoIndex && list.end(it.end)->aborted && !left_by_printing[scope];
        const PythonCall* call = list.source.python_call(it.start);
        const bool raised = call != nullptr && !call->error_message.empty();
        if (!aborted && message_of[scope].empty() && !has_inner[scope] && !raised) continue;
        if (it.parent != kNoIndex) has_inner[it.parent] = true;
        if (it.parent != kNoIndex && message_of[it.parent].empty()) message_of[it.parent] = message_of[scope];
        if (has_inner[scope]) continue;
        failures.push_back(failure_at(list, scopes, scope, message_of[scope]));
    }
    std::reverse(failures.begin(), failures.end());
    return failures;
}

MemoryType memory_of(const OutOfMemory& failure) {
    if (failure.in_l1_small) return MemoryType::kL1Small;
    return failure.in_l1 ? MemoryType::kL1 : MemoryType::kDram;
}

bool goes_on_after(const NodeList& list, const Scopes& scopes, const RecordedFailure& failure) {
    for (auto scope = failure.scope + 1; scope < scopes.scopes.size(); ++scope) {
        const std::uint32_t start = scopes.scopes[scope].start;
        if (start < failure.node || list.name(start) == "Tensor::deallocate") continue;
        return true;
    }
    return false;
}

std::string short_message(std::string_view message) {
    // "TT_FATAL @ FILE:LINE: CONDITION\ninfo:\nWHAT\nbacktrace:..." -> "WHAT"
    constexpr std::string_view kInfo = "info:\n";
    if (const std::size_t info = message.find(kInfo); info != std::string_view::npos)
        message.remove_prefix(info + kInfo.size());
    if (const std::size_t trace = message.find("\nbacktrace:"); trace != std::string_view::npos)
        message = message.substr(0, trace);
    std::string line;
    for (const char it : message) {
        const bool blank = it == '\n' || it == '\r' || it == '\t' || it == ' ';
        if (!blank)
            line += it;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    }
    while (!line.empty() && line.back() == ' ')
        line.pop_back();
    return line;
}

}  // namespace tilemeter::analysis
