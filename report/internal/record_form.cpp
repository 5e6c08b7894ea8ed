// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/internal/record_form.hpp"

#include <algorithm>

#include "report/internal/inline_text.hpp"
#include "report/internal/json_scan.hpp"
#include "report/internal/record_fields.hpp"

namespace tilemeter::report::internal {
namespace {

// Longer numbers are left to the parser, which knows what fits 64 bits.
constexpr unsigned kMostDigits = 18;

void skip_blanks(std::string_view text, std::size_t& at) {
    while (at < text.size() && is_blank(text[at]))
        ++at;
}

bool skip(std::string_view text, std::size_t& at, char wanted) {
    skip_blanks(text, at);
    if (at >= text.size() || text[at] != wanted) return false;
    ++at;
    return true;
}

// An integer that is not negative; null where none of at most kMostDigits lies there. Reads up to kMostDigits + 1
// bytes.
const char* read_integer(const char* at, std::int64_t& number) {
    std::uint64_t value = static_cast<unsigned char>(*at) - std::uint64_t{'0'};
    if (value > 9) return nullptr;
    const char* const first = at++;
    for (std::uint64_t digit = 0; (digit = static_cast<unsigned char>(*at) - std::uint64_t{'0'}) <= 9; ++at) {
        if (*first == '0' || at - first >= static_cast<std::ptrdiff_t>(kMostDigits)) return nullptr;
        value = value * 10 + digit;
    }
    number = static_cast<std::int64_t>(value);
    return at;
}

bool starts_with(const char* at, const std::string& wanted) {
    return same_short_text({at, wanted.size()}, wanted);
}

}  // namespace

template <class Record>
bool RecordForm<Record>::learn_members(std::string_view text, std::size_t& at) {
    std::vector<std::string_view> keys;
    std::size_t begin = 0;
    do {
        if (!skip(text, at, '"')) return false;
        const std::size_t key_begin = at;
        while (at < text.size() && text[at] > 0x1F && text[at] < 0x7F && text[at] != '"' && text[at] != '\\')
            ++at;
        const std::string_view key = text.substr(key_begin, at - key_begin);
        if (std::ranges::find(keys, key) != keys.end()) return false;
        keys.push_back(key);
        if (!skip(text, at, '"') || !skip(text, at, ':')) return false;
        skip_blanks(text, at);
        Gap& gap = gaps_.emplace_back();
        gap.text = text.substr(begin, at - begin);
        gap.value = record_field<Record>(key);
        std::int64_t number = 0;
        if (text.size() - at < kMostDigits + 2) return false;
        const char* const end = read_integer(text.data() + at, number);
        if (end == nullptr) return false;
        begin = at = static_cast<std::size_t>(end - text.data());
    } while (skip(text, at, ','));
    if (!skip(text, at, '}')) return false;
    end_ = text.substr(begin, at - begin);
    return true;
}

template <class Record>
bool RecordForm<Record>::learn(std::string_view text) {
    gaps_.clear();
    separator_.clear();
    most_bytes_ = 0;
    std::size_t at = 0;
    if (text.empty() || text[0] != '{') return false;
    at = 1;
    if (!learn_members(text, at)) {
        gaps_.clear();
        return false;
    }
    const std::size_t end = at;
    if (skip(text, at, ',')) {
        skip_blanks(text, at);
        if (at < text.size() && text[at] == '{') separator_ = text.substr(end, at - end);
    }
    most_bytes_ = end_.size() + separator_.size();
    for (const Gap& gap : gaps_)
        most_bytes_ += gap.text.size() + kMostDigits + 2;
    return true;
}

template <class Record>
std::size_t RecordForm<Record>::read(std::string_view text, std::vector<Record>& records) const {
    if (gaps_.empty()) return 0;
    const char* at = text.data();
    const char* const text_end = at + text.size();
    const char* done = at;
    while (static_cast<std::size_t>(text_end - at) >= most_bytes_) {
        Record record{};
        for (const Gap& gap : gaps_) {
            if (!starts_with(at, gap.text)) return static_cast<std::size_t>(done - text.data());
            std::int64_t number = 0;
            at = read_integer(at + gap.text.size(), number);
            if (at == nullptr) return static_cast<std::size_t>(done - text.data());
            if (gap.value != nullptr) record.*gap.value = number;
        }
        if (!starts_with(at, end_)) break;
        at += end_.size();
        done = at;
        records.push_back(record);
        if (separator_.empty() || !starts_with(at, separator_)) break;
        at += separator_.size();
    }
    return static_cast<std::size_t>(done - text.data());
}

template class RecordForm<PageRecord>;
template class RecordForm<LiveBufferRecord>;

}  // namespace tilemeter::report::internal
