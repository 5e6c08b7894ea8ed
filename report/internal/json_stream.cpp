// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/internal/json_stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "report/internal/json_scan.hpp"

namespace tilemeter::report::internal {
namespace {

constexpr std::size_t kGuessedBytes = 64 * 1024;  // no more is searched for the end of an element
constexpr std::size_t kLongestLineBytes = 4096;   // of an indented file, mostly
// Threads that share a file have something to share.
constexpr std::uint64_t kWindowsInFile = 16;
constexpr std::uint64_t kSmallWindowBytes = 64 * 1024;
constexpr std::uint64_t kFullWindowFileBytes = kWindowsInFile * JsonStream::kWindowBytes;
constexpr int kDeepestSkip = 128;  // objects too large for the window, one in the other

std::string describe(char c) {
    if (c == '\0') return "the end of the file";
    if (static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7F)
        return std::string("'") + c + "'";
    return "byte value " + std::to_string(static_cast<unsigned char>(c));
}

}  // namespace

Result<JsonStream> JsonStream::open(const std::filesystem::path& path, std::size_t window_bytes) {
    auto input = Input::open(path);
    if (!input) return input.error();
    return JsonStream(std::move(input).value(), window_bytes);
}

JsonStream::JsonStream(Input input, std::size_t window_bytes) : input_(std::move(input)) {
    const std::uint64_t useful_bytes =
        std::max<std::uint64_t>(kSmallWindowBytes, input_.size_up_to(kFullWindowFileBytes) / kWindowsInFile);
    if (useful_bytes < kFullWindowFileBytes / kWindowsInFile)
        window_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(window_bytes, useful_bytes));
    window_bytes_ = 1 + window_bytes + JsonDocument::kPaddingBytes;
    window_ = std::make_unique_for_overwrite<char[]>(window_bytes_);
}

void JsonStream::seek(std::uint64_t offset) {
    const std::uint64_t window_start = window_offset_ + 1;
    if (offset >= window_start && offset <= window_offset_ + end_) {
        at_ = static_cast<std::size_t>(offset - window_offset_);
        return;
    }
    window_offset_ = offset - 1;
    at_ = end_ = 1;
}

Result<std::size_t> JsonStream::fill() {
    if (at_ > 1) {
        std::memmove(window_.get() + 1, window_.get() + at_, end_ - at_);
        window_offset_ += at_ - 1;
        end_ -= at_ - 1;
        at_ = 1;
    }
    std::size_t space = window_bytes_ - JsonDocument::kPaddingBytes - end_;
    if (space == 0) {
        if (window_bytes_ > kLargestValueBytes)
            return Error{name(), "byte " + std::to_string(position()), "a value of at most 1 GiB",
                         "a larger one"};
        auto larger = std::make_unique_for_overwrite<char[]>(window_bytes_ * 2);
        std::memcpy(larger.get(), window_.get(), end_);
        window_ = std::move(larger);
        window_bytes_ *= 2;
        space = window_bytes_ - JsonDocument::kPaddingBytes - end_;
    }
    auto count = input_.read(window_offset_ + end_, window_.get() + end_, space);
    if (count) end_ += *count;
    return count;
}

Result<char> JsonStream::peek() {
    while (true) {
        while (at_ < end_ && is_blank(window_[at_]))
            ++at_;
        if (at_ < end_) return window_[at_];
        auto count = fill();
        if (!count) return count.error();
        if (*count == 0) return '\0';
    }
}

Status JsonStream::expect(char wanted, std::string_view what) {
    auto next = peek();
    if (!next) return next.error();
    if (*next != wanted || at_ == end_) return error_here(std::string(what));
    ++at_;
    return {};
}

Result<bool> JsonStream::next_key(std::string& key, bool& first) {
    auto next = peek();
    if (!next) return next.error();
    if (*next == '}' && first) {
        ++at_;
        return false;
    }
    if (!first) {
        if (*next == '}') {
            ++at_;
            return false;
        }
        if (Status comma = expect(',', "',' or '}'"); !comma) return comma.error();
        next = peek();
        if (!next) return next.error();
    }
    first = false;
    if (*next != '"') return error_here("a key in quotes");
    auto value = read_value(key_document_);
    if (!value) return value.error();
    key = *value->text();
    if (Status colon = expect(':', "':'"); !colon) return colon.error();
    return true;
}

Result<bool> JsonStream::buffer_more() {
    auto count = fill();
    if (!count) return count.error();
    return *count != 0;
}

Result<bool> JsonStream::next_separator() {
    auto next = peek();
    if (!next) return next.error();
    if (*next != ',' && *next != ']') return error_here("',' or ']' after an element");
    ++at_;
    elements_begun_ = *next == ',';
    return elements_begun_;
}

// The size up to a ',' that looks like one between two elements: behind the '}' that ends a line in indented
// files, in front of a '{' with a key in others. Only a guess, as it may lie inside an element; what lies in
// front of it is then no list of elements, and the parser says so.
std::size_t JsonStream::likely_elements_end(std::size_t wanted) const {
    const std::string_view text = unread().substr(0, wanted);
    const std::string_view tail = text.substr(text.size() - std::min(text.size(), kGuessedBytes));
    const bool indented = tail.substr(tail.size() - std::min(tail.size(), kLongestLineBytes)).find('\n') !=
                          std::string_view::npos;
    for (std::size_t end = tail.size(); end > 0;) {
        const void* const found = ::memrchr(tail.data(), indented ? '\n' : '{', end);
        if (found == nullptr) break;
        end = static_cast<std::size_t>(static_cast<const char*>(found) - tail.data());
        std::size_t next = end;
        if (indented)
            while (next < tail.size() && is_blank(tail[next]))
                ++next;
        const bool begins =
            next + 1 < tail.size() && tail[next] == '{' && (indented || tail[next + 1] == '"');
        std::size_t comma = end;
        while (comma > 0 && is_blank(tail[comma - 1]))
            --comma;
        if (begins && comma > 1 && tail[comma - 1] == ',' && tail[comma - 2] == '}')
            return text.size() - tail.size() + comma - 1;
    }
    return ElementScan::kNone;
}

// The unread part begins with `size` bytes of elements: what parse says of these in brackets.
template <class Parse>
auto JsonStream::as_array(std::size_t size, Parse&& parse) {
    const char before = std::exchange(window_[at_ - 1], '[');
    const char after = std::exchange(window_[at_ + size], ']');
    auto parsed = parse(std::string_view(window_.get() + at_ - 1, size + 2));
    window_[at_ - 1] = before;
    window_[at_ + size] = after;
    return parsed;
}

Result<std::optional<JsonValue>> JsonStream::next_elements(JsonDocument& document) {
    if (auto next = peek(); !next) return next.error();
    const std::size_t wanted = (window_bytes_ - JsonDocument::kPaddingBytes) / 2;
    if (unread().size() < wanted / 2)
        if (auto count = fill(); !count) return count.error();
    elements_offset_ = position();
    // An array of more than one slice is worth a guess, which spares looking for the end of each element.
    if (elements_begun_ && guess_ends_) {
        elements_size_ = likely_elements_end(wanted);
        if (elements_size_ != ElementScan::kNone) {
            const auto parsed = as_array(
                elements_size_, [&](std::string_view text) { return document.parse_padded_if_sound(text); });
            if (parsed) {
                element_ends_known_ = false;
                at_ += elements_size_ + 1;
                return parsed;
            }
        }
        guess_ends_ = false;
    }
    ElementScan scan;
    for (bool again = false;; again = true) {
        if (again) {
            auto count = fill();
            if (!count) return count.error();
            if (*count == 0) {
                at_ = end_;
                return error_here("',' or ']' after an element");
            }
        }
        scan = scan_elements(unread(), wanted, element_ends_);
        if (scan.closed || scan.elements_end != ElementScan::kNone) break;
    }
    element_ends_known_ = true;
    const std::size_t size = scan.closed ? scan.closing_bracket : scan.elements_end;
    if (scan.closed && element_ends_.size() == 1) {
        while (at_ < end_ && is_blank(window_[at_]))
            ++at_;
        if (at_ < end_ && window_[at_] == ']') {  // nothing between the last separator and the end
            if (elements_begun_) return error_here("an element after ','");
            ++at_;
            return std::optional<JsonValue>{};
        }
    }
    auto parsed =
        as_array(size, [&](std::string_view text) { return document.parse_padded(text, position() - 1); });
    if (!parsed) return with_name(parsed.error());
    if (scan.closed && window_[at_ + size] != ']') {
        at_ += size;
        return error_here("',' or ']' after an element");
    }
    // The closing bracket is left for the next call, which then finds nothing before it.
    elements_begun_ = !scan.closed;
    at_ += size + (scan.closed ? 0 : 1);
    return std::optional<JsonValue>(*parsed);
}

std::uint64_t JsonStream::element_offset(std::size_t i) {
    if (i == 0) return elements_offset_;
    if (!element_ends_known_) {
        const std::size_t begin = static_cast<std::size_t>(elements_offset_ - window_offset_);
        scan_elements({window_.get() + begin, elements_size_ + 1}, elements_size_ + 1, element_ends_);
        element_ends_known_ = true;
    }
    return elements_offset_ + element_ends_[i - 1] + 1;
}

Result<std::string_view> JsonStream::whole_value() {
    auto next = peek();
    if (!next) return next.error();
    if (*next == '\0' && at_ == end_) return error_here("a value");
    const bool container = *next == '{' || *next == '[' || *next == '"';
    while (true) {
        const std::string_view text = unread();
        if (container) {
            if (const std::size_t size = scan_value(text); size != ElementScan::kNone)
                return text.substr(0, size);
        } else {
            const std::size_t size = text.find_first_of(",]}: \t\r\n");
            if (size != std::string_view::npos) return text.substr(0, size);
        }
        auto count = fill();
        if (!count) return count.error();
        if (*count == 0) {
            if (!container) return unread();
            at_ = end_;
            return error_here(*next == '"'
                                  ? "'\"' at the end of a text"
                                  : std::string(*next == '{' ? "'}'" : "']'") + " at the end of a value");
        }
    }
}

Result<JsonValue> JsonStream::read_value(JsonDocument& document) {
    auto text = whole_value();
    if (!text) return text.error();
    auto value = document.parse_padded(*text, position());
    if (!value) return with_name(value.error());
    at_ += text->size();
    return value;
}

Status JsonStream::skip_value(JsonDocument& document, int depth) {
    auto next = peek();
    if (!next) return next.error();
    if (depth > kDeepestSkip)
        return error_here("at most " + std::to_string(kDeepestSkip) + " levels of nesting");
    if (*next == '[') {
        ++at_;
        begin_elements();
        while (true) {
            auto elements = next_elements(document);
            if (!elements) return elements.error();
            if (!elements->has_value()) return {};
        }
    }
    if (*next == '{' && scan_value(unread()) == ElementScan::kNone) {
        ++at_;
        std::string key;
        for (bool first = true;;) {
            auto more = next_key(key, first);
            if (!more) return more.error();
            if (!*more) return {};
            if (Status skipped = skip_value(document, depth + 1); !skipped) return skipped;
        }
    }
    auto value = read_value(document);
    if (!value) return value.error();
    return {};
}

Status JsonStream::expect_end() {
    auto next = peek();
    if (!next) return next.error();
    if (at_ < end_) return error_here("the end of the file");
    return {};
}

Error JsonStream::error_here(std::string expected) {
    return {name(), "byte " + std::to_string(position()), std::move(expected),
            describe(at_ < end_ ? window_[at_] : '\0')};
}

Error JsonStream::with_name(Error error) const {
    error.file = name();
    return error;
}

}  // namespace tilemeter::report::internal
