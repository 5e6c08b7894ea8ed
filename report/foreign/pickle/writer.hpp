// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Pickles of plain values, protocol 4, written from their begin to their end.
//
// Thread safety: outside locking.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tilemeter::foreign::pickle {

class Writer {
public:
    /// `write` gets the bytes in pieces of about a mebibyte.
    explicit Writer(std::function<void(std::string_view)> write);

    void none() { byte('N'); }
    void boolean(bool value) { byte(value ? '\x88' : '\x89'); }
    void integer(std::uint64_t value);
    /// Written once, then named by its number.
    void text(std::string_view value);
    /// Keys and values follow, then end_dict().
    void begin_dict();
    void end_dict() { byte('u'); }
    /// Elements follow, then end_list(). Of long lists flush_list() from time to time keeps readers from holding all twice.
    void begin_list();
    void flush_list();
    void end_list() { byte('e'); }
    /// Numbers the value that was written last, for repeat().
    std::uint32_t remember();
    void repeat(std::uint32_t number);
    void finish();

private:
    void byte(char value);
    void number(std::uint64_t value, unsigned bytes);

    std::function<void(std::string_view)> write_;
    std::string waiting_;
    std::unordered_map<std::string, std::uint32_t> texts_;
    std::uint32_t remembered_ = 0;
};

}  // namespace tilemeter::foreign::pickle
