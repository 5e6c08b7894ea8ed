// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Names, files and lines of return addresses, from the files of their modules. They come from the symbol tables, and
// from debug information where it is there - in the file itself, beside it, or under its build id where distributions
// put it. So it works for this process and, where the same files are at hand, for any other.
//
// Thread safety: outside locking.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tilemeter::graph {

/// One frame. Calls that the compiler inlined have frames of their own, at the same address.
struct Frame {
    std::uint64_t address = 0;
    std::string module;        ///< path of the program or library; empty: unknown
    std::string function;      ///< without its parameters; empty: unknown
    std::uint64_t offset = 0;  ///< of the address from the function, or, without one, from the module
    std::string file;          ///< source file; empty: unknown
    std::uint32_t line = 0;
    bool inlined = false;

    /// "/path/lib.so(symbol+0xoff) [0xaddr]"; with a known line, " at file:line" follows.
    std::string to_text() const;
    /// True for the user's own code: not of this library, the C++ library or the system.
    bool is_users() const;
};

class Symbolizer {
public:
    /// `search`: folders to look in for modules whose file is not where it was, by file name, and by build id
    /// as ".build-id/ab/cdef.debug".
    explicit Symbolizer(std::vector<std::filesystem::path> search = {});
    ~Symbolizer();
    Symbolizer(const Symbolizer&) = delete;
    Symbolizer& operator=(const Symbolizer&) = delete;

    /// The frames at a return address, innermost first; at least one.
    std::vector<Frame> frames_at(std::uint64_t return_address);

private:
    class ModuleFile;

    ModuleFile& file_of(std::uint64_t bias, const std::string& path, const std::string& build_id);

    std::vector<std::filesystem::path> search_;
    std::map<std::pair<std::uint64_t, std::string>, std::unique_ptr<ModuleFile>> files_;
};

/// A demangled C++ name without its parameter list and return type.
std::string without_parameters(std::string demangled);

}  // namespace tilemeter::graph
