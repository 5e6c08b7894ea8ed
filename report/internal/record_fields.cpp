// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/internal/record_fields.hpp"

#include <array>
#include <string>

#include "report/text.hpp"

namespace tilemeter::report::internal {
namespace {

template <class Record>
struct Field {
    std::string_view key;
    std::int64_t Record::*value;
};

// In the order of the files, so that the first guess is nearly always right.
constexpr std::array<Field<PageRecord>, 9> kPageFields{{
    {"address", &PageRecord::address},
    {"bank_id", &PageRecord::bank_id},
    {"buffer_type", &PageRecord::buffer_type},
    {"core_x", &PageRecord::core_x},
    {"core_y", &PageRecord::core_y},
    {"device_id", &PageRecord::device_id},
    {"page_address", &PageRecord::page_address},
    {"page_index", &PageRecord::page_index},
    {"page_size", &PageRecord::page_size},
}};
constexpr std::array<Field<LiveBufferRecord>, 5> kBufferFields{{
    {"address", &LiveBufferRecord::address},
    {"buffer_layout", &LiveBufferRecord::buffer_layout},
    {"buffer_type", &LiveBufferRecord::buffer_type},
    {"device_id", &LiveBufferRecord::device_id},
    {"max_size_per_bank", &LiveBufferRecord::max_size_per_bank},
}};

template <class Record, std::size_t kSize>
Status read_fields(const JsonValue& json, const std::array<Field<Record>, kSize>& fields, Record& record) {
    if (!json.is_object()) return Error{"", "", "an object", std::string(kind_name(json.kind()))};
    std::size_t guess = 0;
    unsigned seen = 0;
    for (auto member = json.children(); member.valid(); member.next()) {
        const std::string_view key = member.key();
        std::size_t i = guess;
        if (i >= kSize || fields[i].key != key)
            for (i = 0; i < kSize && fields[i].key != key;)
                ++i;
        if (i == kSize) continue;  // a field of a newer dialect
        if ((seen & (1U << i)) != 0) return Error{"", "", "each key once", in_quotes(key) + " twice"};
        seen |= 1U << i;
        guess = i + 1;
        auto number = integer_of(member.value());
        if (!number) return Error{"", std::string(key), number.error().expected, number.error().found};
        record.*fields[i].value = number->value_or(0);
    }
    return {};
}

template <class Record, std::size_t kSize>
std::int64_t Record::*field_of(const std::array<Field<Record>, kSize>& fields, std::string_view key) {
    for (const Field<Record>& field : fields)
        if (field.key == key) return field.value;
    return nullptr;
}

}  // namespace

Status read_record(const JsonValue& json, PageRecord& record) {
    return read_fields(json, kPageFields, record);
}
Status read_record(const JsonValue& json, LiveBufferRecord& record) {
    return read_fields(json, kBufferFields, record);
}

template <>
std::int64_t PageRecord::*record_field<PageRecord>(std::string_view key) {
    return field_of(kPageFields, key);
}
template <>
std::int64_t LiveBufferRecord::*record_field<LiveBufferRecord>(std::string_view key) {
    return field_of(kBufferFields, key);
}

}  // namespace tilemeter::report::internal
