// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// gzip and zstd, known by how a file begins, whatever its name.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "report/result.hpp"

namespace tilemeter::report::internal {

// One after the other: the members of a gzip file, the frames of a zstd file. They are read as one content.
class Decompressor {
public:
    static constexpr std::size_t kHeadBytes = 6;  // bytes enough to tell the kind of a file

    // head: the first kHeadBytes of the file, or all of a shorter one. Null: it is not compressed. An error
    // names a kind of archive that nothing here reads.
    static Result<std::unique_ptr<Decompressor>> for_file_with(std::string_view head);
    virtual ~Decompressor() = default;

    struct Step {
        std::size_t taken = 0;  // of the bytes that came in
        std::size_t given = 0;  // bytes of content
    };
    // As far as either of the two lasts. Nothing taken and nothing given: more has to come in. An error has
    // no file and no position.
    virtual Result<Step> step(std::span<const char> in, std::span<char> out) = 0;
    // The file may end here, or another member may begin.
    [[nodiscard]] virtual bool between_members() const = 0;
    // A member may begin with that.
    [[nodiscard]] virtual bool may_begin(char first) const = 0;
    // "gzip member", "zstd frame"
    [[nodiscard]] virtual std::string member_name() const = 0;
};

}  // namespace tilemeter::report::internal
