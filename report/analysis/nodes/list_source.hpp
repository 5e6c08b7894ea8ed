// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Facts about a list's source, and Python's view of its operations: what a verdict may lean on (verdict.hpp). A bare
// node list says nothing; then the members keep their defaults.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/analysis/nodes/number.hpp"

namespace tilemeter::analysis {

/// A call from Python to an outermost operation, from the report's sidecar X.python_io.json: the n-th record
/// of a name belongs to the n-th operation of that name.
struct PythonCall {
    std::uint32_t node = 0;           ///< the operation's function_start
    std::vector<std::string> frames;  ///< as Python prints them, the caller's first; empty: none recorded
    std::vector<std::int64_t> output_tensor_ids;  ///< that Python gave to what the call returned
    std::string error_type, error_message;        ///< of the exception that left the call; empty: none did
};

/// An exception in the sidecar whose operation the list does not have.
struct UnlistedError {
    std::string operation, type, message;
};

/// A number of the source that is none: negative, with a fraction, beyond 2^63 - 1, a text, or missing.
struct DamagedNumber {
    std::uint32_t node;                 ///< its place in the list; the largest number: of no node
    std::optional<std::uint64_t> byte;  ///< the offset of its node, or section, in the file
    std::string where;                  ///< "params.size", "devices[0].l1_num_banks"
    std::string expected, found;
};

struct ListSource {
    enum class Sidecar : std::uint8_t {
        kNone,        ///< the list came from memory or a pipe: there is no place where one could lie
        kMissing,     ///< nothing lies there; a capture from Python without operations has none either
        kRead,        ///< its contents stand in python_calls and unlisted_errors
        kUnreadable,  ///< sidecar_problem says why
    };

    std::string file;             ///< the path it was read from; empty: from memory
    bool is_report = false;       ///< an object with sections; false: a bare node list, or from memory
    bool has_graph = true;        ///< the report has a section `graph`
    std::string producer;         ///< "tilemeter 0.1.0"; empty: TT-NN, or not said
    std::string version;          ///< of the producer, "0.81.1"; empty: not said
    std::string run_mode;         ///< "NORMAL" or "NO_DISPATCH"; empty: not said
    Number capture_time_ns;       ///< when the report was made, since 1970 (UTC)
    Number total_duration_ns;     ///< of the capture: capture_end has the same in a whole list
    Number node_count;            ///< the number of nodes that the writer wrote
    Number dropped_events;        ///< that the recorder had no room for
    Number open_functions;        ///< that threads were still in when the capture ended
    bool recovered = false;       ///< made of the recording of a process that died
    std::string unseen_memory;    ///< that the observed system does not tell; empty: it tells all
    std::string unknown_version;  ///< of the report's format, as found; empty: a known one, or none is said
    std::vector<DamagedNumber> damaged_numbers;  ///< the first few
    std::uint64_t damaged_number_count = 0;      ///< all: what rests on them is not known
    std::vector<std::string> unknown_sections;   ///< keys of the report that this version does not know

    Sidecar sidecar = Sidecar::kNone;
    std::string sidecar_file;  ///< its path, or the path where it was looked for
    std::string sidecar_problem;
    std::vector<PythonCall> python_calls;  ///< by node, ascending
    std::vector<UnlistedError> unlisted_errors;

    /// True if the source is not to be relied on.
    bool is_damaged() const { return damaged_number_count != 0 || !unknown_version.empty(); }

    /// The call of the operation that starts at `node`; null where Python recorded none.
    const PythonCall* python_call(std::uint32_t node) const;
};

/// "byte 4711, node 17, params.size: expected an integer from 0 to 2^63 - 1, found -5"
std::string text_of(const DamagedNumber& number);

/// The calling line of a Python stack: "model.py:51", with its folders as recorded; empty without one.
std::string source_line(const PythonCall& call);

}  // namespace tilemeter::analysis
