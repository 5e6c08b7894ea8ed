// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/failures.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "report/analysis/memory/device_limits.hpp"

namespace tilemeter::analysis {
namespace {

constexpr std::string_view kDeallocate = "Tensor::deallocate";

/// The releases at the end of a function that failed, with nothing behind it.
struct Unwinding {
    std::uint32_t before = 0;             ///< the last node before the first release
    std::vector<std::uint32_t> releases;  ///< in list order
};

/// TT-NN does not tell that a function was left: what its exception frees on its way out stands in it as if the
/// function had done it, until the next operation, or the list, ends it.
Unwinding unwinding_of(const NodeList& list, const Scopes& scopes, std::uint32_t scope) {
    const Scope& it = scopes.scopes[scope];
    const std::uint32_t last = it.end == kNoIndex ? static_cast<std::uint32_t>(list.size() - 1) : it.end;
    Unwinding found;
    found.before = last;
    const auto is_passed_over = [&](std::uint32_t node) {
        switch (list.nodes[node].kind) {
            case NodeType::kBufferDeallocate:
            case NodeType::kTensor:
            case NodeType::kBuffer:
            case NodeType::kCaptureEnd:
            case NodeType::kError:
                return true;
            case NodeType::kFunctionStart:
                return list.name(node) == kDeallocate;
            case NodeType::kFunctionEnd: {
                const std::uint32_t ended = scopes.of_node[node];
                return list.name(node) == kDeallocate || ended == scope || ended == kNoIndex ||
                       scopes.scopes[ended].start < it.start;
            }
            default:
                return false;
        }
    };
    for (std::uint32_t node = last; node > it.start && is_passed_over(node); --node) {
        const NodeType kind = list.nodes[node].kind;
        if (kind == NodeType::kBufferDeallocate) found.releases.push_back(node);
        // The release's own function, and what it names.
        if (!found.releases.empty() &&
            (kind == NodeType::kBufferDeallocate || kind == NodeType::kFunctionStart))
            found.before = node - 1;
    }
    std::reverse(found.releases.begin(), found.releases.end());
    return found;
}

RecordedFailure failure_at(const NodeList& list, const Scopes& scopes, std::uint32_t scope,
                           std::string message) {
    RecordedFailure failure;
    failure.scope = scope;
    failure.node = unwinding_of(list, scopes, scope).before;
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
        if (it.parent == scope && list.name(it.start) != kDeallocate) return child;
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

std::uint32_t moment_of_failure(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t scope,
                                const FailureMessage& message) {
    const Unwinding unwinding = unwinding_of(list, lifetimes.scopes, scope);
    if (unwinding.releases.empty() || lifetimes.devices.empty()) return unwinding.before;
    // The memory at that moment, as the message tells it: what was allocated, or where the lowest tensor began.
    const std::optional<std::uint64_t> allocated =
        message.out_of_memory ? message.out_of_memory->allocated_bytes : std::nullopt;
    if (!allocated && !message.clash) return unwinding.before;
    const MemoryType memory = allocated ? memory_of(*message.out_of_memory) : MemoryType::kL1;
    std::vector<std::uint32_t> alive;
    std::vector<std::uint32_t> released(list.size(), kNoIndex);  // by node: the buffer
    std::optional<std::uint16_t> device;
    for (std::uint32_t index = 0; index < lifetimes.buffers.size(); ++index) {
        const BufferLifetime& it = lifetimes.buffers[index];
        const bool ends_later = it.end == kNoIndex || it.end > unwinding.before;
        if (it.memory != memory || it.begin > unwinding.before || !ends_later) continue;
        alive.push_back(index);
        if (it.end == kNoIndex || it.end > unwinding.releases.back()) continue;
        released[it.end] = index;
        if (!device) device = it.device;
    }
    if (!device) return unwinding.before;
    std::erase_if(alive, [&](std::uint32_t index) { return lifetimes.buffers[index].device != *device; });
    const auto limits = limits_of(list, lifetimes, *device);
    const auto fits = [&] {
        if (allocated) {
            std::uint64_t bytes = 0;
            for (const std::uint32_t index : alive) {
                const std::uint64_t size = lifetimes.buffers[index].per_bank.bytes;
                bytes += limits ? limits->rounded(size) : size;
            }
            return bytes <= *allocated;
        }
        return std::ranges::all_of(alive, [&](std::uint32_t index) {
            return lifetimes.buffers[index].address.size_bytes() >= message.clash->tensor_address;
        });
    };
    std::uint32_t moment = unwinding.before;
    for (const std::uint32_t node : unwinding.releases) {
        if (fits()) return moment;
        std::erase(alive, released[node]);
        const bool has_function = node + 1 < list.size() &&
                                  list.nodes[node + 1].kind == NodeType::kFunctionEnd &&
                                  list.name(node + 1) == kDeallocate;
        moment = has_function ? node + 1 : node;
    }
    return fits() ? moment : unwinding.before;
}

std::vector<RecordedFailure> find_failures(const NodeList& list, const MemoryLifetimes& lifetimes) {
    std::vector<RecordedFailure> failures = find_failures(list, lifetimes.scopes);
    for (RecordedFailure& it : failures)
        it.node = moment_of_failure(list, lifetimes, it.scope, it.read);
    return failures;
}

MemoryType memory_of(const OutOfMemory& failure) {
    if (failure.in_l1_small) return MemoryType::kL1Small;
    return failure.in_l1 ? MemoryType::kL1 : MemoryType::kDram;
}

bool goes_on_after(const NodeList& list, const Scopes& scopes, const RecordedFailure& failure) {
    for (auto scope = failure.scope + 1; scope < scopes.scopes.size(); ++scope) {
        const std::uint32_t start = scopes.scopes[scope].start;
        if (start < failure.node || list.name(start) == kDeallocate) continue;
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
