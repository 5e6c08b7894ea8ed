// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/report_reader.hpp"

namespace tilemeter::report::internal {

// The form in which a program writes records of integers: the text between the numbers is the same text each time. Of
// millions of pages and buffers only the numbers need then be read, the rest is compared. Only for PageRecord and
// LiveBufferRecord.
template <class Record>
class RecordForm {
public:
    // From the record at the start of the text. False where it is not complete, or no object of integers with
    // plain and different keys.
    bool learn(std::string_view text);
    // False until a record was learned that another one followed.
    [[nodiscard]] bool complete() const { return !separator_.empty(); }
    // Text that is shorter may be too short to learn from and to read.
    [[nodiscard]] std::size_t enough_bytes() const { return std::max(most_bytes_, kEnoughToLearn); }
    // Appends the records at the start of the text as long as they have the form that was learned and enough
    // text follows. Returns the size of what was read, which ends behind a record.
    std::size_t read(std::string_view text, std::vector<Record>& records) const;

private:
    static constexpr std::size_t kEnoughToLearn = 4096;

    struct Gap {
        std::string text;                       // up to the number
        std::int64_t Record::*value = nullptr;  // null for a field of a newer dialect
    };
    bool learn_members(std::string_view text, std::size_t& at);

    std::vector<Gap> gaps_;
    std::string end_;        // behind the last number
    std::string separator_;  // between records; "" for unknown
    std::size_t most_bytes_ = 0;
};

}  // namespace tilemeter::report::internal
