// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/input.hpp"
#include "report/json_value.hpp"
#include "report/result.hpp"

namespace tilemeter::report::internal {

// A JSON file of any size, read front to back through a window. Containers are walked here, token by token;
// what lies in them is cut into slices of whole elements, which the parser takes in place.
class JsonStream {
public:
    static constexpr std::size_t kWindowBytes = 512 * 1024;  // fits the second-level cache twice
    static constexpr std::size_t kLargestValueBytes = std::size_t{1} << 30U;

    // window_bytes: less of a small file
    static Result<JsonStream> open(const std::filesystem::path& path,
                                   std::size_t window_bytes = kWindowBytes);
    explicit JsonStream(Input input, std::size_t window_bytes = kWindowBytes);

    [[nodiscard]] const std::string& name() const { return input_.name(); }
    [[nodiscard]] Input& input() { return input_; }
    [[nodiscard]] std::uint64_t position() const { return window_offset_ + at_; }
    void seek(std::uint64_t offset);

    // The next character that is no blank, not consumed; 0 at the end of the file.
    Result<char> peek();
    Status expect(char wanted, std::string_view what);
    // The next key of an object: false when its end was consumed, else the key and its colon were.
    Result<bool> next_key(std::string& key, bool& first);

    // The next elements of an array whose '[' was consumed: some more of its elements, as an array; empty once the ']'
    // was consumed.
    Result<std::optional<JsonValue>> next_elements(JsonDocument& document);
    // The place of the i-th element of the last next_elements in the file (blanks may precede it).
    // REQUIRES: nothing else was read since
    [[nodiscard]] std::uint64_t element_offset(std::size_t i);
    // The place of the last next_elements in the file.
    [[nodiscard]] std::uint64_t elements_offset() const { return elements_offset_; }
    // REQUIRES: no next_elements of another array between the calls for one array
    void begin_elements() {
        elements_begun_ = false;
        guess_ends_ = true;
    }

    // For who reads elements itself: what of the file is in memory, from position() on; more of it, false at
    // the end of the file; on past an element.
    [[nodiscard]] std::string_view buffered() const { return unread(); }
    Result<bool> buffer_more();
    void consume(std::size_t size) { at_ += size; }
    // Behind an element that was consumed: false when the end of the array was consumed, else the ',' was.
    Result<bool> next_separator();

    Result<JsonValue> read_value(JsonDocument& document);
    // Checks and drops a value of any size.
    Status skip_value(JsonDocument& document, int depth = 0);
    // Only blanks until the end of the file.
    Status expect_end();

    Error error_here(std::string expected);
    Error with_name(Error error) const;

private:
    Result<std::size_t> fill();  // more of the file after what is unread; the number of new bytes
    [[nodiscard]] std::string_view unread() const { return {window_.get() + at_, end_ - at_}; }
    Result<std::string_view> whole_value();
    [[nodiscard]] std::size_t likely_elements_end(std::size_t wanted) const;
    template <class Parse>
    auto as_array(std::size_t size, Parse&& parse);

    Input input_;
    // Invariant: window_[1 .. end_) holds the file from window_offset_ + 1 on, 1 <= at_ <= end_, and
    // kPaddingBytes readable bytes follow end_. window_[0] is free for a bracket. What was not read is not
    // initialized, so that a window costs no more memory than its file.
    std::unique_ptr<char[]> window_;
    std::size_t window_bytes_ = 0;
    std::uint64_t window_offset_ = static_cast<std::uint64_t>(-1);
    std::size_t at_ = 1;
    std::size_t end_ = 1;
    bool elements_begun_ = false;
    bool guess_ends_ = true;  // until a guess was wrong
    std::uint64_t elements_offset_ = 0;
    std::size_t elements_size_ = 0;
    bool element_ends_known_ = false;  // of the last slice
    std::vector<std::size_t> element_ends_;
    JsonDocument key_document_;
};

}  // namespace tilemeter::report::internal
