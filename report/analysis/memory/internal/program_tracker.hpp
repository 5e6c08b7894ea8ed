// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "report/analysis/memory/internal/device_table.hpp"
#include "report/analysis/memory/internal/program_signature.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis::internal {

/// Notes what programs occupy, fed node by node. A program begins where the device's program memory is
/// declared free (or with its first piece, where lists don't say that) and ends with the function it is in.
class ProgramTracker {
public:
    /// `known_programs` (may be null) have what the list does not tell of.
    ProgramTracker(const NodeList& list, MemoryLifetimes& lifetimes, DeviceTable& devices,
                   const ProgramLibrary* known_programs);

    void on_deallocate_all(std::uint32_t node);
    void on_piece(std::uint32_t node);
    void on_execution(std::uint32_t node);
    void on_function_end(std::uint32_t node, std::uint32_t scope);
    /// After the last node: closes what is open and fills in what was not recorded.
    void finish();

private:
    struct Open {
        std::uint32_t scope;
        std::uint32_t begin;
        std::optional<std::uint16_t> device;
        bool executed = false;              // or announced by deallocate_all, which comes before each program
        std::vector<std::uint32_t> pieces;  // nodes
    };

    Open& open_in(std::uint32_t scope, std::uint32_t node);
    void close(Open& open, std::uint32_t end);
    std::uint16_t device_of(const Open& open);
    /// The nodes that remain when what every chip has alike counts once; their number of chips.
    std::uint16_t collapse_chips(std::vector<std::uint32_t>& pieces, std::uint16_t device) const;
    void append_pieces(ProgramLifetime& program, const std::vector<std::uint32_t>& nodes);
    void fill_in(std::uint32_t index, ProgramRecord record, const std::vector<ProgramLibrary::Piece>& pieces);
    void append_piece(std::uint32_t index, const ProgramLibrary::Piece& piece);
    /// Adds pieces of the other capture to the program whose pieces came last.
    void add_untold(std::uint32_t index);
    /// 0: of a program outside of all functions. Made where it is asked for: complete lists never do.
    std::uint64_t signature_of(const ProgramLifetime& program);
    std::uint32_t core_set(std::string_view text);

    const NodeList& list_;
    MemoryLifetimes& lifetimes_;
    DeviceTable& devices_;
    const ProgramLibrary* known_programs_;
    ProgramSignature signature_;
    std::vector<Open> open_;  // a handful at the most: one per nesting device operation
    std::unordered_map<TextRef, std::uint32_t> core_sets_by_ref_;
    std::unordered_map<std::string, std::uint32_t> core_sets_by_text_;
};

}  // namespace tilemeter::analysis::internal
