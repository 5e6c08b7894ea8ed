// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/json_file.hpp"

#include "report/internal/json_stream.hpp"

namespace tilemeter::report {

Result<JsonValue> read_json_file(const std::filesystem::path& path, JsonDocument& document) {
    auto stream = internal::JsonStream::open(path);
    if (!stream) return stream.error();
    auto value = stream->read_value(document);
    if (!value) return stream->input().cause_of(value.error());
    if (Status end = stream->expect_end(); !end) return stream->input().cause_of(end.error());
    return value;
}

}  // namespace tilemeter::report
