// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Does it fit? One answer for all verbs and pages, never surer than what the list has.
//
//     const Judgement judgement = judge(list, lifetimes);              // on the device it was captured on
//     const Judgement judgement = judge(list, lifetimes, {.device = p150});
//     const Judgement judgement = judge(list, lifetimes, {.limits = {.l1_bytes_per_core = 1 << 20}});
//
// The evidence for and against stands in `reasons`, as data. A question says what it asks about; what the list lacks
// for that makes the verdict unknown, in the order of these rules:
//
//   1. no graph, nothing captured, numbers that are none, a version of the     unknown
//      format that is not known, or figures that contradict each other
//   2. the device refused memory                                              does not fit
//   3. it ran, or was planned with addresses, to its end                      fits
//   4. more than the limit is alive, of what is known for sure; where         does not fit
//      addresses are not recorded, or for another device: some of it
//      finds no place when it is placed by the allocator's rule
//   5. an operation failed; memory that another device refused is             failed
//      no failure of this one, but cuts the capture short: unknown
//   6. something that the question needs is not recorded                      unknown
//   7. else                                                                   fits
//
// Rules 2 and 3 are about the device of the capture or one of its kind; limits of the asker's own know
// neither. L1 is counted per core, DRAM per bank; the two never add up. Sizes in bytes.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/analysis/memory/device_limits.hpp"
#include "report/analysis/memory/failure.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

enum class Verdict : std::uint8_t {
    kFits,
    kDoesNotFit,
    kFailed,   ///< an operation failed, not (as far as is known) for lack of memory on this device
    kUnknown,  ///< the report does not have enough to say; the reasons tell what is missing
};
/// "fits", "does_not_fit", "failed", "unknown"
const char* name_of(Verdict verdict);
/// The same for people: "does not fit"
const char* words_of(Verdict verdict);

/// Something that speaks for or against the verdict, or that the report lacks; with its figures.
struct Reason {
    enum class Kind : std::uint8_t {
        // Findings.
        kRanToItsEnd,  ///< the capture is whole, and nothing was refused; `detail`: "planned" where nothing ran
        kMemoryRefused,    ///< `bytes` were refused at `node`; `limit_bytes` were free, or where it clashed
        kOperationFailed,  ///< for another reason than memory, or on another device
        kExceedsLimit,     ///< `bytes` at `node`, more than `limit_bytes`
        kFindsNoPlace,     ///< in our placement `bytes` found no hole at `node`, or met a program
        kGrew,  ///< `bytes` at most, `count` more than the `total` of the baseline `file`; `limit_bytes`
                ///< allowed
        // Missing parts.
        kCutShort,  ///< a failure ended the program at `node`: what would have followed is not there
        kMessageNotRecorded,  ///< why `operation` failed; `file`: the sidecar that has it
        kFailureNotInList,    ///< the sidecar has an exception of `operation`, which the list lacks
        kMayHaveFailed,       ///< `operation` freed all it had made and left no result; no sidecar says why
        kNumbersDamaged,      ///< `count` numbers are none; `detail`: the first, `node` where it is in one
        kUnknownVersion,      ///< the report's format is of version `detail`
        kContradiction,  ///< `bytes` at `node`, more than the `limit_bytes` there are, and nothing was refused
        kNodesMissing,   ///< `count` places where the list is damaged: cut off, or nodes taken out
        kEventsDropped,          ///< the recorder had no room for `count` events
        kProcessDied,            ///< the list is what was recovered of a process that died
        kProgramFailed,          ///< the program that was captured ended otherwise than well: `detail`
        kMemoryNotSeen,          ///< the observed system does not tell all memory; `detail`: which
        kProgramsNotRecorded,    ///< the L1 of `count` of `total` programs is not recorded
        kSizesWithoutAddresses,  ///< of `count` buffers of `total` the address is not recorded
        kSizesNotRecorded,       ///< of `count` buffers the size per bank is neither recorded nor computable
        kOlderBuffersUnknown,    ///< memory is taken by something older than the capture: `bytes` at least
        kNothingCaptured,        ///< no operation
        kNoGraph,                ///< the report has no section `graph`
        kNoDeviceRecord,         ///< the list does not describe its device: what it has is not known
        kOtherDevice,            ///< captured on another kind of device: programs may plan otherwise there
        kUnknownSections,        ///< `count` sections of the report that this version does not know
        // Gaps of the gate (gate.hpp).
        kNoBaseline,         ///< nothing to compare the report with
        kNotComparable,      ///< the baseline `file` has not the same recorded; `detail` says what
        kOperationNotFound,  ///< a budget names `operation`, which no report has
        kReportMissing,      ///< `file`, which the baseline has, is not among the reports
        kBadInput,           ///< `file` cannot be read as a report: `detail`
    };
    /// All but the kind is left to be filled in.
    static Reason of(Kind kind) {
        Reason it;
        it.kind = kind;
        return it;
    }

    Kind kind;
    std::uint64_t count = 0, total = 0;
    std::optional<std::uint64_t> bytes, limit_bytes;
    std::optional<MemoryType> memory;  ///< that it is about
    std::uint32_t node = kNoIndex;
    std::string operation;  ///< a path
    std::string file;
    std::string detail;  ///< a message, names: whatever does not fit above; may be empty
};
/// "programs_not_recorded"
const char* name_of(Reason::Kind kind);
/// One sentence without a full stop, with the cure where there is one.
std::string text_of(const Reason& reason);
/// The figures in the message of a refusal, without the place; kMemoryRefused.
Reason refusal_of(const FailureMessage& message);
/// True if the reason says that something is missing, so that figures may be lower bounds.
bool is_gap(Reason::Kind kind);

/// The trust that a figure deserves.
enum class Bound : std::uint8_t {
    kExact,
    kAtLeast,    ///< something that adds to it is not recorded
    kUncertain,  ///< nodes are missing (releases, too), or sizes: it may be more or less
};
/// "exact", "at_least", "uncertain"
const char* name_of(Bound bound);
/// The words before a figure: "", "at least ", "about ".
const char* prefix_of(Bound bound);

/// One memory against what there is of it.
struct MemoryUse {
    std::uint64_t peak_bytes = 0;
    Bound bound = Bound::kExact;
    std::optional<std::uint64_t> limit_bytes;  ///< asked for, or allocatable; nothing where not known
    std::optional<std::uint64_t> physical_bytes;
    std::uint32_t node = kNoIndex;  ///< of the peak
    std::string operation;          ///< its path
    /// The node at which the limit is exceeded first; kNoIndex: nowhere.
    std::uint32_t first_beyond_node = kNoIndex;
    std::string first_beyond_operation;

    /// The reason where the limit is exceeded; `counted` says how: "per core". REQUIRES: it is.
    Reason beyond(Reason::Kind kind, MemoryType memory, std::string counted) const;
};

struct Judgement {
    Verdict verdict = Verdict::kUnknown;
    std::vector<Reason> reasons;  ///< those that decided first
    std::string device;           ///< name of the one asked about; empty: not known
    MemoryUse l1;                 ///< per core, tensors, L1_SMALL and programs
    MemoryUse dram;               ///< per bank
    MemoryUse dram_all_banks;

    const Reason* find(Reason::Kind kind) const;
};

struct MemoryLimits {
    std::optional<std::uint64_t> l1_bytes_per_core = {};
    std::optional<std::uint64_t> dram_bytes_per_bank = {};
    std::optional<std::uint64_t> dram_bytes_all_banks = {};
    bool any() const { return l1_bytes_per_core || dram_bytes_per_bank || dram_bytes_all_banks; }
};

struct Question {
    std::optional<DeviceLimits> device = {};  ///< unset: the one of the capture
    /// The asker's own; then the question is about these only.
    MemoryLimits limits = {};
    /// The recorded figures count as complete: a lower bound within the limits fits.
    bool accept_incomplete = false;
};

Judgement judge(const NodeList& list, const MemoryLifetimes& lifetimes, const Question& question = {});

/// The gaps of the list, whatever is asked: the gaps among the reasons above.
std::vector<Reason> find_gaps(const NodeList& list, const MemoryLifetimes& lifetimes);

/// Uses of tensors are known to the end of a list that goes on to the capture's end without a failure: then what it
/// does not mention did not happen. Until where uses of tensors are known; the list's length where all are.
std::uint32_t known_until(const NodeList& list, const Scopes& scopes);

}  // namespace tilemeter::analysis
