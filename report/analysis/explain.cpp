// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/explain.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "report/analysis/internal/program_signature.hpp"
#include "report/analysis/timeline.hpp"

namespace tilemeter::graph {
namespace {

class Explainer {
public:
    Explainer(const NodeList& list, const MemoryLives& lives, std::uint16_t device, std::uint32_t node,
              const ProgramLibrary* known_programs = nullptr)
        : lives_(lives) {
        result_.node = node;
        if (lives.devices.empty()) {
            result_.notes.push_back("no device memory was touched");
            return;
        }
        result_.region = l1_region_of(list, lives, device);
        const MemoryPeak moment = l1_at(list, lives, device, node);
        result_.operation = moment.path;
        result_.core = moment.core;
        for (const Contributor& it : moment.contributors)
            (it.share == Share::kProgram ? programs_ : tensors_).push_back(it);
        if (programs_.empty() && known_programs != nullptr) borrow_program(list, *known_programs);
        measure();
    }

    Explanation moment() {
        const std::uint64_t program_end = end_of_programs();
        const std::uint64_t lowest = lowest_tensor();
        if (result_.addresses_known && program_end > lowest) clear_clash({lowest, program_end, {}});
        const std::uint64_t capacity = result_.region.end - result_.region.begin;
        if (!result_.addresses_known && capacity != 0 &&
            result_.program_bytes + result_.tensor_bytes > capacity) {
            result_.cause =
                result_.program_bytes > capacity ? FailureCause::kNeverFits : FailureCause::kExhausted;
            result_.missing_bytes = result_.program_bytes + result_.tensor_bytes - capacity;
        }
        draw_map(program_end);
        return std::move(result_);
    }

    Explanation failure(const std::string& message) {
        result_.message = message;
        if (const auto clash = parse_clash(message)) {
            clear_clash(*clash);
            draw_map(clash->program_end);
        } else if (const auto full = parse_out_of_memory(message)) {
            clear_out_of_memory(*full);
            draw_map(end_of_programs());
        } else if (const auto large = parse_program_too_large(message)) {
            result_.cause = FailureCause::kNeverFits;
            result_.missing_bytes =
                large->program_bytes > large->l1_bytes ? large->program_bytes - large->l1_bytes : 0;
            result_.notes.push_back("the program's own memory (" + std::to_string(large->program_bytes) +
                                    " bytes) is larger than L1 (" + std::to_string(large->l1_bytes) +
                                    "): no tensor's move helps");
            draw_map(end_of_programs());
        } else {
            return moment();
        }
        return std::move(result_);
    }

private:
    // A program that was refused leaves no nodes; another capture of it knows its parts, from below in order.
    void borrow_program(const NodeList& list, const ProgramLibrary& known) {
        internal::ProgramSignature signatures(list);
        const auto& scopes = lives_.scopes;
        for (auto scope = scopes.of_node[result_.node]; scope != kNoIndex;
             scope = scopes.scopes[scope].parent) {
            const auto* pieces = known.find(signatures.of(scopes.scopes[scope].start));
            if (pieces == nullptr) continue;
            std::uint64_t next = result_.region.begin;
            for (const ProgramLibrary::Piece& piece : *pieces) {
                if (piece.shared) continue;
                Contributor part;
                part.share = Share::kProgram;
                part.kind = piece.kind;
                part.name = name_of(piece.kind);
                part.bytes = piece.size_bytes;
                part.core_ranges = piece.core_ranges;
                part.made_by = scopes.path(list, scope);
                part.address = static_cast<std::int64_t>(piece.address != 0 ? piece.address : next);
                next = end_of(part);
                programs_.push_back(std::move(part));
            }
            result_.notes.push_back("the program's parts are those of its record in the other capture");
            return;
        }
    }

    static bool in_l1(const Contributor& it) { return it.memory == Memory::kL1; }
    static std::uint64_t address_of(const Contributor& it) { return it.address.size_bytes(); }
    static std::uint64_t end_of(const Contributor& it) { return address_of(it) + it.bytes; }

    void measure() {
        std::sort(tensors_.begin(), tensors_.end(),
                  [](const Contributor& a, const Contributor& b) { return address_of(a) < address_of(b); });
        result_.addresses_known = result_.region.end > result_.region.begin;
        for (const Contributor& it : tensors_) {
            result_.tensor_bytes += it.bytes;
            if (in_l1(it) && address_of(it) == 0) result_.addresses_known = false;
        }
        for (const Contributor& it : programs_)
            result_.program_bytes += it.bytes;
        if (!result_.addresses_known)
            result_.notes.push_back("addresses are not known (NO_DISPATCH, or no device record): sizes only");
    }

    std::uint64_t end_of_programs() const {
        std::uint64_t end = result_.region.begin;
        std::uint64_t without_address = 0;
        for (const Contributor& it : programs_) {
            if (address_of(it) == 0)
                without_address += it.bytes;
            else
                end = std::max(end, end_of(it));
        }
        return end + without_address;
    }

    std::uint64_t lowest_tensor() const {
        for (const Contributor& it : tensors_)
            if (in_l1(it)) return address_of(it);
        return result_.region.end;
    }

    MoveCandidate candidate(const Contributor& tensor) const {
        MoveCandidate move{tensor, tensor.bytes, 0};
        if (tensor.buffer == kNoIndex) return move;
        const BufferLife& life = lives_.buffers[tensor.buffer];
        move.cost_bytes = life.size_bytes;
        const bool used_later = life.last_use != kNoIndex && life.last_use >= result_.node;
        const bool may_be_used_after_the_list = life.end == kNoIndex;
        move.uses_later = used_later || may_be_used_after_the_list ? std::max(1U, life.uses) : 0;
        return move;
    }

    // Every tensor that lies below the programs' end has to go, and no other.
    void clear_clash(const Clash& clash) {
        result_.cause = FailureCause::kClash;
        result_.clash = clash;
        result_.overlap_bytes = clash.overlap_bytes();
        if (result_.region.end != 0 && clash.program_end > result_.region.end) {
            result_.cause = FailureCause::kNeverFits;
            result_.missing_bytes = clash.program_end - result_.region.end;
            result_.notes.push_back("the program's memory ends beyond L1: no tensor's move helps");
            return;
        }
        for (const Contributor& tensor : tensors_)
            if (in_l1(tensor) && address_of(tensor) != 0 && address_of(tensor) < clash.program_end)
                result_.clearing_set.push_back(candidate(tensor));
        if (result_.clearing_set.empty())
            result_.notes.push_back(
                "the tensor at " + std::to_string(clash.tensor_address) +
                " is not in the list: it is older than the capture and was not used in it");
    }

    // The tensors between two holes that are cheapest to clear so that one hole of the needed size arises.
    void clear_out_of_memory(const OutOfMemory& failure) {
        result_.out_of_memory = failure;
        result_.cause = failure.cause();
        result_.missing_bytes = failure.missing_bytes();
        if (result_.cause == FailureCause::kNeverFits || result_.cause == FailureCause::kNone) return;
        if (!failure.in_l1 || failure.in_l1_small) {
            result_.notes.push_back("the map is that of L1; the request was for " +
                                    std::string(failure.in_l1_small ? "L1_SMALL" : "DRAM"));
            return;
        }
        if (!result_.addresses_known) return;
        std::vector<const Contributor*> blocks;
        for (const Contributor& tensor : tensors_)
            if (in_l1(tensor)) blocks.push_back(&tensor);
        std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
        std::pair<std::size_t, std::size_t> best_run{0, 0};
        std::size_t first = 0;
        std::uint64_t bytes = 0;
        for (std::size_t last = 0; last < blocks.size(); ++last) {
            bytes += blocks[last]->bytes;
            const std::uint64_t upper =
                last + 1 < blocks.size() ? address_of(*blocks[last + 1]) : result_.region.end;
            const auto lower = [&](std::size_t at) {
                return at == 0 ? result_.region.begin : end_of(*blocks[at - 1]);
            };
            // As few as still make room.
            while (first < last && upper >= lower(first + 1) + failure.per_bank_bytes)
                bytes -= blocks[first++]->bytes;
            if (upper < lower(first) + failure.per_bank_bytes || bytes >= best) continue;
            best = bytes;
            best_run = {first, last + 1};
        }
        for (std::size_t i = best_run.first; i < best_run.second; ++i)
            result_.clearing_set.push_back(candidate(*blocks[i]));
    }

    void draw_map(std::uint64_t program_end) {
        for (const Contributor& it : programs_)
            if (address_of(it) != 0)
                result_.map.push_back({MapPart::Kind::kProgram, address_of(it), end_of(it), it});
        if (result_.map.empty() && program_end > result_.region.begin)
            result_.map.push_back({MapPart::Kind::kProgram, result_.region.begin, program_end, {}});
        for (const Contributor& it : tensors_)
            if (in_l1(it) && address_of(it) != 0)
                result_.map.push_back({MapPart::Kind::kTensor, address_of(it), end_of(it), it});
        if (!result_.addresses_known) return;
        std::stable_sort(result_.map.begin(), result_.map.end(),
                         [](const MapPart& a, const MapPart& b) { return a.begin < b.begin; });
        std::vector<MapPart> holes;
        std::uint64_t reached = result_.region.begin;
        const auto add_hole = [&](std::uint64_t end) {
            if (end <= reached) return;
            holes.push_back({MapPart::Kind::kHole, reached, end, {}});
            result_.free_bytes += end - reached;
            result_.largest_hole_bytes = std::max(result_.largest_hole_bytes, end - reached);
        };
        for (const MapPart& part : result_.map) {
            add_hole(std::min(part.begin, result_.region.end));
            reached = std::max(reached, part.end);
        }
        add_hole(result_.region.end);
        result_.map.insert(result_.map.end(), holes.begin(), holes.end());
        std::stable_sort(result_.map.begin(), result_.map.end(),
                         [](const MapPart& a, const MapPart& b) { return a.begin < b.begin; });
    }

    const MemoryLives& lives_;
    std::vector<Contributor> programs_;
    std::vector<Contributor> tensors_;  // by address
    Explanation result_;
};

}  // namespace

Explanation explain_moment(const NodeList& list, const MemoryLives& lives, std::uint16_t device,
                           std::uint32_t node) {
    return Explainer(list, lives, device, node).moment();
}

Explanation explain_failure(const NodeList& list, const MemoryLives& lives, std::uint16_t device,
                            std::uint32_t node, const std::string& message,
                            const ProgramLibrary* known_programs) {
    return Explainer(list, lives, device, node, known_programs).failure(message);
}

}  // namespace tilemeter::graph
