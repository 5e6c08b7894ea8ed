// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/query/placement.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "runtime/query/internal/placement_moves.hpp"
#include "runtime/types/runtime_error.hpp"

namespace tilemeter::query {

namespace {

using internal::Attempt;
using internal::ConfigNumber;
using internal::Copy;
using internal::Draft;
using internal::DraftBeginning;
using internal::DraftChoice;
using internal::DraftCopy;
using internal::kShards;
using internal::PlacementDrafts;
using internal::PlacementMoves;
using internal::PlacementPlanner;
using internal::Shards;

/// Functions of so many calls that may be placed, or fewer, are enumerated.
constexpr std::size_t kEnumerated = 8;
/// Of these, so many ways to lie in shards are planned at most, for a budget and a copy.
constexpr std::size_t kWays = 4096;
/// So many parts of L1 are tried below a budget.
constexpr std::uint64_t kLevels = 10;
class Search : private PlacementMoves {
public:
    Search(const std::shared_ptr<Device>& device, const AllocatorState& state,
           const PlaceableProgram& program, const PlacementCost& cost)
        : PlacementMoves(device, state, program, cost), counts_bytes_(!cost) {}

    using PlacementMoves::bytes, PlacementMoves::choices, PlacementMoves::gain, PlacementMoves::least,
        PlacementMoves::reads;

    PlacementPlanner& planner() { return planner_; }
    std::size_t planned() const { return planner_.planned() + drafts_.planned_count(); }
    /// What was found, planned as a whole; what compilers do, and all in DRAM, beside it.
    struct Outcome {
        Attempt found, greedy, in_dram;
    };

    Outcome outcome(std::optional<std::uint64_t> l1) {
        Outcome made;
        made.in_dram = exact(all_in(dram_), l1);
        set_budget(l1);
        const auto last_first = [&](std::size_t number) { return life_end_[number]; };
        Draft farthest_draft = farthest();
        made.greedy =
            exact(farthest_draft.choice, l1, [&](std::size_t number) { return last_first(number); });
        made.found = made.greedy;
        if (is_least(farthest_draft) && made.greedy.fits() && made.greedy.dram_bytes <= least()) return made;
        const std::uint64_t top = std::min(l1.value_or(planner_.bank()), planner_.bank());
        for (std::uint64_t part = 1; part < kLevels; ++part) {
            const std::uint64_t level = planner_.bank() * part / kLevels;
            if (level >= top || level <= planner_.alive()) continue;
            set_budget(level);
            if (Draft best = search(); best.fits()) found_.push_back(std::move(best.choice));
        }
        set_budget(l1);
        const Draft best = search();
        const auto saves_least = [&](std::size_t number) { return -static_cast<double>(gain(number)); };
        take(made.found, exact(best.choice, l1, saves_least));
        // What the cache of programs has decided otherwise may cost more than what was found for less of L1.
        for (auto known = found_.rbegin(); known != found_.rend(); ++known) {
            const Draft draft = drafts_.planned(*known, beginning_, &best);
            if (draft.cost() < made.found.cost) take(made.found, exact(*known, l1, saves_least));
        }
        take(made.found, made.in_dram);
        return made;
    }

    /// The step that finds no place if the results of this call lie in L1, too.
    std::string why_in_dram(const Draft& found, std::size_t number) {
        DraftChoice other = found.choice;
        other.put.set(number, l1_);
        const Draft draft = drafts_.planned(std::move(other), beginning_, &found);
        if (draft.fits())
            return "fits, and costs " +
                   std::to_string(static_cast<std::int64_t>(draft.cost() - found.cost())) + " more";
        const PlaceableCall& at = program_.calls[draft.failed_call];
        const Refusal& refusal = draft.failure->refusal;
        std::string text = at.name + (at.source.empty() ? "" : " (" + at.source + ")") + ": " +
                           std::string(name_of(refusal.kind));
        if (refusal.bytes_wanted != 0)
            text += ", " + std::to_string(refusal.bytes_wanted) + " B per bank wanted, " +
                    std::to_string(refusal.largest_free_block) + " free in one piece";
        return text;
    }

    /// Of a placement that was planned as a whole.
    Draft draft_of(const Placement& placement) {
        DraftChoice choice = own_;
        for (const std::size_t number : choices_)
            choice.put.set(number, number_of(*placement.put[number]));
        for (const PlacedConversion& each : placement.conversions)
            choice.add({each.value, each.begin, each.end, number_of(each.memory_config)});
        return drafts_.planned(std::move(choice), beginning_);
    }

private:
    void set_budget(std::optional<std::uint64_t> l1) {
        beginning_ = drafts_.begin(planner_.within(l1));
        settled_.clear();
    }

    Draft planned(DraftChoice choice, const Draft* like = nullptr) {
        return drafts_.planned(std::move(choice), beginning_, like);
    }

    /// Planned as a whole.
    Attempt exact(const DraftChoice& choice, std::optional<std::uint64_t> l1) {
        return planner_.attempt(placement_of(choice), l1);
    }

    /// The same, and where a step finds no place, what ranks highest there sent to DRAM: one, and if that goes on, twice as many
    /// each time.
    template <typename Rank>
    Attempt exact(DraftChoice choice, std::optional<std::uint64_t> l1, const Rank& rank) {
        constexpr std::size_t kOneByOne = 8;
        for (std::size_t round = 0;; ++round) {
            Attempt attempt = exact(choice, l1);
            if (attempt.fits()) return attempt;
            const std::size_t count =
                round < kOneByOne ? 1 : std::size_t{1} << std::min<std::size_t>(20, round - kOneByOne);
            bool is_changed = false;
            for (std::size_t i = 0; i < count; ++i) {
                const auto victim = victim_at(choice, attempt.failed_call, rank);
                if (!victim) break;
                send_to_dram(choice, *victim);
                is_changed = true;
            }
            const auto had_copies = choice.copies.size();
            if (!is_changed)
                std::erase_if(choice.copies, [&](const DraftCopy& each) {
                    return each.begin <= attempt.failed_call && attempt.failed_call < each.end;
                });
            if (!is_changed && choice.copies.size() == had_copies) return attempt;
        }
    }

    /// Where a step finds no place, what is alive in L1 and ranks highest goes to DRAM, until all fits.
    template <typename Rank>
    Draft greedy(DraftChoice choice, const Rank& rank) {
        Draft draft = planned(std::move(choice));
        while (!draft.fits()) {
            const auto victim = victim_at(draft.choice, draft.failed_call, rank);
            if (!victim) return draft;
            DraftChoice changed = draft.choice;
            changed.put.set(*victim, dram_);
            draft = planned(std::move(changed), &draft);
        }
        return draft;
    }

    /// What compilers do: what is read last goes first.
    Draft farthest() {
        return greedy(all_in(l1_), [&](std::size_t number) { return life_end_[number]; });
    }

    /// The cheapest that was found within the budget.
    Draft search() {
        Draft best = farthest();
        if (!best.fits() || is_least(best)) return best;
        const auto better = [&](Draft other) { take(best, std::move(other)); };
        const auto saved = [&](std::size_t number) { return static_cast<double>(gain(number)); };
        const auto steps = [&](std::size_t number) {
            return static_cast<double>(std::max<std::size_t>(1, life_end_[number] - number));
        };
        const auto by_step = [&](std::size_t number) { return -saved(number) / steps(number); };
        const DraftChoice in_l1 = all_in(l1_);
        better(greedy(in_l1, by_step));
        better(greedy(in_l1, [&](std::size_t number) { return -saved(number); }));
        better(greedy(in_l1, [&](std::size_t number) {
            return by_step(number) / static_cast<double>(std::max<std::uint64_t>(1, bytes(number)));
        }));
        for (const bool all_in_l1 : {false, true})
            better(greedy(as_it_is(all_in_l1), by_step));
        if (choices_.size() <= kEnumerated) enumerate(best, nullptr);
        for (const DraftChoice& known : found_)
            better(planned(known, &best));
        if (choices_.size() <= kEnumerated && program_.convert) {
            // Most often interleaved tensors and shards of rows decide.
            enumerate_ways(best, nullptr, 2);
            enumerate_ways(best, nullptr, kShards.size());
            for (std::size_t value = 0; value < bytes_.size(); ++value) {
                for (const Copy& copy : copies_of(value)) {
                    enumerate(best, &copy);
                    enumerate_ways(best, &copy, 2);
                }
            }
        }
        while (better_by_places(best) || better_by_conversions(best)) {
        }
        return best;
    }

    /// Which choices a number stands for: those of the last calls change first, so that drafts have the most in common.
    bool has_choice(std::uint64_t chosen, std::size_t i) const {
        return (chosen >> (choices_.size() - 1 - i) & 1) != 0;
    }

    /// Each choice of DRAM and interleaved L1; with a copy (null: none).
    void enumerate(Draft& best, const Copy* copy) {
        std::optional<Draft> last;
        for (std::uint64_t chosen = 0; chosen < std::uint64_t{1} << choices_.size(); ++chosen) {
            DraftChoice choice = own_;
            for (std::size_t i = 0; i < choices_.size(); ++i)
                choice.put.set(choices_[i], has_choice(chosen, i) ? l1_ : dram_);
            if (copy != nullptr) {
                if (would_lie_in_dram(choice, copy->conversion.value) == copy->is_spill) continue;
                choice.add(copy->conversion);
            }
            last = planned(std::move(choice), last ? &*last : nullptr);
            if (last->cost() < best.cost()) best = *last;
        }
    }

    /// Each choice of DRAM, interleaved L1 and shards of the first kinds, call by call; with a copy (null: none). What fails up to the
    /// next choice, or can't cost less than what is known, is not followed.
    void enumerate_ways(Draft& best, const Copy* copy, std::size_t kinds) {
        DraftChoice choice = all_in(dram_);
        if (copy != nullptr) choice.add(copy->conversion);
        const Draft in_dram = planned(std::move(choice));
        if (!in_dram.fits()) return;
        Ways ways{copy, kinds, kWays, {}};
        for (std::size_t number = 0; number < program_.calls.size(); ++number)
            ways.is_paid.push_back(in_dram.costs[number].dram_bytes != 0);
        follow(best, in_dram, 0, ways);
    }

    struct Ways {
        const Copy* copy;
        std::size_t kinds, left;
        std::vector<bool> is_paid;  // by call: it reads and writes, a view does not
    };

    /// The choices before `next` are made, all behind lie in DRAM.
    void follow(Draft& best, const Draft& above, std::size_t next, Ways& ways) {
        if (next == choices_.size()) {
            take(best, above);
            return;
        }
        const std::size_t number = choices_[next];
        const std::size_t end = next + 1 == choices_.size() ? program_.calls.size() : choices_[next + 1];
        for (std::size_t kind = 0; kind <= ways.kinds && ways.left != 0; ++kind) {
            const bool is_in_dram = kind == ways.kinds;
            if (ways.copy != nullptr && maker_[ways.copy->conversion.value] == number &&
                is_in_dram == ways.copy->is_spill)
                continue;
            DraftChoice choice = above.choice;
            if (!is_in_dram && !put_in_l1(choice, number, kShards[kind])) continue;
            --ways.left;
            const Draft draft = is_in_dram ? above : planned(std::move(choice), &above);
            if (!draft.fits() && draft.failed_call < end) continue;
            if (counts_bytes_ && least_of(draft, end, ways) >= best.cost()) continue;
            follow(best, draft, next + 1, ways);
        }
    }

    /// What the calls before `end` cost, and no less than what those from there on do, wherever what is not decided goes.
    double least_of(const Draft& draft, std::size_t end, const Ways& ways) {
        double least = 0;
        for (std::size_t number = 0; number < end; ++number)
            least += draft.costs[number].cost;
        for (std::size_t value = 0; value < bytes_.size(); ++value) {
            const std::size_t maker = maker_[value];
            const bool is_input = maker == program_.calls.size();
            if (!is_input && maker >= end) {
                if (stays_[value] && ways.is_paid[maker] && draft.choice.put[maker] != 0 &&
                    would_lie_in_dram(draft.choice, value))
                    least += static_cast<double>(bytes_[value]);
                continue;
            }
            // Where a call has put its results by itself, operands decide.
            if (!is_input && draft.choice.put[maker] == 0) continue;
            if (!would_lie_in_dram(draft.choice, value)) continue;
            for (const std::size_t number : reads_[value]) {
                const bool is_copied = ways.copy != nullptr && ways.copy->conversion.value == value &&
                                       ways.copy->conversion.begin <= number &&
                                       number < ways.copy->conversion.end;
                if (number >= end && ways.is_paid[number] && !is_copied)
                    least += static_cast<double>(bytes_[value]);
            }
        }
        return least;
    }

    /// The calls that were planned while something was tried in vain, and what they were then: as long as they are the same, it is
    /// in vain again.
    struct Settled {
        std::size_t from = std::numeric_limits<std::size_t>::max(), to = 0;
        std::uint64_t hash = 0;

        void take_in(const Draft& draft) {
            from = std::min(from, draft.walked_from);
            to = std::max(to, draft.walked_to);
        }
    };

    bool is_settled(std::size_t what, const Draft& best) const {
        const auto found = settled_.find(what);
        return found != settled_.end() &&
               found->second.hash == PlacementDrafts::hash_of(best, found->second.from, found->second.to);
    }
    void settle(std::size_t what, const Draft& best) {
        if (tried_.from <= tried_.to) tried_.hash = PlacementDrafts::hash_of(best, tried_.from, tried_.to);
        settled_[what] = tried_;
    }

    /// What is in DRAM goes to L1, alone or in the place of what saves less.
    bool better_by_places(Draft& best) {
        std::vector<std::size_t> outside;
        for (const std::size_t number : choices_)
            if (!is_in_l1(best.choice, number) && !is_settled(number, best)) outside.push_back(number);
        std::ranges::stable_sort(outside, std::ranges::greater(), [&](auto number) { return gain(number); });
        bool is_better = false;
        for (const std::size_t number : outside) {
            tried_ = {};
            bool is_taken = false;
            for (const Shards& shards : kShards) {
                if (shards && !program_.convert) break;
                DraftChoice choice = best.choice;
                std::erase_if(choice.copies,
                              [&](const DraftCopy& each) { return maker_[each.value] == number; });
                if (!put_in_l1(choice, number, shards)) continue;
                Draft draft = made_to_fit(best, std::move(choice), shards, number, gain(number));
                if (!is_less(draft.cost(), best.cost())) continue;
                best = std::move(draft);
                is_taken = is_better = true;
                break;
            }
            if (!is_taken) settle(number, best);
        }
        return is_better;
    }

    /// Planned, and where a step finds no place, its tensors in L1 put in shards, then what saves least sent to DRAM; where a call
    /// takes no shards, a copy of them made that it takes. Given up once more is lost than `gained`.
    Draft made_to_fit(const Draft& like, DraftChoice choice, const Shards& shards,
                      std::optional<std::size_t> kept, std::uint64_t gained) {
        std::uint64_t lost = 0;
        std::set<std::size_t> in_shards;  // calls around which all has been put in shards
        std::optional<Draft> last;
        while (true) {
            last = planned(choice, last ? &*last : &like);
            tried_.take_in(*last);
            if (last->fits()) return std::move(*last);
            const RefusalKind kind = last->failure->refusal.kind;
            // A call also refuses arguments that leave its program too little of L1.
            if ((kind == RefusalKind::kBadArgument || kind == RefusalKind::kNotSupported) &&
                convert_operands(choice, last->failed_call))
                continue;
            const std::size_t at = last->failed_call;
            if (shards && in_shards.insert(at).second && shard_around(choice, at, *shards)) continue;
            std::optional<std::size_t> victim;
            for (const std::size_t number : alive_at_[at])
                if (number != kept && is_in_l1_at(choice, number, at) &&
                    (!victim || gain(number) < gain(*victim)))
                    victim = number;
            if (!victim) return std::move(*last);
            lost += gain(*victim);
            if (lost >= gained) return std::move(*last);
            send_to_dram(choice, *victim);
        }
    }

    /// Values that are read often: a copy in L1 of one in DRAM, or one in L1 that goes to DRAM after its first reads.
    bool better_by_conversions(Draft& best) {
        if (!program_.convert) return false;
        bool is_better = false;
        for (std::size_t value = 0; value < bytes_.size(); ++value) {
            if (reads_[value].size() < 3) continue;
            const bool is_converted = std::ranges::any_of(
                best.choice.copies, [&](const DraftCopy& each) { return each.value == value; });
            const std::size_t what = program_.calls.size() + value;
            if (is_converted || !would_lie_in_dram(best.choice, value) || is_settled(what, best)) continue;
            tried_ = {};
            bool is_taken = false;
            for (const Copy& copy : copies_of(value)) {
                DraftChoice choice = best.choice;
                if (copy.is_spill) choice.put.set(maker_[value], l1_);
                choice.add(copy.conversion);
                const auto kept = copy.is_spill ? std::optional(maker_[value]) : std::nullopt;
                is_taken = take_fitting(best, choice, kept, copy.gained);
                if (is_taken) break;
            }
            if (!is_taken) settle(what, best);
            is_better = is_better || is_taken;
        }
        return is_better;
    }

    /// Made to fit as it lies, or in shards.
    bool take_fitting(Draft& best, const DraftChoice& choice, std::optional<std::size_t> kept,
                      std::uint64_t gained) {
        return std::ranges::any_of(kShards, [&](const Shards& shards) {
            return take(best, made_to_fit(best, choice, shards, kept, gained));
        });
    }

    /// By more than sums of a caller's costs in another order may differ.
    static bool is_less(double cost, double than) {
        return cost < than - 1e-9 * than || (cost < than && than > 1e300);
    }

    static bool take(Draft& best, Draft draft) {
        if (!is_less(draft.cost(), best.cost())) return false;
        best = std::move(draft);
        return true;
    }
    static void take(Attempt& best, Attempt attempt) {
        if (attempt.cost < best.cost) best = std::move(attempt);
    }

    /// Nothing is cheaper.
    bool is_least(const Draft& draft) const {
        return counts_bytes_ && draft.fits() && draft.total.moved_bytes == 0 &&
               draft.total.dram_bytes <= least();
    }

    const bool counts_bytes_;  // the cost is the sum of the bytes
    DraftBeginning beginning_;
    std::vector<DraftChoice> found_;
    std::map<std::size_t, Settled> settled_;  // by call, or by their number and a value
    Settled tried_;
};

}  // namespace

void fill_in_specs(const std::shared_ptr<Device>& device, PlaceableProgram& program) {
    std::size_t count = program.inputs.size();
    for (const PlaceableCall& call : program.calls)
        for (const std::size_t value : call.results)
            count = std::max(count, value + 1);
    program.specs.assign(count, {});
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
        program.specs[i] = program.inputs[i].spec;
    for (const PlaceableCall& call : program.calls) {
        std::vector<TensorSpec> operands;
        for (const std::size_t value : call.operands)
            operands.push_back(program.specs[value]);
        const Answer answer = ask(device, operands, [&call](std::span<const Tensor> tensors) {
            return call.function(tensors, nullptr);
        });
        if (answer.refusal) throw RuntimeError(call.name + ": " + answer.error);
        for (std::size_t i = 0; i < call.results.size() && i < answer.output_specs.size(); ++i)
            program.specs[call.results[i]] = answer.output_specs[i];
    }
}

PlacedProgram place_program(const std::shared_ptr<Device>& device, const AllocatorState& state,
                            const PlaceableProgram& program, const PlacementOptions& options) {
    Search search(device, state, program, options.cost);
    const std::optional<std::uint64_t> l1 = options.l1;
    PlacedProgram placed;
    placed.l1 = std::min(l1.value_or(search.planner().bank()), search.planner().bank());
    Search::Outcome outcome = search.outcome(l1);
    Attempt& found = outcome.found;
    if (!found.fits())
        throw RuntimeError("place: l1: expected more than " + std::to_string(placed.l1) +
                           " B per core, with nothing in L1 that need not be there " +
                           outcome.in_dram.plan.failure->error);
    placed.greedy_dram_bytes = outcome.greedy.fits() ? outcome.greedy.dram_bytes : outcome.in_dram.dram_bytes;
    placed.all_dram_bytes = outcome.in_dram.dram_bytes;
    placed.least_dram_bytes = search.least();
    const Draft draft = search.draft_of(found.placement);
    for (const std::size_t number : search.choices()) {
        PlacedCall& call = placed.placed_calls.emplace_back();
        call.call = number;
        call.memory_config = *found.placement.put[number];
        call.bytes = search.bytes(number);
        call.reads = search.reads(number);
        call.saves = search.gain(number);
        if (call.memory_config.buffer_type == BufferType::DRAM) call.why = search.why_in_dram(draft, number);
    }
    placed.planned = search.planned();
    placed.steps = steps_of(program, found.placement);
    internal::free_shared_memory_once(program, found.plan, placed.steps);
    placed.placement = std::move(found.placement);
    placed.cost = found.cost;
    placed.dram_bytes = found.dram_bytes;
    placed.moved_bytes = found.moved_bytes;
    placed.peak_l1 = found.peak_l1;
    placed.plan = std::move(found.plan);
    return placed;
}

}  // namespace tilemeter::query
