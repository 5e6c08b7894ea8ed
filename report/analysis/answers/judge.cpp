// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "report/analysis/answers/internal/gaps.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/memory/failures.hpp"
#include "report/analysis/memory/internal/list_damage.hpp"
#include "report/analysis/memory/internal/placement_check.hpp"
#include "report/analysis/memory/occupancy.hpp"

namespace tilemeter::analysis {
namespace {

using Kind = Reason::Kind;

/// The most that memory held, by device, against limits.
struct Peaks {
    struct Highest {
        std::uint64_t bytes = 0;
        std::uint32_t node = kNoIndex;
        std::uint32_t first_beyond = kNoIndex;
        void note(std::uint64_t now, std::uint32_t at, std::optional<std::uint64_t> limit) {
            if (now > bytes) {
                bytes = now;
                node = at;
            }
            if (limit && now > *limit && first_beyond == kNoIndex) first_beyond = at;
        }
    };
    Highest l1, dram, dram_all_banks;
};

Peaks find_peaks(const MemoryLifetimes& lifetimes, std::uint16_t device, const MemoryLimits& limits,
                 std::uint64_t l1_small_region) {
    Peaks peaks;
    Occupancy occupancy(lifetimes);
    for (const MemoryEvent& event : lifetimes.events) {
        occupancy.apply(event);
        const bool of_program =
            event.kind == MemoryEvent::Kind::kPiece || event.kind == MemoryEvent::Kind::kProgramEnd;
        const std::uint16_t slot =
            of_program ? lifetimes.programs[event.index].device : lifetimes.buffers[event.index].device;
        if (slot != device) continue;
        const Occupancy::Tensors& tensors = occupancy.tensors(device);
        const std::uint64_t l1 = occupancy.l1_peak_bytes(device);
        peaks.l1.note(l1, event.node, limits.l1_bytes_per_core);
        // Memory that is set aside for L1_SMALL serves nothing else.
        const std::uint64_t unused_small =
            l1_small_region > tensors.l1_small_bytes ? l1_small_region - tensors.l1_small_bytes : 0;
        if (limits.l1_bytes_per_core && l1 + unused_small > *limits.l1_bytes_per_core &&
            peaks.l1.first_beyond == kNoIndex)
            peaks.l1.first_beyond = event.node;
        peaks.dram.note(tensors.dram_bytes, event.node, limits.dram_bytes_per_bank);
        peaks.dram_all_banks.note(tensors.dram_total_bytes, event.node, limits.dram_bytes_all_banks);
    }
    return peaks;
}

/// The same workload with its buffers spread over another device's banks. What has shards keeps its size.
MemoryLifetimes spread_over(const NodeList& list, const MemoryLifetimes& lifetimes,
                            const DeviceLimits& limits, std::uint32_t& kept) {
    MemoryLifetimes moved = lifetimes;
    for (BufferLifetime& lifetime : moved.buffers) {
        const NodeList::Buffer* row = list.buffer(lifetime.begin != 0 ? lifetime.begin : lifetime.node);
        const std::uint64_t banks = is_dram(lifetime.memory) ? limits.dram_banks : limits.l1_banks;
        if (row == nullptr || banks == 0 || lifetime.memory == MemoryType::kSystemMemory) continue;
        if (row->cores.value_or(0) > 0) {
            ++kept;
            continue;
        }
        std::uint64_t page = row->page_size_bytes.size_bytes();
        if (page == 0 && lifetime.tensor != kNoIndex) {
            const NodeList::Tensor& tensor = *list.tensor(lifetime.tensor);
            page = page_size_of(list.text(tensor.shape), list.text(tensor.dtype), list.text(tensor.layout));
        }
        if (page == 0)
            ++kept;
        else
            lifetime.per_bank = {size_per_bank(lifetime.size_bytes, page, banks), SizeOrigin::kComputed};
    }
    return moved;
}

class Judge {
public:
    Judge(const NodeList& list, const MemoryLifetimes& lifetimes, const Question& question)
        : list_(list),
          lifetimes_(lifetimes),
          question_(question),
          own_limits_(question.limits.any()),
          damage_(internal::find_damage(list, lifetimes.scopes)),
          failures_(find_failures(list, lifetimes)),
          gaps_(internal::find_gaps(list, lifetimes, failures_, damage_)) {
        captured_ = limits_of(list, lifetimes, 0);
        asked_ = question.device ? question.device : captured_;
        other_device_ = question.device && !(captured_ && is_same_kind(*captured_, *question.device));
    }

    Judgement run() {
        judgement_.device = asked_ ? asked_->name : "";
        measure();
        judgement_.verdict = decide();
        for (Reason& gap : gaps_)
            judgement_.reasons.push_back(std::move(gap));
        if (other_device_) judgement_.reasons.push_back(other_device_reason());
        return std::move(judgement_);
    }

private:
    bool asks_l1() const { return !own_limits_ || question_.limits.l1_bytes_per_core; }

    MemoryLimits limits() const {
        if (own_limits_) return question_.limits;
        MemoryLimits device;
        if (!asked_) return device;
        if (asked_->l1_bytes != 0) device.l1_bytes_per_core = asked_->l1_bytes;
        if (asked_->dram_bank_bytes != 0) device.dram_bytes_per_bank = asked_->dram_bank_bytes;
        return device;
    }

    Bound bound(bool l1) const {
        bool at_least = !failures_.empty() || !list_.source.unlisted_errors.empty();
        for (const Reason& gap : gaps_) {
            switch (gap.kind) {
                case Kind::kSizesNotRecorded:
                case Kind::kNumbersDamaged:
                case Kind::kUnknownVersion:
                    return Bound::kUncertain;
                case Kind::kNodesMissing:
                case Kind::kEventsDropped:
                    if (!damage_.is_prefix()) return Bound::kUncertain;
                    at_least = true;
                    break;
                case Kind::kProgramsNotRecorded:
                    at_least = at_least || l1;
                    break;
                case Kind::kOlderBuffersUnknown:
                    at_least = at_least || (gap.memory == MemoryType::kL1) == l1;
                    break;
                case Kind::kProcessDied:
                case Kind::kMemoryNotSeen:
                case Kind::kMayHaveFailed:
                case Kind::kNothingCaptured:
                case Kind::kNoGraph:
                    at_least = true;
                    break;
                default:
                    break;
            }
        }
        return at_least ? Bound::kAtLeast : Bound::kExact;
    }

    void fill(MemoryUse& use, const Peaks::Highest& highest, std::optional<std::uint64_t> limit,
              std::optional<std::uint64_t> physical, bool l1) {
        // The fullest of several devices counts; one that is beyond the limit before all others.
        const bool beyond = highest.first_beyond != kNoIndex;
        const bool known_beyond = use.first_beyond_node != kNoIndex;
        if (use.node != kNoIndex && (known_beyond || !beyond) && use.peak_bytes >= highest.bytes) return;
        use.peak_bytes = highest.bytes;
        use.bound = bound(l1);
        use.limit_bytes = limit;
        use.physical_bytes = physical;
        use.node = highest.node;
        use.operation = path_at(highest.node);
        use.first_beyond_node = highest.first_beyond;
        use.first_beyond_operation = path_at(highest.first_beyond);
    }

    std::string path_at(std::uint32_t node) const {
        if (node == kNoIndex || node >= lifetimes_.scopes.of_node.size()) return {};
        return lifetimes_.scopes.path(list_, lifetimes_.scopes.of_node[node]);
    }

    void measure() {
        const MemoryLimits limit = limits();
        std::optional<std::uint64_t> l1_physical;
        std::optional<std::uint64_t> dram_physical;
        if (asked_ && asked_->l1_physical_bytes != 0) l1_physical = asked_->l1_physical_bytes;
        if (asked_ && asked_->dram_bank_physical_bytes != 0) dram_physical = asked_->dram_bank_physical_bytes;
        moved_ = other_device_ ? spread_over(list_, lifetimes_, *asked_, kept_sizes_) : MemoryLifetimes();
        const MemoryLifetimes& placed = other_device_ ? moved_ : lifetimes_;
        const std::uint64_t small = own_limits_ || !asked_ ? 0 : asked_->l1_small_bytes;
        fill(judgement_.l1, {}, limit.l1_bytes_per_core, l1_physical, true);
        fill(judgement_.dram, {}, limit.dram_bytes_per_bank, dram_physical, false);
        fill(judgement_.dram_all_banks, {}, limit.dram_bytes_all_banks, {}, false);
        for (std::uint16_t device = 0; device < lifetimes_.devices.size(); ++device) {
            const Peaks peaks = find_peaks(placed, device, limit, small);
            fill(judgement_.l1, peaks.l1, limit.l1_bytes_per_core, l1_physical, true);
            fill(judgement_.dram, peaks.dram, limit.dram_bytes_per_bank, dram_physical, false);
            fill(judgement_.dram_all_banks, peaks.dram_all_banks, limit.dram_bytes_all_banks, {}, false);
        }
    }

    Verdict decide() {
        if (has_gap(Kind::kNoGraph) || has_gap(Kind::kNothingCaptured)) return Verdict::kUnknown;
        if (list_.source.is_damaged()) {
            tell_first({Kind::kUnknownVersion, Kind::kNumbersDamaged});
            note_failures();
            return Verdict::kUnknown;
        }
        if (!own_limits_ && !other_device_ && any_failure(true)) {
            note_failures();
            return Verdict::kDoesNotFit;
        }
        if (!own_limits_ && ran_to_its_end()) {
            if (contradicts_itself()) return Verdict::kUnknown;
            judgement_.reasons.push_back(Reason::of(Kind::kRanToItsEnd));
            if (list_.source.run_mode == "NO_DISPATCH") judgement_.reasons.back().detail = "planned";
            return Verdict::kFits;
        }
        const bool beyond = is_beyond_limits() || finds_no_place() || is_beyond_with_request();
        note_failures();
        if (beyond) return Verdict::kDoesNotFit;
        // Another device's refusal is no failure of this one.
        if (any_failure(false) || (!other_device_ && any_failure(true))) return Verdict::kFailed;
        if (!failures_.empty() || !list_.source.unlisted_errors.empty()) return Verdict::kUnknown;
        return lacks_something() ? Verdict::kUnknown : Verdict::kFits;
    }

    /// Gaps that decide come before all that is known.
    void tell_first(std::initializer_list<Kind> kinds) {
        for (const Kind kind : kinds)
            for (const Reason& gap : gaps_)
                if (gap.kind == kind) judgement_.reasons.push_back(gap);
        std::erase_if(gaps_,
                      [&](const Reason& gap) { return std::ranges::find(kinds, gap.kind) != kinds.end(); });
    }

    /// More was alive than the device has, and nothing was refused: some figure is wrong.
    bool contradicts_itself() {
        bool any = false;
        const auto look = [&](MemoryUse& use, MemoryType memory, const char* unit) {
            if (use.first_beyond_node == kNoIndex) return;
            judgement_.reasons.push_back(use.beyond(Kind::kContradiction, memory, unit));
            use.bound = Bound::kUncertain;
            any = true;
        };
        look(judgement_.l1, MemoryType::kL1, "per core");
        look(judgement_.dram, MemoryType::kDram, "per bank");
        return any;
    }

    bool has_gap(Kind kind) const {
        return std::any_of(gaps_.begin(), gaps_.end(), [kind](const Reason& it) { return it.kind == kind; });
    }

    static Reason refusal(const RecordedFailure& failure) {
        Reason it = refusal_of(failure.read);
        it.node = failure.node;
        it.operation = failure.operation;
        return it;
    }

    bool any_failure(bool of_memory) const {
        return std::any_of(failures_.begin(), failures_.end(), [&](const RecordedFailure& it) {
            return is_lack_of_memory(it.cause()) == of_memory;
        });
    }

    /// NORMAL, or our own planning, went through all of it: then all of it found a place there.
    bool ran_to_its_end() const {
        if (other_device_ || !failures_.empty() || !list_.source.unlisted_errors.empty()) return false;
        for (const Kind kind :
             {Kind::kNodesMissing, Kind::kEventsDropped, Kind::kProcessDied, Kind::kSizesWithoutAddresses,
              Kind::kMessageNotRecorded, Kind::kMayHaveFailed})
            if (has_gap(kind)) return false;
        // A program ran, recorded or not; one that nobody planned proves nothing.
        if (list_.source.run_mode == "NO_DISPATCH" && has_gap(Kind::kProgramsNotRecorded)) return false;
        return !lifetimes_.buffers.empty();
    }

    bool is_beyond_limits() {
        // Sizes that are known for sure only; and of a list with holes nothing is, unless the asker says so.
        if (judgement_.l1.bound == Bound::kUncertain && !question_.accept_incomplete) return false;
        bool beyond = false;
        const auto look = [&](const MemoryUse& use, MemoryType memory, const char* unit) {
            if (use.first_beyond_node == kNoIndex) return;
            judgement_.reasons.push_back(use.beyond(Kind::kExceedsLimit, memory, unit));
            beyond = true;
        };
        if (!other_device_) look(judgement_.l1, MemoryType::kL1, "per core");
        look(judgement_.dram, MemoryType::kDram, "per bank");
        look(judgement_.dram_all_banks, MemoryType::kDram, "over all banks");
        return beyond;
    }

    /// Sizes without addresses, or another device: placed by the devices' rule.
    bool finds_no_place() {
        if (own_limits_ || !asked_ || judgement_.l1.bound == Bound::kUncertain) return false;
        if (!other_device_ && !has_gap(Kind::kSizesWithoutAddresses)) return false;
        const MemoryLifetimes& placed = other_device_ ? moved_ : lifetimes_;
        for (std::uint16_t device = 0; device < lifetimes_.devices.size(); ++device) {
            // Plans of programs on another grid are not known: they count for nothing there.
            const auto failure = internal::find_placement_failure(placed, device, *asked_, other_device_);
            if (!failure) continue;
            Reason it = Reason::of(Kind::kFindsNoPlace);
            it.memory = failure->memory;
            it.bytes = failure->bytes;
            it.limit_bytes = failure->free_bytes;
            it.node = failure->node;
            it.operation = path_at(failure->node);
            it.detail = failure->is_program ? "program memory" : "a tensor";
            judgement_.reasons.push_back(std::move(it));
            return true;
        }
        return false;
    }

    /// On another device: what was alive when memory was refused, and the refused request with it. Tensors
    /// only, and without what rounding to pages adds: a lower bound.
    bool is_beyond_with_request() {
        if (own_limits_ || !other_device_ || !captured_ || lifetimes_.devices.size() != 1) return false;
        if (judgement_.l1.bound == Bound::kUncertain) return false;
        for (const RecordedFailure& failure : failures_) {
            const auto& full = failure.read.out_of_memory;
            if (!full || full->in_l1_small) continue;
            const std::uint64_t banks = full->in_l1 ? asked_->l1_banks : asked_->dram_banks;
            const std::uint64_t limit = full->in_l1 ? asked_->l1_bytes : asked_->dram_bank_bytes;
            const bool over_all_banks =
                full->banks == (full->in_l1 ? captured_->l1_banks : captured_->dram_banks) && banks != 0;
            const std::uint64_t request =
                over_all_banks ? (full->total_bytes + banks - 1) / banks : full->per_bank_bytes;
            Occupancy occupancy(moved_);
            for (const MemoryEvent& event : moved_.events) {
                if (event.node > failure.node) break;
                occupancy.apply(event);
            }
            const Occupancy::Tensors& tensors = occupancy.tensors(0);
            const std::uint64_t bytes = (full->in_l1 ? tensors.l1_bytes : tensors.dram_bytes) + request;
            if (limit == 0 || bytes <= limit) continue;
            Reason it = refusal(failure);
            it.kind = Kind::kExceedsLimit;
            it.bytes = bytes;
            it.limit_bytes = limit;
            it.detail =
                full->in_l1 ? "per core with the refused request" : "per bank with the refused request";
            judgement_.reasons.push_back(std::move(it));
            return true;
        }
        return false;
    }

    void note_failures() {
        for (const RecordedFailure& failure : failures_)
            if (is_lack_of_memory(failure.cause())) judgement_.reasons.push_back(refusal(failure));
        for (const RecordedFailure& failure : failures_) {
            const auto note = [&](Kind kind, std::string detail) {
                Reason it = Reason::of(kind);
                it.node = failure.node;
                it.operation = failure.operation;
                it.detail = std::move(detail);
                judgement_.reasons.push_back(std::move(it));
            };
            if (!is_lack_of_memory(failure.cause()))
                note(Kind::kOperationFailed, short_message(failure.message));
            if (!goes_on_after(list_, lifetimes_.scopes, failure)) note(Kind::kCutShort, "");
        }
    }

    bool lacks_something() const {
        if (question_.accept_incomplete) return false;
        for (const Reason& gap : gaps_) {
            switch (gap.kind) {
                case Kind::kProgramsNotRecorded:
                    if (asks_l1()) return true;
                    break;
                case Kind::kOlderBuffersUnknown:
                    if (gap.memory == MemoryType::kL1 && asks_l1()) return true;
                    break;
                case Kind::kSizesWithoutAddresses:  // placed above
                case Kind::kUnknownSections:
                    break;
                case Kind::kNoDeviceRecord:
                    if (!own_limits_) return true;
                    break;
                default:
                    return true;
            }
        }
        return other_device_ && asks_l1() && depends_on_grid();
    }

    bool depends_on_grid() const { return !lifetimes_.programs.empty() || kept_sizes_ != 0; }

    Reason other_device_reason() const {
        Reason it = Reason::of(Kind::kOtherDevice);
        it.count = lifetimes_.programs.size();
        it.total = kept_sizes_;
        it.detail = captured_ ? captured_->name : "";
        it.operation = asked_->name;
        return it;
    }

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    const Question& question_;
    const bool own_limits_;
    const internal::ListDamage damage_;
    const std::vector<RecordedFailure> failures_;
    std::vector<Reason> gaps_;
    std::optional<DeviceLimits> captured_, asked_;
    bool other_device_ = false;
    std::uint32_t kept_sizes_ = 0;
    MemoryLifetimes moved_;
    Judgement judgement_;
};

}  // namespace

Judgement judge(const NodeList& list, const MemoryLifetimes& lifetimes, const Question& question) {
    return Judge(list, lifetimes, question).run();
}

}  // namespace tilemeter::analysis
