// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/input.hpp"
#include "report/json_value.hpp"
#include "report/result.hpp"

namespace tilemeter::report {

// A frame as Python prints it, `File "m.py", line 6, in f`; without a name what stands before it.
std::string python_frame(std::string_view file, std::int64_t line, std::string_view name);

// `  File "/home/user/models/m.py", line 6, in f` -> "/home/user/models/m.py:6"; empty if it is no frame of
// Python's.
std::string source_line_of_frame(std::string_view frame);

// The line that a stack belongs to, from its frames, the innermost first: the first of no installed package, as people look for
// their own lines; where all are of packages, the innermost.
class SourceOfStack {
public:
    // True: no further frame is needed.
    bool take(std::string_view frame);
    // "m.py:6"; empty if no frame was one of Python's.
    [[nodiscard]] const std::string& line() const { return line_; }

private:
    std::string line_;
};

// The records of X.python_io.json, in call order: what Python saw of each of its operations. Only names,
// places and tensor ids are kept; a record is read again when it is asked for.
class PythonIo {
public:
    struct RecordId {
        std::size_t value;
    };

    // The array begins at file_offset (0: the file is a sidecar, else it is embedded in a report).
    static Result<PythonIo> open(const Input& input, std::uint64_t file_offset = 0);
    static Result<PythonIo> open(const std::filesystem::path& path);
    ~PythonIo();
    PythonIo(PythonIo&&) noexcept;
    PythonIo& operator=(PythonIo&&) noexcept;

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] bool has_stack_traces() const;
    // The records of that name which are not taken, oldest first.
    [[nodiscard]] std::span<const RecordId> waiting(std::string_view name) const;
    // Takes the first `count` waiting ones away.
    void take(std::string_view name, std::size_t count = 1);
    [[nodiscard]] std::span<const std::int64_t> input_tensor_ids(RecordId id) const;
    // An object; lives until the next call.
    Result<JsonValue> record(RecordId id);

private:
    PythonIo();
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tilemeter::report
