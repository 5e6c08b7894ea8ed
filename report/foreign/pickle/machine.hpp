// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The machine that runs a pickle's instructions into a document.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/foreign/base/bytes.hpp"
#include "report/foreign/pickle/document.hpp"

namespace tilemeter::foreign::pickle {

class Machine {
public:
    explicit Machine(report::Input& input) : bytes_(input) {}

    /// Throws FormatError.
    Document run();

private:
    /// One instruction; false: it was the last.
    bool step();
    void push(Value value) { stack_.push_back(value); }
    Value pop();
    /// The first value behind the latest mark, which is taken away.
    std::size_t take_mark();
    /// The container below the values from `begin` on.
    Value container_below(std::size_t begin, Kind kind);
    void push_integer(std::uint64_t size);
    void push_text(std::uint64_t size);
    void push_list(std::size_t begin);
    void push_tuple(std::size_t begin);
    void push_dict(std::size_t begin);
    Value new_list();
    Value new_dict();
    void extend_list(Value list, std::size_t begin);
    void extend_dict(Value dict, std::size_t begin);
    /// The shape of `count` pairs from `begin` on.
    std::uint64_t shape_of_keys(std::size_t begin, std::uint64_t count);
    void remember(std::uint64_t number);
    void recall(std::uint64_t number);
    [[noreturn]] void refuse(const std::string& expected, const std::string& found) const;

    Bytes bytes_;
    std::uint64_t at_ = 0;  // where the instruction began
    Document made_;
    std::vector<Value> stack_;
    std::vector<std::size_t> marks_;
    std::vector<Value> memo_;
    std::unordered_map<std::uint64_t, Value> far_memo_;  // numbers that leave gaps
    std::unordered_map<std::string, std::uint64_t> shape_numbers_, tuples_;
    std::string key_;  // of the two, as bytes
    std::uint64_t latest_shape_ = Document::kNoShape;
};

}  // namespace tilemeter::foreign::pickle
