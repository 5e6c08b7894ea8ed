// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/xla/assignment.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "capture/record/stack.hpp"
#include "capture/record/text.hpp"
#include "report/foreign/base/bytes.hpp"
#include "report/foreign/xla/wire.hpp"
#include "report/python_io.hpp"

namespace tilemeter::foreign::xla {

namespace {

// Numbers of fields, by message of hlo.proto.
namespace hlo {
constexpr std::uint32_t kModule = 1, kBufferAssignment = 3;
}
namespace module {
constexpr std::uint32_t kName = 1, kComputations = 3, kStackFrames = 17;
}
namespace computation {
constexpr std::uint32_t kInstructions = 2;
}
namespace instruction {
constexpr std::uint32_t kName = 1, kOpcode = 2, kMetadata = 7, kId = 35;
}
namespace metadata {
constexpr std::uint32_t kSourceFile = 3, kSourceLine = 4, kStackFrame = 15;
}
namespace frames {
constexpr std::uint32_t kFileNames = 1, kFunctionNames = 2, kLocations = 3, kFrames = 4;
}
namespace assignment {
constexpr std::uint32_t kBuffers = 1, kAllocations = 3, kHeaps = 4;
}
namespace buffer {
constexpr std::uint32_t kId = 1, kSize = 2, kDefinedAt = 3;
}
namespace location {
constexpr std::uint32_t kInstructionName = 2, kInstructionId = 4;
}
namespace allocation {
constexpr std::uint32_t kIndex = 1, kSize = 2, kThreadLocal = 3, kParameter = 5, kLiveOut = 7, kAssigned = 9,
                        kConstant = 12;
}
namespace assigned {
constexpr std::uint32_t kBuffer = 1, kOffset = 2, kSize = 3;
}
namespace heap {
constexpr std::uint32_t kEvents = 1, kAllocation = 3;
constexpr std::uint32_t kKind = 1, kBuffer = 2, kInstructionName = 4, kShares = 5;  // of an event
}  // namespace heap

/// Sizes of more than that are damaged: their sums would overflow.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;
constexpr std::uint64_t kMostFile = std::uint64_t{1} << 31, kPiece = std::uint64_t{1} << 18;

class AssignmentReader {
public:
    explicit AssignmentReader(std::string_view file) : file_(file) {
        read_.instructions.emplace_back();
        read_.names.emplace_back();
    }

    std::optional<Assignment> read() {
        std::optional<std::string_view> module, assigned;
        each(file_, [&](const Field& field) {
            if (field.number == hlo::kModule) module = bytes(field);
            if (field.number == hlo::kBufferAssignment) assigned = bytes(field);
        });
        if (!module) throw FormatError{byte_position(0), "an XLA module (HloProto)", "no module"};
        if (!assigned) return std::nullopt;
        read_module(*module);
        read_assignment(*assigned);
        check();
        return std::move(read_);
    }

private:
    struct Place {
        std::uint64_t file = 0, function = 0, line = 0;
    };
    struct Frame {
        std::uint64_t location = 0, parent = 0;
    };

    template <typename Use>
    void each(std::string_view message, Use use) const {
        Fields fields(file_, message);
        while (const auto field = fields.next())
            use(*field);
    }

    [[nodiscard]] std::uint64_t byte_of(std::string_view within) const {
        return static_cast<std::uint64_t>(within.data() - file_.data());
    }

    [[nodiscard]] std::string_view bytes(const Field& field) const {
        if (!field.has_bytes)
            throw FormatError{byte_position(0), "a message or text in field " + std::to_string(field.number),
                              "a number"};
        return field.bytes;
    }

    static std::uint64_t size_of(std::uint64_t value, std::string_view what) {
        if (value > kMostBytes)
            throw FormatError{std::string(what), "a size below 2^50 bytes", std::to_string(value)};
        return value;
    }

    void read_module(std::string_view module) {
        std::vector<std::string_view> computations;
        each(module, [&](const Field& field) {
            if (field.number == module::kName) read_.module = bytes(field);
            if (field.number == module::kComputations) computations.push_back(bytes(field));
            if (field.number == module::kStackFrames) read_frames(bytes(field));
        });
        for (const std::string_view computation : computations)
            each(computation, [&](const Field& field) {
                if (field.number == computation::kInstructions) read_instruction(bytes(field));
            });
    }

    void read_frames(std::string_view index) {
        each(index, [&](const Field& field) {
            if (field.number == frames::kFileNames) files_.emplace_back(bytes(field));
            if (field.number == frames::kFunctionNames) functions_.emplace_back(bytes(field));
            if (field.number == frames::kLocations) {
                Place& made = places_.emplace_back();
                each(bytes(field), [&made](const Field& of) {
                    if (of.number == 1) made.file = of.value;
                    if (of.number == 2) made.function = of.value;
                    if (of.number == 3) made.line = of.value;
                });
            }
            if (field.number == frames::kFrames) {
                Frame& made = frames_.emplace_back();
                each(bytes(field), [&made](const Field& of) {
                    if (of.number == 1) made.location = of.value;
                    if (of.number == 2) made.parent = of.value;
                });
            }
        });
    }

    static std::uint64_t frame_of(std::string_view file, std::uint64_t line, std::string_view function) {
        return record::text_frame(
            record::intern(report::python_frame(file, static_cast<std::int64_t>(line), function)));
    }

    /// The frames from the innermost on. Numbers are one above the place in their list; 0 is none.
    record::StackId stack_of(std::uint64_t frame) {
        const auto known = stacks_.find(frame);
        if (known != stacks_.end()) return known->second;
        std::vector<std::uint64_t> made;
        for (std::uint64_t at = frame; at != 0 && at <= frames_.size() && made.size() < record::kMostFrames;
             at = frames_[at - 1].parent) {
            const std::uint64_t location = frames_[at - 1].location;
            if (location == 0 || location > places_.size()) continue;
            const Place& place = places_[location - 1];
            const auto name = [](const std::vector<std::string_view>& names, std::uint64_t number) {
                return number == 0 || number > names.size() ? std::string_view() : names[number - 1];
            };
            made.push_back(frame_of(name(files_, place.file), place.line, name(functions_, place.function)));
        }
        const record::StackId stack = made.empty() ? record::StackId::kNone : record::intern_stack(made);
        stacks_.emplace(frame, stack);
        return stack;
    }

    void read_instruction(std::string_view message) {
        Instruction made;
        std::uint64_t id = 0, frame = 0, line = 0;
        std::string_view file;
        each(message, [&](const Field& field) {
            if (field.number == instruction::kName) made.name = bytes(field);
            if (field.number == instruction::kOpcode) made.opcode = bytes(field);
            if (field.number == instruction::kId) id = field.value;
            if (field.number == instruction::kMetadata)
                each(bytes(field), [&](const Field& of) {
                    if (of.number == metadata::kSourceFile) file = bytes(of);
                    if (of.number == metadata::kSourceLine) line = of.value;
                    if (of.number == metadata::kStackFrame) frame = of.value;
                });
        });
        if (frame != 0) made.frames = stack_of(frame);
        if (made.frames == record::StackId::kNone && !file.empty()) {
            const std::uint64_t only = frame_of(file, line, {});
            made.frames = record::intern_stack({&only, 1});
        }
        by_id_.emplace(id, read_.instructions.size());
        by_name_.emplace(made.name, read_.instructions.size());
        read_.instructions.push_back(std::move(made));
    }

    void read_assignment(std::string_view message) {
        each(message, [&](const Field& field) {
            if (field.number == assignment::kBuffers) read_buffer(bytes(field));
            if (field.number == assignment::kAllocations) read_allocation(bytes(field));
            if (field.number == assignment::kHeaps) read_heap(bytes(field));
        });
    }

    void read_buffer(std::string_view message) {
        std::uint64_t id = 0, defined_by = 0;
        LogicalBuffer made;
        std::string name;
        each(message, [&](const Field& field) {
            if (field.number == buffer::kId) id = field.value;
            if (field.number == buffer::kSize)
                made.size = size_of(field.value, "logical buffer " + std::to_string(id));
            if (field.number == buffer::kDefinedAt)
                each(bytes(field), [&](const Field& of) {
                    if (of.number == location::kInstructionName) name = bytes(of);
                    if (of.number == location::kInstructionId) defined_by = of.value;
                });
        });
        if (const auto found = by_id_.find(defined_by); defined_by != 0 && found != by_id_.end())
            made.instruction = found->second;
        else if (const auto named = by_name_.find(name); named != by_name_.end())
            made.instruction = named->second;
        read_.buffers.insert_or_assign(id, made);
    }

    void read_allocation(std::string_view message) {
        Allocation made;
        bool is_parameter = false, is_constant = false, is_thread_local = false, is_live_out = false;
        each(message, [&](const Field& field) {
            switch (field.number) {
                case allocation::kIndex:
                    made.index = field.value;
                    break;
                case allocation::kSize:
                    made.size = size_of(field.value, "allocation " + std::to_string(made.index));
                    break;
                case allocation::kThreadLocal:
                    is_thread_local = field.value != 0;
                    break;
                case allocation::kParameter:
                    is_parameter = field.value != 0;
                    break;
                case allocation::kLiveOut:
                    is_live_out = field.value != 0;
                    break;
                case allocation::kConstant:
                    is_constant = field.value != 0;
                    break;
                case allocation::kAssigned: {
                    Assigned& part = made.assigned.emplace_back();
                    each(bytes(field), [&part](const Field& of) {
                        if (of.number == assigned::kBuffer) part.buffer = of.value;
                        if (of.number == assigned::kOffset) part.offset = of.value;
                        if (of.number == assigned::kSize) part.size = of.value;
                    });
                    break;
                }
                default:
                    break;
            }
        });
        made.kind = is_parameter      ? AllocationKind::kArgument
                    : is_constant     ? AllocationKind::kConstant
                    : is_thread_local ? AllocationKind::kThreadLocal
                    : is_live_out     ? AllocationKind::kOutput
                                      : AllocationKind::kTemporary;
        read_.allocations.push_back(std::move(made));
    }

    void read_heap(std::string_view message) {
        HeapTrace made;
        each(message, [&](const Field& field) {
            if (field.number == heap::kAllocation) made.allocation = field.value;
            if (field.number != heap::kEvents) return;
            HeapEvent& event = made.events.emplace_back();
            const std::uint64_t at = byte_of(bytes(field));
            each(bytes(field), [&](const Field& of) {
                if (of.number == heap::kKind) {
                    if (of.value > 2)
                        throw FormatError{byte_position(at), "an event of a heap: 0, 1 or 2",
                                          std::to_string(of.value)};
                    event.action = of.value == 0   ? HeapAction::kAllocate
                                   : of.value == 1 ? HeapAction::kFree
                                                   : HeapAction::kShare;
                }
                if (of.number == heap::kBuffer) event.buffer = of.value;
                if (of.number == heap::kShares) event.shares = of.value;
                if (of.number == heap::kInstructionName) {
                    const auto [entry, is_new] =
                        names_.try_emplace(std::string(bytes(of)), read_.names.size());
                    if (is_new) read_.names.emplace_back(bytes(of));
                    event.instruction = entry->second;
                }
            });
        });
        read_.heaps.push_back(std::move(made));
    }

    void check() const {
        std::unordered_set<std::uint64_t> indices;
        std::uint64_t total = 0;
        for (const Allocation& allocation : read_.allocations) {
            if (!indices.insert(allocation.index).second)
                throw FormatError{"allocation " + std::to_string(allocation.index), "one of this number",
                                  "two"};
            total = size_of(total + allocation.size, "all allocations");
        }
        for (const HeapTrace& heap : read_.heaps)
            for (const HeapEvent& event : heap.events)
                if (event.action == HeapAction::kAllocate && !read_.buffers.contains(event.buffer))
                    throw FormatError{"heap of allocation " + std::to_string(heap.allocation),
                                      "a logical buffer", "none of number " + std::to_string(event.buffer)};
    }

    std::string_view file_;
    Assignment read_;
    std::vector<std::string_view> files_, functions_;
    std::vector<Place> places_;
    std::vector<Frame> frames_;
    std::unordered_map<std::uint64_t, record::StackId> stacks_;
    std::unordered_map<std::uint64_t, std::size_t> by_id_;
    std::unordered_map<std::string, std::size_t> by_name_, names_;
};

HeapFigures figures_of(const Assignment& assignment, const HeapTrace& heap) {
    HeapFigures made;
    made.allocation = heap.allocation;
    std::unordered_map<std::uint64_t, std::uint64_t> canonical, members, held;
    std::uint64_t now = 0;
    const auto owner = [&canonical](std::uint64_t of) {
        const auto found = canonical.find(of);
        return found == canonical.end() ? of : found->second;
    };
    // Twice: to find the peak, and to stop there.
    for (const bool again : {false, true}) {
        canonical.clear();
        members.clear();
        held.clear();
        now = 0;
        for (std::size_t i = 0; i < heap.events.size(); ++i) {
            const HeapEvent& event = heap.events[i];
            if (event.action == HeapAction::kAllocate) {
                canonical[event.buffer] = event.buffer;
                members[event.buffer] = 1;
                held[event.buffer] = assignment.buffers.at(event.buffer).size;
                now += held[event.buffer];
            } else if (event.action == HeapAction::kShare) {
                const std::uint64_t with = owner(event.shares);
                canonical[event.buffer] = with;
                ++members[with];
            } else {
                const std::uint64_t with = owner(event.buffer);
                const auto count = members.find(with);
                if (count != members.end() && --count->second == 0) {
                    now -= held[with];
                    held.erase(with);
                }
            }
            if (!again && now > made.live_peak_bytes) {
                made.live_peak_bytes = now;
                made.live_peak_at = assignment.names[event.instruction];
                made.peak_event = i;
            }
            if (again && i == made.peak_event) break;
        }
    }
    if (made.live_peak_bytes == 0) return made;
    for (const auto& [buffer, size] : held) {
        made.at_peak.push_back(size);
        made.live_then.push_back(buffer);
    }
    std::sort(made.at_peak.begin(), made.at_peak.end(), std::greater<>());
    std::sort(made.live_then.begin(), made.live_then.end());
    return made;
}

}  // namespace

const char* name_of(AllocationKind kind) {
    switch (kind) {
        case AllocationKind::kArgument:
            return "argument";
        case AllocationKind::kConstant:
            return "constant";
        case AllocationKind::kThreadLocal:
            return "thread_local";
        case AllocationKind::kOutput:
            return "output";
        case AllocationKind::kTemporary:
            return "temporary";
    }
    return "";
}

report::Result<std::optional<Assignment>> load_assignment(report::Input& input) {
    std::string file;
    try {
        Bytes bytes(input);
        while (!bytes.at_end()) {
            const std::uint64_t at = bytes.position();
            file += bytes.take(input.size_up_to(at + kPiece) - at);
            // What is no message from its first byte on, as a device without an end, is not read whole.
            if (at == 0) Fields(file, file).check_tag();
            if (file.size() > kMostFile)
                throw FormatError{byte_position(kMostFile),
                                  "a module of at most 2 GiB, as protocol buffers are", "more"};
        }
        if (file.empty())
            return report::Error{input.name(), byte_position(0), "an XLA module (HloProto)", "an empty file"};
        return AssignmentReader(file).read();
    } catch (const FormatError& error) {
        return error.in(input.name());
    }
}

Figures figures_of(const Assignment& assignment) {
    Figures made;
    for (const Allocation& allocation : assignment.allocations) {
        made.total_bytes += allocation.size;
        made.bytes[allocation.kind] += allocation.size;
    }
    for (const HeapTrace& heap : assignment.heaps)
        made.heaps.push_back(figures_of(assignment, heap));
    return made;
}

}  // namespace tilemeter::foreign::xla
