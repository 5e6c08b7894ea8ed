// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/internal/explainer.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "report/analysis/answers/internal/cheapest_run.hpp"
#include "report/analysis/answers/timeline.hpp"
#include "report/analysis/memory/failures.hpp"
#include "report/analysis/memory/internal/placement_check.hpp"
#include "report/analysis/memory/internal/program_signature.hpp"
#include "report/analysis/nodes/units.hpp"

namespace tilemeter::analysis::internal {
namespace {

bool is_in(MemoryType it, MemoryType memory) {
    return it == memory || (memory == MemoryType::kDram && it == MemoryType::kTrace);
}

bool has_l1_at(const MemoryLifetimes& lifetimes, std::uint16_t device, std::uint32_t node) {
    for (const std::uint32_t index : live_at(lifetimes, node))
        if (lifetimes.buffers[index].device == device && lifetimes.buffers[index].memory == MemoryType::kL1)
            return true;
    return std::any_of(lifetimes.programs.begin(), lifetimes.programs.end(), [&](const ProgramLifetime& it) {
        return it.device == device && it.begin <= node && node <= it.end;
    });
}

}  // namespace

MemoryType memory_in_use(const MemoryLifetimes& lifetimes, std::uint16_t device, std::uint32_t node) {
    if (has_l1_at(lifetimes, device, node)) return MemoryType::kL1;
    for (const std::uint32_t index : live_at(lifetimes, node))
        if (lifetimes.buffers[index].device == device &&
            is_in(lifetimes.buffers[index].memory, MemoryType::kDram))
            return MemoryType::kDram;
    return MemoryType::kL1;
}

namespace {

/// Something alive, and where it lies as far as that is known or was placed.
struct Block {
    Contributor owner;
    std::optional<std::uint64_t> begin;
    std::uint64_t end() const { return begin.value_or(0) + owner.bytes; }
};

std::uint64_t less(std::uint64_t a, std::uint64_t b) {
    return a > b ? a - b : 0;
}

/// "1 tensor", "3 tensors"
std::string tensors_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " tensor" : " tensors");
}

class Explainer {
public:
    Explainer(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device,
              const ProgramLibrary* known_programs = nullptr)
        : list_(list),
          lifetimes_(lifetimes),
          device_(device),
          known_programs_(known_programs),
          known_until_(known_until(list, lifetimes.scopes)) {
        if (!lifetimes.devices.empty()) limits_ = limits_of(list, lifetimes, device);
    }

    Explanation moment(std::uint32_t node, MemoryType memory) {
        look_at(node, memory);
        find_lack();
        draw_map(end_of_programs());
        return std::move(result_);
    }

    Explanation failure(std::uint32_t node, const std::string& message) {
        const FailureMessage read = read_failure_message(message);
        MemoryType memory = MemoryType::kL1;
        if (read.out_of_memory)
            memory = memory_of(*read.out_of_memory);
        else if (!is_lack_of_memory(read.cause))
            memory = node == kNoIndex ? MemoryType::kL1 : memory_in_use(lifetimes_, device_, node);
        known_until_ = std::min(known_until_, node);  // later nodes are unwinding, or not of that run
        if (node == kNoIndex)
            result_.memory = memory;
        else
            look_at(node, memory);
        result_.message = message;
        result_.cause = read.cause;
        std::uint64_t program_end = end_of_programs();
        if (read.clash) {
            program_end = read.clash->program_end;
            clear_clash(*read.clash);
            note_tensor_of_clash(*read.clash);
        } else if (read.out_of_memory) {
            clear_out_of_memory(*read.out_of_memory);
        } else if (read.program_too_large) {
            explain_too_large(*read.program_too_large);
        } else if (read.no_room_for_program) {
            result_.missing_bytes = read.no_room_for_program->missing_bytes();
        } else {
            add_other_memories();
            if (read.cause == FailureCause::kNotRecorded) note_missing_message();
        }
        draw_map(program_end);
        return std::move(result_);
    }

    /// By sizes: the first request that finds no place; nothing where all do.
    std::optional<Explanation> no_place() {
        if (!limits_) return {};
        placed_ = place_until_failure(lifetimes_, device_, *limits_);
        if (!placed_->failure) return {};
        stops_at_failure_ = true;
        const PlacementFailure lack = *placed_->failure;
        look_at(placed_->node, lack.memory);
        set_place(lack.node);
        if (lack.is_program) {
            const ProgramPiece& piece = lifetimes_.pieces[lack.index];
            std::string cores;
            if (const auto* row = list_.program_piece(piece.node))
                cores = std::string(list_.text(row->core_ranges));
            clear_clash({limits_->l1_begin + lack.free_bytes, end_of_programs(), cores});
        } else {
            const BufferLifetime& lifetime = lifetimes_.buffers[lack.index];
            const auto is_refused = [&](const Block& it) { return it.owner.buffer == lack.index; };
            tensors_.erase(std::remove_if(tensors_.begin(), tensors_.end(), is_refused), tensors_.end());
            result_.refused = describe_buffer(list_, lifetimes_, lack.index);
            auto& alive = result_.contributors;
            alive.erase(std::remove_if(alive.begin(), alive.end(),
                                       [&](const Contributor& it) { return it.buffer == lack.index; }),
                        alive.end());
            result_.tensor_bytes = less(result_.tensor_bytes, result_.refused->bytes);
            OutOfMemory full;
            full.in_l1_small = lack.memory == MemoryType::kL1Small;
            full.in_l1 = full.in_l1_small || lack.memory == MemoryType::kL1;
            full.total_bytes = lifetime.size_bytes;
            full.banks = full.in_l1 ? limits_->l1_banks : limits_->dram_banks;
            full.per_bank_bytes = rounded(lack.bytes);
            full.bank_size_bytes = result_.region_end - result_.region_begin;
            full.allocated_bytes = *full.bank_size_bytes - lack.all_free_bytes;
            full.free_bytes = lack.all_free_bytes;
            full.largest_free_bytes = lack.free_bytes;
            clear_out_of_memory(full);
        }
        draw_map(end_of_programs());
        return std::move(result_);
    }

private:
    void set_place(std::uint32_t node) {
        result_.node = node;
        if (node < lifetimes_.scopes.of_node.size())
            result_.operation = lifetimes_.scopes.path(list_, lifetimes_.scopes.of_node[node]);
    }

    // Looks at the buffers alive there, their places, and the region.
    void look_at(std::uint32_t node, MemoryType memory) {
        set_place(node);
        if (lifetimes_.devices.empty()) {
            result_.notes.push_back("no device memory was touched");
            return;
        }
        result_.memory = memory;
        set_region(memory);
        MemoryPeak moment;
        if (memory == MemoryType::kL1) {
            moment = l1_at(list_, lifetimes_, device_, node);
            result_.core = moment.core;
            for (const Contributor& it : moment.contributors)
                if (it.share == Share::kProgram) programs_.push_back({it, address_of(it)});
            if (programs_.empty() && known_programs_ != nullptr) borrow_program();
            note_unknown_program(node);
        }
        for (const std::uint32_t index : live_at(lifetimes_, node)) {
            const BufferLifetime& lifetime = lifetimes_.buffers[index];
            if (lifetime.device != device_ || !is_in(lifetime.memory, memory) || lifetime.per_bank.bytes == 0)
                continue;
            Contributor it = describe_buffer(list_, lifetimes_, index);
            for (const Contributor& known : moment.contributors)  // says what share it has
                if (known.buffer == index) it.share = known.share;
            tensors_.push_back({it, address_of(it)});
        }
        find_addresses(node, moment);
        std::stable_sort(tensors_.begin(), tensors_.end(), [](const Block& a, const Block& b) {
            return a.begin.value_or(0) < b.begin.value_or(0);
        });
        for (const auto* blocks : {&programs_, &tensors_})
            for (const Block& it : *blocks) {
                (blocks == &programs_ ? result_.program_bytes : result_.tensor_bytes) += it.owner.bytes;
                result_.contributors.push_back(it.owner);
            }
        sort_contributors();
        note_l1_small(node, memory);
    }

    void sort_contributors() {
        std::stable_sort(result_.contributors.begin(), result_.contributors.end(),
                         [](const Contributor& a, const Contributor& b) { return a.bytes > b.bytes; });
    }

    void set_region(MemoryType memory) {
        if (!limits_) return;
        switch (memory) {
            case MemoryType::kL1:
                result_.region_begin = limits_->l1_begin;
                result_.region_end = limits_->l1_end();
                break;
            case MemoryType::kL1Small:
                result_.region_begin = limits_->l1_end();
                result_.region_end = limits_->l1_end() + limits_->l1_small_bytes;
                break;
            default:
                result_.region_begin = limits_->dram_begin;
                result_.region_end = limits_->dram_begin + limits_->dram_bank_bytes;
        }
        if (!result_.region_known()) result_.region_begin = result_.region_end = 0;
    }

    static std::optional<std::uint64_t> address_of(const Contributor& it) {
        if (it.address.value_or(0) <= 0) return {};
        return it.address.size_bytes();
    }

    // A program that was refused leaves no nodes; another capture of it knows its parts, from below in order.
    void borrow_program() {
        ProgramSignature signatures(list_);
        const auto& scopes = lifetimes_.scopes;
        for (auto scope = scopes.of_node[result_.node]; scope != kNoIndex;
             scope = scopes.scopes[scope].parent) {
            const auto* pieces = known_programs_->find(signatures.of(scopes.scopes[scope].start));
            if (pieces == nullptr) continue;
            for (const ProgramLibrary::Piece& piece : *pieces) {
                if (piece.shared) continue;
                Contributor part;
                part.share = Share::kProgram;
                part.kind = piece.kind;
                part.name = name_of(piece.kind);
                part.bytes = piece.size_bytes;
                part.core_ranges = piece.core_ranges;
                part.made_by = scopes.path(list_, scope);
                if (piece.address != 0) part.address = static_cast<std::int64_t>(piece.address);
                programs_.push_back({part, address_of(part)});
            }
            result_.notes.push_back("the program's parts are those of its record in the other capture");
            return;
        }
    }

    void find_addresses(std::uint32_t node, const MemoryPeak& moment) {
        bool recorded = result_.region_known();
        for (const Block& it : tensors_)
            recorded =
                recorded && it.begin && *it.begin >= result_.region_begin && it.end() <= result_.region_end;
        if (recorded && !placed_) {
            result_.addresses = AddressOrigin::kRecorded;
            std::uint64_t next = result_.region_begin;
            for (Block& it : programs_) {
                if (!it.begin) it.begin = next;
                next = std::max(next, it.end());
            }
            return;
        }
        if (!result_.region_known()) {
            result_.notes.push_back(
                "the device is not described: where it all lies, and what is free, is not known");
            return;
        }
        place(node, moment);
    }

    void place(std::uint32_t node, const MemoryPeak& moment) {
        result_.addresses = AddressOrigin::kPlaced;
        if (!placed_) placed_ = place_until(lifetimes_, device_, *limits_, node);
        for (Block& it : tensors_) {
            const auto found = placed_->buffers.find(it.owner.buffer);
            it.begin = found == placed_->buffers.end() ? std::optional<std::uint64_t>() : found->second;
            without_place_ += it.begin ? 0U : 1U;
        }
        if (!moment.contributors.empty() && !placed_->pieces.empty()) {
            programs_.clear();
            const std::uint16_t chip =
                moment.chip ? static_cast<std::uint16_t>(*moment.chip + 1) : std::uint16_t{0};
            for (const PlacedPiece& placed : placed_->pieces) {
                const ProgramPiece& piece = lifetimes_.pieces[placed.piece];
                const CoreSet& cores = lifetimes_.core_sets[piece.cores];
                if (piece.chip != chip || (moment.core && !cores.everywhere && !cores.contains(*moment.core)))
                    continue;
                Contributor part;
                part.kind = piece.kind;
                part.name = name_of(piece.kind);
                part.bytes = piece.size_bytes;
                part.node = piece.node;
                part.made_by = moment.path;
                if (const auto* row = list_.program_piece(piece.node))
                    part.core_ranges = std::string(list_.text(row->core_ranges));
                programs_.push_back({std::move(part), placed.begin});
            }
        }
        result_.notes.push_back(
            "addresses are not recorded (NO_DISPATCH): those shown are of our placement, by the rule of the "
            "device's allocator");
        if (without_place_ == 0 || stops_at_failure_) return;
        result_.notes.push_back(tensors_text(without_place_) + " of " + std::to_string(tensors_.size()) +
                                " without a place, and so not on the map");
    }

    void note_unknown_program(std::uint32_t node) {
        const bool unknown = std::any_of(
            lifetimes_.programs.begin(), lifetimes_.programs.end(), [&](const ProgramLifetime& it) {
                return it.device == device_ && it.record == ProgramRecord::kUnknown && it.begin <= node &&
                       node < it.end;
            });
        if (!unknown) return;
        result_.bound = Bound::kAtLeast;
        result_.notes.push_back("what the program that runs takes in L1 is not recorded");
    }

    void note_l1_small(std::uint32_t node, MemoryType memory) {
        if (memory != MemoryType::kL1) return;
        std::uint64_t bytes = 0;
        for (const std::uint32_t index : live_at(lifetimes_, node))
            if (lifetimes_.buffers[index].device == device_ &&
                lifetimes_.buffers[index].memory == MemoryType::kL1Small)
                bytes += lifetimes_.buffers[index].per_bank.bytes;
        if (bytes != 0)
            result_.notes.push_back("L1_SMALL, a region of its own, holds " + bytes_text(bytes) +
                                    " per core");
    }

    std::uint64_t rounded(std::uint64_t bytes) const { return limits_ ? limits_->rounded(bytes) : bytes; }

    std::uint64_t end_of_programs() const {
        std::uint64_t end = 0;
        for (const Block& it : programs_)
            if (it.begin) end = std::max(end, it.end());
        return end;
    }

    // Without a message: from what lies where.
    void find_lack() {
        if (!result_.region_known()) return;
        const std::uint64_t capacity = result_.region_end - result_.region_begin;
        const std::uint64_t bytes = result_.program_bytes + result_.tensor_bytes;
        const std::uint64_t program_end = end_of_programs();
        const auto lowest = std::find_if(tensors_.begin(), tensors_.end(),
                                         [](const Block& it) { return it.begin.has_value(); });
        if (bytes > capacity) {
            bool alone = result_.program_bytes > capacity;
            for (const Block& it : tensors_)
                alone = alone || it.owner.bytes > capacity;
            result_.cause = alone ? FailureCause::kNeverFits : FailureCause::kExhausted;
            result_.missing_bytes = bytes - capacity;
        } else if (lowest != tensors_.end() && program_end > *lowest->begin) {
            clear_clash({*lowest->begin, program_end, {}});
        } else if (without_place_ != 0) {
            result_.cause = FailureCause::kFragmented;
        }
    }

    // Every tensor that lies below the programs' end has to go, and no other.
    void clear_clash(const Clash& clash) {
        result_.cause = FailureCause::kClash;
        result_.clash = clash;
        result_.overlap_bytes = clash.overlap_bytes();
        if (result_.region_end != 0 && clash.program_end > result_.region_end) {
            result_.cause = FailureCause::kNeverFits;
            result_.missing_bytes = clash.program_end - result_.region_end;
            result_.notes.push_back("the program's memory ends beyond L1: no tensor's move helps");
            return;
        }
        for (const Block& tensor : tensors_)
            if (tensor.begin && *tensor.begin < clash.program_end)
                result_.clearing_set.push_back(candidate(tensor.owner));
    }

    void note_tensor_of_clash(const Clash& clash) {
        if (result_.node == kNoIndex || lifetimes_.devices.empty()) return;
        const bool listed = std::any_of(tensors_.begin(), tensors_.end(), [&](const Block& it) {
            return it.begin && *it.begin == clash.tensor_address;
        });
        if (listed) return;
        if (result_.addresses == AddressOrigin::kPlaced)
            result_.notes.push_back("the message's addresses are another run's: no tensor was placed at " +
                                    grouped(clash.tensor_address));
        else
            result_.notes.push_back("the tensor at " + grouped(clash.tensor_address) +
                                    " is not in the list: it is older than the capture and was not used in "
                                    "it, so more may have to go than is named here");
    }

    void clear_out_of_memory(const OutOfMemory& lack) {
        result_.out_of_memory = lack;
        result_.cause = lack.cause();
        result_.missing_bytes = lack.missing_bytes();
        if (lack.bank_size_bytes && result_.region_begin != 0)
            result_.region_end = result_.region_begin + *lack.bank_size_bytes;
        if (result_.cause == FailureCause::kNeverFits || !result_.region_known()) return;
        std::uint64_t known = 0;
        for (const Block& tensor : tensors_)
            known += rounded(tensor.owner.bytes);
        const std::uint64_t unlisted = less(lack.allocated_bytes.value_or(known), known);
        if (unlisted != 0 && !place_unlisted(unlisted))
            result_.notes.push_back(bytes_text(unlisted) +
                                    " of what was allocated then are not in the list (older than the "
                                    "capture): free parts of the map may be taken");
        std::vector<Stretch> blocks;
        std::vector<const Contributor*> owners;
        for (const Block& tensor : tensors_) {
            if (!tensor.begin) continue;
            blocks.push_back({*tensor.begin, tensor.end()});
            owners.push_back(&tensor.owner);
        }
        Stretch region{result_.region_begin, result_.region_end};
        if (unlisted_ && *unlisted_->begin == region.begin)
            region.begin = unlisted_->end();
        else if (unlisted_)
            region.end = *unlisted_->begin;
        const auto run = cheapest_run(blocks, lack.per_bank_bytes, region, unlisted == 0 || unlisted_);
        for (std::size_t index = run.first; index < run.second; ++index)
            result_.clearing_set.push_back(candidate(*owners[index]));
        if (result_.clearing_set.empty() && unlisted != 0 && !unlisted_)
            result_.notes.push_back("no tensors of the list lie together that would make room for sure");
    }

    // Places bytes that the list does not have: they were there before all others. Where it leaves no gap it fills the
    // bank from where the allocator begins, up to the first that is listed.
    bool place_unlisted(std::uint64_t bytes) {
        if (result_.addresses != AddressOrigin::kRecorded || tensors_.empty()) return false;
        const bool from_below = result_.memory == MemoryType::kDram;
        const std::uint64_t begin = from_below ? result_.region_begin : result_.region_end - bytes;
        const bool fills =
            from_below ? tensors_.front().begin == begin + bytes : tensors_.back().end() == begin;
        if (!fills) return false;
        Block& it = unlisted_.emplace();
        it.begin = begin;
        it.owner.share = Share::kPersistent;
        it.owner.memory = *result_.memory;
        it.owner.name = "not in the list";
        it.owner.bytes = bytes;
        it.owner.before_window = true;
        it.owner.address = static_cast<std::int64_t>(begin);
        result_.tensor_bytes += bytes;
        result_.contributors.push_back(it.owner);
        sort_contributors();
        return true;
    }

    void explain_too_large(const ProgramTooLarge& large) {
        result_.program_too_large = large;
        result_.missing_bytes = less(large.program_bytes, large.l1_bytes);
        result_.notes.push_back("the program's own memory (" + bytes_text(large.program_bytes) +
                                ") is larger than L1 (" + bytes_text(large.l1_bytes) +
                                "): no tensor's move helps");
    }

    // The memory in question is not known, or there was none: lists all buffers alive.
    void add_other_memories() {
        if (result_.node == kNoIndex || !result_.memory) return;
        for (const std::uint32_t index : live_at(lifetimes_, result_.node)) {
            const BufferLifetime& lifetime = lifetimes_.buffers[index];
            if (lifetime.device != device_ || lifetime.memory == MemoryType::kSystemMemory ||
                is_in(lifetime.memory, *result_.memory) || lifetime.per_bank.bytes == 0)
                continue;
            result_.contributors.push_back(describe_buffer(list_, lifetimes_, index));
        }
        sort_contributors();
    }

    void note_missing_message() {
        const ListSource& source = list_.source;
        std::string note = "why it failed is not recorded";
        if (!source.sidecar_file.empty()) {
            if (source.sidecar == ListSource::Sidecar::kRead)
                note += ": the sidecar " + source.sidecar_file + " has no message of it";
            else if (source.sidecar == ListSource::Sidecar::kUnreadable)
                note += ": the message should be in the sidecar " + source.sidecar_file +
                        ", which cannot be read";
            else
                note += ": the message is in the sidecar " + source.sidecar_file + ", which is missing";
        }
        result_.notes.push_back(std::move(note));
    }

    MoveCandidate candidate(const Contributor& tensor) const {
        MoveCandidate move;
        move.tensor = tensor;
        move.cost_bytes = tensor.bytes;
        if (tensor.buffer == kNoIndex) return move;
        const BufferLifetime& lifetime = lifetimes_.buffers[tensor.buffer];
        move.cost_bytes = lifetime.size_bytes;
        move.later = later_use(list_, lifetimes_, known_until_, tensor.buffer, result_.node);
        if (move.later == LaterUse::kReleased) move.released_at = lifetime.end;
        return move;
    }

    void draw_map(std::uint64_t program_end) {
        if (!result_.region_known() || result_.addresses == AddressOrigin::kNotKnown) return;
        for (const Block& it : programs_)
            if (it.begin) result_.map.push_back({MapPart::Kind::kProgram, *it.begin, it.end(), it.owner});
        if (result_.map.empty() && program_end > result_.region_begin)
            result_.map.push_back({MapPart::Kind::kProgram, result_.region_begin, program_end, {}});
        for (const Block& it : tensors_)
            if (it.begin) result_.map.push_back({MapPart::Kind::kTensor, *it.begin, it.end(), it.owner});
        if (unlisted_)
            result_.map.push_back(
                {MapPart::Kind::kTensor, *unlisted_->begin, unlisted_->end(), unlisted_->owner});
        const auto by_address = [](const MapPart& a, const MapPart& b) { return a.begin < b.begin; };
        std::stable_sort(result_.map.begin(), result_.map.end(), by_address);
        std::vector<MapPart> holes;
        std::uint64_t reached = result_.region_begin;
        std::uint64_t free = 0;
        std::uint64_t largest = 0;
        const auto add_hole = [&](std::uint64_t end) {
            if (end <= reached) return;
            holes.push_back({MapPart::Kind::kHole, reached, end, {}});
            free += end - reached;
            largest = std::max(largest, end - reached);
        };
        for (const MapPart& part : result_.map) {
            add_hole(std::min(part.begin, result_.region_end));
            reached = std::max(reached, part.end);
        }
        add_hole(result_.region_end);
        result_.free_bytes = free;
        result_.largest_hole_bytes = largest;
        // The runtime knew of what the list does not have.
        if (result_.out_of_memory && result_.addresses == AddressOrigin::kRecorded) {
            if (const auto told = result_.out_of_memory->free_bytes) result_.free_bytes = told;
            if (const auto told = result_.out_of_memory->largest_free_bytes)
                result_.largest_hole_bytes = told;
        }
        result_.map.insert(result_.map.end(), holes.begin(), holes.end());
        std::stable_sort(result_.map.begin(), result_.map.end(), by_address);
    }

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    const std::uint16_t device_;
    const ProgramLibrary* known_programs_;
    std::uint32_t known_until_;
    std::optional<DeviceLimits> limits_;
    std::optional<PlacedMemory> placed_;
    std::vector<Block> programs_;
    std::vector<Block> tensors_;     // by address
    std::optional<Block> unlisted_;  // an allocation that is not in the list, where its place is known
    std::size_t without_place_ = 0;  // of tensors_, in our placement
    bool stops_at_failure_ = false;  // placed_ ends where the first request found no place
    Explanation result_;
};

}  // namespace

std::optional<Explanation> explain_first_without_place(const NodeList& list, const MemoryLifetimes& lifetimes,
                                                       std::uint16_t device) {
    return Explainer(list, lifetimes, device).no_place();
}

}  // namespace tilemeter::analysis::internal

namespace tilemeter::analysis {

Explanation explain_moment(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device,
                           std::uint32_t node, MemoryType memory) {
    return internal::Explainer(list, lifetimes, device).moment(node, memory);
}

Explanation explain_failure(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device,
                            std::uint32_t node, const std::string& message,
                            const ProgramLibrary* known_programs) {
    return internal::Explainer(list, lifetimes, device, known_programs).failure(node, message);
}

}  // namespace tilemeter::analysis
