// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/compare.hpp"

#include <algorithm>
#include <regex>
#include <string_view>

namespace tilemeter::oracle {

namespace {

std::string difference(const std::string& what, const std::string& recorded, const std::string& ours) {
    return what + ": recorded " + recorded + ", ours " + ours;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : " > ") + name;
    return text;
}

std::string text_of(const std::vector<MemoryPiece>& pieces) {
    std::string text = "[";
    for (const MemoryPiece& piece : pieces) {
        if (text.size() > 1) text += ", ";
        text += std::to_string(piece.size_bytes) + " on " + piece.cores + (piece.shared ? " shared" : "");
        if (piece.address) text += " at " + std::to_string(*piece.address);
    }
    return text + "]";
}

bool same(const MemoryPiece& recorded, const MemoryPiece& ours) {
    return recorded.size_bytes == ours.size_bytes && recorded.cores == ours.cores &&
           recorded.shared == ours.shared && (!recorded.address || recorded.address == ours.address);
}

bool same(const std::vector<MemoryPiece>& recorded, const std::vector<MemoryPiece>& ours) {
    return std::equal(recorded.begin(), recorded.end(), ours.begin(), ours.end(),
                      [](const MemoryPiece& a, const MemoryPiece& b) { return same(a, b); });
}

// The tables give factory names without their leading namespaces.
bool same_factory(const std::string& recorded, const std::string& ours) {
    if (recorded == ours) return true;
    return ours.size() > recorded.size() + 2 && ours.ends_with(recorded) &&
           ours.compare(ours.size() - recorded.size() - 2, 2, "::") == 0;
}

std::string program_difference(std::size_t number, const RecordedProgram& recorded,
                               const RecordedProgram& ours) {
    const std::string which = "program " + std::to_string(number) + " (" + recorded.device_operation + ") ";
    if (recorded.device_operation != ours.device_operation) {
        return difference(which + "operation", recorded.device_operation, ours.device_operation);
    }
    if (!same_factory(recorded.factory, ours.factory)) {
        return difference(which + "factory", recorded.factory, ours.factory);
    }
    // A move lists its buffers nowhere.
    if (recorded.device_operation == "MoveDeviceOperation" && !recorded.all_pieces) return "";
    // Nor does, in NORMAL, a program that was in the cache.
    if (!recorded.all_pieces && recorded.circular_buffers.empty()) return "";
    if (!same(recorded.circular_buffers, ours.circular_buffers)) {
        return difference(which + "circular buffers", text_of(recorded.circular_buffers),
                          text_of(ours.circular_buffers));
    }
    if (!recorded.all_pieces) return "";
    if (!same(recorded.dataflow_buffers, ours.dataflow_buffers)) {
        return difference(which + "dataflow buffers", text_of(recorded.dataflow_buffers),
                          text_of(ours.dataflow_buffers));
    }
    if (!same(recorded.scratchpads, ours.scratchpads)) {
        return difference(which + "scratchpads", text_of(recorded.scratchpads), text_of(ours.scratchpads));
    }
    return "";
}

std::string shape_text(const std::vector<std::uint32_t>& shape) {
    return Shape(shape).to_string();
}

// The reference counts the programs of all rows before.
std::string without_program_number(const std::string& text) {
    static const std::regex kProgram("in program \\d+ ");
    return std::regex_replace(text, kProgram, "in program ");
}

// True for the error of a reference that reads a missing shard spec: it states nothing about the call, and any refusal
// is equal to it.
bool is_accident(const std::string& error) {
    return error == "std::bad_alloc" || error == "bad optional access";
}

// True if our text holds the reference's statement, which follows the line "info:", whole.
bool is_said_by(const std::string& ours, const std::string& recorded) {
    constexpr std::string_view kBefore = "info:\n";
    const std::size_t at = recorded.find(kBefore);
    if (at == std::string::npos) return false;
    std::string statement = recorded.substr(at + kBefore.size());
    while (!statement.empty() && (statement.back() == '\n' || statement.back() == ' '))
        statement.pop_back();
    return !statement.empty() && ours.find(statement) != std::string::npos;
}

// The reference's text has more around it (source line, backtrace); the statement itself must be there.
std::string error_difference(const Outcome& recorded, const Outcome& ours) {
    // An operation that launches nothing makes the reference's own analysis throw; there is nothing to
    // compare.
    if (recorded.error.find("json.exception") != std::string::npos) return ours.error;
    if (ours.error.empty()) return difference("error", recorded.error, "none");
    if (is_accident(recorded.error) || is_said_by(ours.error, recorded.error)) return "";
    return without_program_number(recorded.error).find(without_program_number(ours.error)) ==
                   std::string::npos
               ? difference("error", recorded.error, ours.error)
               : "";
}

// `compare(number, recorded, ours)` of each pair.
template <typename Compare>
std::string first_of_programs(const std::vector<RecordedProgram>& recorded,
                              const std::vector<RecordedProgram>& ours, Compare compare) {
    const std::vector<RecordedProgram> programs = without_unseen_moves(ours, recorded);
    if (recorded.size() != programs.size())
        return difference("programs", std::to_string(recorded.size()), std::to_string(programs.size()));
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const std::string found = compare(i, recorded[i], programs[i]);
        if (!found.empty()) return found;
    }
    return "";
}

// Without circular buffers in tensors, which NORMAL does not list; of a cached program it lists none.
RecordedProgram as_executed(const RecordedProgram& program, bool lists_buffers) {
    RecordedProgram executed = program;
    executed.all_pieces = false;
    if (!lists_buffers) executed.circular_buffers.clear();
    std::erase_if(executed.circular_buffers, [](const MemoryPiece& piece) { return piece.shared; });
    return executed;
}

}  // namespace

std::string first_difference(const std::vector<RecordedProgram>& recorded,
                             const std::vector<RecordedProgram>& ours) {
    return first_of_programs(recorded, ours, program_difference);
}

std::string first_difference_executed(const std::vector<RecordedProgram>& recorded,
                                      const std::vector<RecordedProgram>& ours) {
    const auto compare = [](std::size_t number, const RecordedProgram& theirs, const RecordedProgram& own) {
        const bool lists_buffers = !theirs.circular_buffers.empty();
        return program_difference(number, as_executed(theirs, lists_buffers),
                                  as_executed(own, lists_buffers));
    };
    return first_of_programs(recorded, ours, compare);
}

std::string first_difference(const Outcome& recorded, const Outcome& ours) {
    if (!recorded.error.empty()) return error_difference(recorded, ours);
    if (!ours.error.empty()) return difference("error", "none", ours.error);
    if (recorded.call_trace != ours.call_trace) {
        return difference("call trace", joined(recorded.call_trace), joined(ours.call_trace));
    }
    if (const std::string found = first_difference(recorded.programs, ours.programs); !found.empty())
        return found;
    for (std::size_t i = 0; i < std::min(recorded.buffers.size(), ours.buffers.size()); ++i) {
        if (recorded.buffers[i] != ours.buffers[i]) {
            return difference("buffer event " + std::to_string(i), recorded.buffers[i].to_string(),
                              ours.buffers[i].to_string());
        }
    }
    if (recorded.buffers.size() != ours.buffers.size()) {
        return difference("buffer events", std::to_string(recorded.buffers.size()),
                          std::to_string(ours.buffers.size()));
    }
    if (recorded.output_shape != ours.output_shape) {
        return difference("output", shape_text(recorded.output_shape), shape_text(ours.output_shape));
    }
    // A shape without dimensions TT-NN pads to one.
    if (!recorded.output_padded.empty() && !recorded.output_shape.empty() &&
        recorded.output_padded != ours.output_padded) {
        return difference("output padded", shape_text(recorded.output_padded),
                          shape_text(ours.output_padded));
    }
    if (!recorded.output_memory_layout.empty() &&
        recorded.output_memory_layout != ours.output_memory_layout) {
        return difference("output memory layout", recorded.output_memory_layout, ours.output_memory_layout);
    }
    if (recorded.output_dtype != ours.output_dtype) {
        return difference("output dtype", recorded.output_dtype, ours.output_dtype);
    }
    if (recorded.output_layout != ours.output_layout) {
        return difference("output layout", recorded.output_layout, ours.output_layout);
    }
    if (recorded.output_address != ours.output_address) {
        return difference("output address", std::to_string(recorded.output_address),
                          std::to_string(ours.output_address));
    }
    return "";
}

}  // namespace tilemeter::oracle
