// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report_reader.hpp"

namespace tilemeter::report::internal {

// Fails on what is no object, on duplicate keys and on fields that are no integers of 64 bits.
Status read_record(const JsonValue& json, PageRecord& record);
Status read_record(const JsonValue& json, BufferRecord& record);

}  // namespace tilemeter::report::internal
