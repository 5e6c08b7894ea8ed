// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "report/report_reader.hpp"

namespace tilemeter::report::internal {

// Fails on what is no object, on duplicate keys and on fields that are no integers of 64 bits.
Status read_record(const JsonValue& json, PageRecord& record);
Status read_record(const JsonValue& json, LiveBufferRecord& record);

// The member of a record that a key names; null for a key of a newer dialect. For PageRecord and
// LiveBufferRecord.
template <class Record>
std::int64_t Record::*record_field(std::string_view key);

}  // namespace tilemeter::report::internal
