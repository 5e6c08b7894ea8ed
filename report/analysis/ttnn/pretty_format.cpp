// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/ttnn/pretty_format.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "report/analysis/ttnn/extract.hpp"
#include "report/analysis/ttnn/internal/refusals.hpp"
#include "report/text.hpp"

namespace tilemeter::analysis {
namespace {

constexpr std::size_t kColumns = 50;

std::size_t count_code_points(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// The id of a tensor, or its place among the list's tensors where the dialect has no ids.
std::string tensor_label(const NodeList& list, std::size_t node, std::size_t ordinal) {
    const NodeList::Tensor* tensor = list.tensor(node);
    if (tensor != nullptr && tensor->tensor_id_text != TextRef::kNone)
        return std::string(list.text(tensor->tensor_id_text));
    if (tensor != nullptr && tensor->tensor_id.given()) return std::to_string(tensor->tensor_id.value_or(0));
    return std::to_string(ordinal);
}

const char* allocation_label(ProgramMemoryKind kind) {
    switch (kind) {
        case ProgramMemoryKind::kCircularBuffer:
            return "Allocate Circular Buffer";
        case ProgramMemoryKind::kDataflowBuffer:
            return "Allocate Dataflow Buffer";
        case ProgramMemoryKind::kScratchpad:
            return "Allocate Kernel Scratchpad";
        case ProgramMemoryKind::kOther:
            break;
    }
    return "Allocate Program Memory";
}

std::string label(const NodeList& list, std::size_t node, std::size_t ordinal) {
    const NodeList::ProgramEvent* event = list.program_event(node);
    switch (list.nodes[node].kind) {
        case NodeType::kCaptureStart:
            return "Capture Start";
        case NodeType::kCaptureEnd:
            return "Capture End";
        case NodeType::kBuffer:
            return "Add Device Buffer";
        case NodeType::kBufferAllocate:
            return "Allocate Device Buffer";
        case NodeType::kBufferDeallocate:
            return "Deallocate Device Buffer";
        case NodeType::kFunctionStart:
            return "Function Start: " + std::string(list.name(node));
        case NodeType::kFunctionEnd:
            return "Function End:   " + std::string(list.name(node));
        case NodeType::kTensor:
            return "Add Tensor: " + tensor_label(list, node, ordinal);
        case NodeType::kCircularBufferAllocate:
            return allocation_label(ProgramMemoryKind::kCircularBuffer);
        case NodeType::kDataflowBufferAllocate:
            return allocation_label(ProgramMemoryKind::kDataflowBuffer);
        case NodeType::kScratchpadAllocate:
            return allocation_label(ProgramMemoryKind::kScratchpad);
        case NodeType::kCircularBufferDeallocateAll:
            return "Deallocate All Program-Scope L1";
        case NodeType::kSubDeviceManager:
            return "Sub-Device Manager: " + std::to_string(event->sub_device_manager.value_or(0));
        case NodeType::kProgramExecution:
            return "Program Execution: sub-device " +
                   (event->sub_device.given() ? std::to_string(event->sub_device.value_or(0)) : "unresolved");
        case NodeType::kError:
        case NodeType::kUnknown:
        case NodeType::kCount:
            break;
    }
    return {};
}

/// In the order of their begin; of no lifetimes none.
std::vector<std::uint32_t> filled_in_programs(const MemoryLifetimes* lifetimes) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; lifetimes != nullptr && i < lifetimes->programs.size(); ++i) {
        const ProgramRecord record = lifetimes->programs[i].record;
        if (record == ProgramRecord::kFilledIn || record == ProgramRecord::kFromLibrary) found.push_back(i);
    }
    std::ranges::stable_sort(found, {}, [&](std::uint32_t i) { return lifetimes->programs[i].begin; });
    return found;
}

}  // namespace

std::string pretty_format(const NodeList& list) {
    internal::refuse_as_ttnn(list, internal::TtnnAnalysis::kPrettyFormat);
    std::string text;
    std::size_t depth = 0;
    std::size_t tensors = 0;
    for (std::size_t node = 0; node < list.size(); ++node) {
        const NodeType kind = list.nodes[node].kind;
        if (kind == NodeType::kFunctionEnd && depth > 0) --depth;
        const std::string line = label(list, node, tensors);
        if (line.empty())
            throw AnalysisError(AnalysisError::Kind::kValue,
                                "Unknown node type: " + std::string(list.kind_name(node)));
        if (depth * 4 > kColumns)
            throw AnalysisError(AnalysisError::Kind::kValue, "more than 12 functions are open");
        text.append(depth * 4, ' ');
        text += line;
        const std::size_t width = count_code_points(line);
        if (width < kColumns - depth * 4) text.append(kColumns - depth * 4 - width, ' ');
        text += '\n';
        if (kind == NodeType::kFunctionStart) ++depth;
        if (kind == NodeType::kTensor) ++tensors;
    }
    return text;
}

std::string outline(const NodeList& list, const MemoryLifetimes* lifetimes) {
    std::vector<bool> made(list.size(), false);  // buffers allocated here, tensors that a function gives
    for (std::size_t node = 0; node < list.size(); ++node) {
        const NodeType kind = list.nodes[node].kind;
        if (kind != NodeType::kBufferAllocate && kind != NodeType::kFunctionEnd) continue;
        for (const std::int64_t target : list.connections(node))
            if (list.holds(target)) made[static_cast<std::size_t>(target)] = true;
    }
    std::string text;
    std::string last;  // the line that is not written yet, and how often it came
    std::size_t times = 0;
    const auto flush = [&] {
        text += last;
        if (times > 1) text += " (x" + std::to_string(times) + ")";
        if (times > 0) text += '\n';
        times = 0;
    };
    const auto write = [&](std::string line, bool may_repeat) {
        std::replace(line.begin(), line.end(), '\n', ' ');
        if (times == 0 || line != last || !may_repeat) flush();
        last = std::move(line);
        ++times;
    };
    std::size_t depth = 0;
    std::size_t tensors = 0;
    const auto indentation = [&] { return std::string(std::min<std::size_t>(depth, 64) * 4, ' '); };
    const std::vector<std::uint32_t> filled_in = filled_in_programs(lifetimes);
    auto next_program = filled_in.begin();
    const auto write_filled_in = [&](std::size_t until) {
        for (; next_program != filled_in.end() && lifetimes->programs[*next_program].begin < until;
             ++next_program) {
            const ProgramLifetime& program = lifetimes->programs[*next_program];
            const char* const source =
                program.record == ProgramRecord::kFilledIn ? " (its recorded run)" : " (other capture)";
            for (std::uint32_t i = 0; i < program.piece_count; ++i)
                write(indentation() + allocation_label(lifetimes->pieces[program.first_piece + i].kind) +
                          source,
                      true);
        }
    };
    for (std::size_t node = 0; node < list.size(); ++node) {
        write_filled_in(node);
        const NodeType kind = list.nodes[node].kind;
        const std::size_t ordinal = tensors;
        if (kind == NodeType::kTensor) ++tensors;
        if ((kind == NodeType::kTensor || kind == NodeType::kBuffer) && !made[node]) continue;
        if (kind == NodeType::kFunctionEnd && depth > 0) --depth;
        std::string line = indentation();
        if (kind == NodeType::kFunctionStart)
            line += "Begin: " + std::string(list.name(node));
        else if (kind == NodeType::kFunctionEnd)
            line += "End: " + std::string(list.name(node)) + (list.end(node)->aborted ? " (aborted)" : "");
        else if (kind == NodeType::kError)
            line += "Error: " + std::string(list.text(list.failures[list.nodes[node].detail].message));
        else if (kind == NodeType::kUnknown)
            line += "Unknown: " + std::string(list.kind_name(node));
        else
            line += label(list, node, ordinal);
        write(std::move(line), kind != NodeType::kFunctionStart);
        if (kind == NodeType::kFunctionStart) ++depth;
    }
    write_filled_in(list.size());
    flush();
    return text;
}

}  // namespace tilemeter::analysis
