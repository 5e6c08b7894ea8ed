// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reasons in words.

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/memory/failure.hpp"
#include "report/analysis/nodes/units.hpp"

namespace tilemeter::analysis {
namespace {

using Kind = Reason::Kind;

std::string place(const Reason& it) {
    std::string text;
    if (!it.operation.empty()) text += " in " + it.operation;
    if (it.node != kNoIndex) text += " (node " + std::to_string(it.node) + ")";
    return text;
}

std::string bytes(std::optional<std::uint64_t> number) {
    return number ? bytes_text(*number) : "an unknown number of bytes";
}

std::string memory_text(const Reason& it) {
    return it.memory ? name_of(*it.memory) : "memory";
}

/// "1 buffer", "3 buffers"
std::string count_text(std::uint64_t count, const std::string& what) {
    return grouped(count) + " " + what + (count == 1 ? "" : "s");
}

std::string refusal_text(const Reason& it) {
    if (it.detail == name_of(FailureCause::kClash))
        return "the device refused a program" + place(it) + ": its memory ends at address " +
               grouped(it.bytes.value_or(0)) + ", the lowest tensor begins at " +
               grouped(it.limit_bytes.value_or(0));
    std::string text = "the device refused " + bytes(it.bytes) + " of " + memory_text(it) +
                       (it.memory == MemoryType::kDram ? " per bank" : " per core") + place(it);
    if (it.limit_bytes)
        text += ", where " + bytes(it.limit_bytes) +
                (it.limit_bytes < it.bytes ? " were free in one piece"
                                           : " were free, no piece of it large enough");
    return text;
}

}  // namespace

const char* name_of(Reason::Kind kind) {
    switch (kind) {
        case Kind::kRanToItsEnd:
            return "ran_to_its_end";
        case Kind::kMemoryRefused:
            return "memory_refused";
        case Kind::kOperationFailed:
            return "operation_failed";
        case Kind::kExceedsLimit:
            return "exceeds_limit";
        case Kind::kFindsNoPlace:
            return "finds_no_place";
        case Kind::kCutShort:
            return "cut_short";
        case Kind::kMessageNotRecorded:
            return "failure_message_not_recorded";
        case Kind::kFailureNotInList:
            return "failure_not_in_list";
        case Kind::kMayHaveFailed:
            return "may_have_failed";
        case Kind::kNumbersDamaged:
            return "numbers_damaged";
        case Kind::kUnknownVersion:
            return "unknown_version";
        case Kind::kContradiction:
            return "contradiction";
        case Kind::kNodesMissing:
            return "nodes_missing";
        case Kind::kEventsDropped:
            return "events_dropped";
        case Kind::kProcessDied:
            return "process_died";
        case Kind::kProgramFailed:
            return "program_failed";
        case Kind::kMemoryNotSeen:
            return "memory_not_seen";
        case Kind::kProgramsNotRecorded:
            return "programs_not_recorded";
        case Kind::kSizesWithoutAddresses:
            return "sizes_without_addresses";
        case Kind::kSizesNotRecorded:
            return "sizes_not_recorded";
        case Kind::kOlderBuffersUnknown:
            return "older_buffers_unknown";
        case Kind::kNothingCaptured:
            return "nothing_captured";
        case Kind::kNoGraph:
            return "no_graph";
        case Kind::kNoDeviceRecord:
            return "no_device_record";
        case Kind::kOtherDevice:
            return "other_device";
        case Kind::kUnknownSections:
            return "unknown_sections";
        case Kind::kGrew:
            return "grew";
        case Kind::kNoBaseline:
            return "no_baseline";
        case Kind::kNotComparable:
            return "not_comparable";
        case Kind::kOperationNotFound:
            return "operation_not_found";
        case Kind::kReportMissing:
            return "report_missing";
        case Kind::kBadInput:
            return "bad_input";
    }
    return "";
}

bool is_gap(Reason::Kind kind) {
    switch (kind) {
        case Kind::kRanToItsEnd:
        case Kind::kMemoryRefused:
        case Kind::kOperationFailed:
        case Kind::kExceedsLimit:
        case Kind::kFindsNoPlace:
        case Kind::kGrew:
        case Kind::kBadInput:
            return false;
        default:
            return true;
    }
}

std::string text_of(const Reason& it) {
    switch (it.kind) {
        case Kind::kRanToItsEnd:
            return it.detail == "planned"
                       ? "it was planned to its end for this device, and each request found its place (nothing ran)"
                       : "it went to its end on this device, and nothing was refused";
        case Kind::kMemoryRefused:
            return refusal_text(it);
        case Kind::kOperationFailed:
            return "an operation failed" + place(it) +
                   (it.detail.empty() ? ", why is not recorded" : ": " + it.detail);
        case Kind::kExceedsLimit:
            return memory_text(it) + " " + it.detail + ": " + bytes(it.bytes) + ", the limit is " +
                   bytes(it.limit_bytes) + "; first beyond it" +
                   (it.operation.empty() ? " is what is older than the capture" : place(it));
        case Kind::kFindsNoPlace:
            return it.detail + " of " + bytes(it.bytes) +
                   (it.memory == MemoryType::kDram ? " per bank" : " per core") + place(it) +
                   " finds no place in " + memory_text(it) + ": " + bytes(it.limit_bytes) +
                   " are free in one piece (by sizes, placed as the device's allocator would)";
        case Kind::kCutShort:
            return "the failure" + place(it) +
                   " ended the program: what would have come after it is not in the report";
        case Kind::kMessageNotRecorded:
            return "why it failed" + place(it) + " is not recorded" +
                   (it.file.empty() ? ""
                                    : ": the message is in the sidecar " + it.file + ", which is missing");
        case Kind::kFailureNotInList:
            return "the sidecar " + it.file + " has a failure of " + it.operation +
                   " that the list does not have: " + it.detail;
        case Kind::kMayHaveFailed:
            return "the operation" + place(it) +
                   " freed all that it had made and left no result: it may have failed" +
                   (it.file.empty() ? "" : ", the sidecar " + it.file + " would say");
        case Kind::kNumbersDamaged:
            return (it.count == 1 ? std::string("a number") : grouped(it.count) + " numbers") +
                   " of the report cannot be used: " + it.detail;
        case Kind::kUnknownVersion:
            return "the report is of format version " + it.detail + ", and this program knows version 1";
        case Kind::kContradiction:
            return "the figures contradict each other: it went to its end, and " + memory_text(it) + " " +
                   it.detail + " held " + bytes(it.bytes) + place(it) + ", of which there are " +
                   bytes(it.limit_bytes);
        case Kind::kNodesMissing:
            return "the list is damaged: " + it.detail;
        case Kind::kEventsDropped:
            return "the recorder had no room for " + count_text(it.count, "event");
        case Kind::kProcessDied:
            return "the process died while it was recorded: what came later is not there";
        case Kind::kProgramFailed:
            return "the program " + it.detail + ": whether it came to its end is not known";
        case Kind::kMemoryNotSeen:
            return "the capture did not see all memory: " + it.detail;
        case Kind::kProgramsNotRecorded:
            return "what " + grouped(it.count) + " of " + count_text(it.total, "program") +
                   " took in L1 is not recorded" + (it.detail.empty() ? "" : " (" + it.detail + ")") +
                   "; a NO_DISPATCH capture of the workload has it "
                   "(--programs-from)";
        case Kind::kSizesWithoutAddresses:
            return "the addresses of " + grouped(it.count) + " of " + count_text(it.total, "buffer") +
                   " are not recorded (NO_DISPATCH): judged by sizes, placed as the device's allocator would";
        case Kind::kSizesNotRecorded:
            return "the size per bank of " + grouped(it.count) + " of " + count_text(it.total, "buffer") +
                   " is neither recorded nor computable";
        case Kind::kOlderBuffersUnknown:
            return "at least " + bytes(it.bytes) + " of " + memory_text(it) +
                   (it.memory == MemoryType::kDram ? " per bank" : " per core") +
                   " were taken before the capture by what it does not mention";
        case Kind::kNothingCaptured:
            return "no operation was captured";
        case Kind::kNoGraph:
            return it.detail.empty() ? "the report has no section 'graph'" : it.detail;
        case Kind::kNoDeviceRecord:
            return "the report does not describe its device: what it has is not known (fit --device NAME)";
        case Kind::kOtherDevice:
            return "captured on " + (it.detail.empty() ? "a device that is not described" : it.detail) +
                   ", asked for " + it.operation + ": " + count_text(it.count, "program") +
                   (it.total == 0 ? "" : " and " + count_text(it.total, "sharded buffer")) +
                   " may be planned otherwise on another grid";
        case Kind::kUnknownSections:
            return count_text(it.count, "section") +
                   " of the report that this version does not know: " + it.detail;
        case Kind::kGrew:
            return memory_text(it) + " " + it.detail + " grew by " + bytes_text(it.count) + " (" +
                   (it.total == 0 ? "from nothing" : "+" + percent_text(it.count, it.total)) + ") to " +
                   bytes(it.bytes) + place(it) + "; at most " + bytes(it.limit_bytes) +
                   " are allowed, by the " + bytes_text(it.total) + " of the baseline " + it.file +
                   " and the growth that is";
        case Kind::kNoBaseline:
            return "there is no baseline of this report";
        case Kind::kNotComparable:
            return "not comparable with the baseline " + it.file + ": " + it.detail;
        case Kind::kOperationNotFound:
            return "the budget names " + it.operation + ", which is no outermost operation of any report";
        case Kind::kReportMissing:
            return "the baseline has " + it.file +
                   ", which is not among the reports (--allow-missing accepts that)";
        case Kind::kBadInput:
            return it.detail;
    }
    return "";
}

}  // namespace tilemeter::analysis
