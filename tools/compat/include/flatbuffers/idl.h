// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The installed flatbuffers/idl.h, with the name that FlatBuffers 23 gave to what writes a table as text: clients of TT-NN
// bring a newer FlatBuffers along, Debian 12 has 2.0.8.

#pragma once

#include_next <flatbuffers/idl.h>

#if FLATBUFFERS_VERSION_MAJOR < 23

#include <string>

namespace flatbuffers {

/// Null where it could be written, else what was wrong.
inline const char* GenTextFromTable(const Parser& parser, const void* table, const std::string& table_name,
                                    std::string* text) {
    return GenerateTextFromTable(parser, table, table_name, text) ? nullptr : "the table's type is unknown";
}

}  // namespace flatbuffers

#endif
