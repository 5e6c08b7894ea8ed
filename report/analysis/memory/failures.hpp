// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The failed operations of a list, and their causes: from error nodes, from ends marked as aborted, and from the
// exceptions in the report's sidecar.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/memory/failure.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/nodes/node_list.hpp"
#include "report/analysis/nodes/scopes.hpp"

namespace tilemeter::analysis {

struct RecordedFailure {
    /// The moment: the last node before what unwinding releases; without releases the end of the function that
    /// failed, or the last node in it.
    std::uint32_t node = 0;
    std::uint32_t scope = 0;  ///< the innermost function that was left
    std::string operation;    ///< its path
    std::string message;      ///< of the exception; empty: not recorded
    FailureMessage read;      ///< the message's facts about memory
    FailureCause cause() const { return read.cause; }
};

/// By scope: functions whose end says nothing, as something was printed in them. TT-NN never tells of the end of
/// ttnn::to_string. The next end, of the function around it, is taken for that of the print. One function stays open
/// until the next operation sweeps it away as aborted, or to the end. What failed in them has its own mark.
std::vector<bool> find_left_by_printing(const NodeList& list, const Scopes& scopes);

/// In list order, of nested functions left by one exception the innermost. Exceptions of operations that the
/// list does not have stand in ListSource::unlisted_errors. Releases at the end of what failed are all taken for
/// unwinding.
std::vector<RecordedFailure> find_failures(const NodeList& list, const Scopes& scopes);
/// The same, and releases that the operation made before it failed are known: by what its message says was allocated.
std::vector<RecordedFailure> find_failures(const NodeList& list, const MemoryLifetimes& lifetimes);

/// The moment at which the function of `scope` failed with a message that says this: see RecordedFailure::node.
std::uint32_t moment_of_failure(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t scope,
                                const FailureMessage& message);

/// The memory that the request was for.
MemoryType memory_of(const OutOfMemory& failure);

/// True if operations follow the failure: then the program caught it and went on. What memory is freed afterwards
/// (Tensor::deallocate) is no operation.
bool goes_on_after(const NodeList& list, const Scopes& scopes, const RecordedFailure& failure);

/// The message without the file and line of the check that failed, in one line.
std::string short_message(std::string_view message);

}  // namespace tilemeter::analysis
