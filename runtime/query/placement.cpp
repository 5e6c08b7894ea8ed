// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/query/placement.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "runtime/query/internal/placement_draft.hpp"
#include "runtime/query/internal/placement_plan.hpp"
#include "runtime/types/runtime_error.hpp"

namespace tilemeter::query {

namespace {

using internal::Attempt;
using internal::ConfigNumber;
using internal::Draft;
using internal::DraftBeginning;
using internal::DraftChoice;
using internal::DraftCopy;
using internal::PlacementDrafts;
using internal::PlacementPlanner;

/// Functions of so many calls that may be placed, or fewer, are enumerated.
constexpr std::size_t kEnumerated = 8;
/// Of these, so many ways to lie in shards are planned at most, for a budget and a copy.
constexpr std::size_t kWays = 4096;
/// So many parts of L1 are tried below a budget.
constexpr std::uint64_t kLevels = 10;
/// Of a value that is read more often, copies for half of its reads, a quarter and so on are tried, not for each number.
constexpr std::size_t kReadsInARow = 8;

/// How tensors lie around a call that finds no place: as they do, or in shards, on which its program needs less of its own.
using Shards = std::optional<TensorMemoryLayout::Value>;
constexpr std::array<Shards, 4> kShards = {std::nullopt, TensorMemoryLayout::HEIGHT_SHARDED,
                                           TensorMemoryLayout::BLOCK_SHARDED,
                                           TensorMemoryLayout::WIDTH_SHARDED};

/// A conversion, and the bytes of DRAM that it saves if all else stays.
struct Copy {
    DraftCopy conversion;
    std::uint64_t gained = 0;
    bool is_spill = false;
};

class Search {
public:
    Search(const std::shared_ptr<Device>& device, const AllocatorState& state,
           const PlaceableProgram& program, const PlacementCost& cost)
        : program_(program),
          planner_(device, state, program, cost),
          drafts_(device, program, cost),
          dram_(drafts_.states().number_of(DRAM_MEMORY_CONFIG)),
          l1_(drafts_.states().number_of(L1_MEMORY_CONFIG)),
          counts_bytes_(!cost) {
        const std::size_t value_count = program.specs.size(), call_count = program.calls.size();
        last_use_.assign(value_count, 0);
        reads_.assign(value_count, {});
        maker_.assign(value_count, call_count);
        for (const TensorSpec& each : program.specs)
            bytes_.push_back(internal::bytes_of(each));
        stays_.assign(value_count, false);
        for (const std::size_t value : program.results)
            stays_[value] = true;
        own_.put.resize(call_count);
        is_choice_.assign(call_count, false);
        for (std::size_t number = 0; number < call_count; ++number) {
            const PlaceableCall& call = program.calls[number];
            for (const std::size_t value : std::set(call.operands.begin(), call.operands.end()))
                reads_[value].push_back(number);
            bool is_kept = false;
            for (const std::size_t value : call.results) {
                if (maker_[value] == call_count) maker_[value] = number;
                is_kept = is_kept || stays_[value];
            }
            if (!call.takes_memory_config || call.results.empty()) continue;
            if (!is_kept) {
                choices_.push_back(number);
                is_choice_[number] = true;
            } else if (const MemoryConfig& own = program.specs[call.results.front()].memory_config;
                       !own.is_sharded()) {
                own_.put.set(number, number_of(own));  // stays there, wherever its operands go
            }
        }
        for (std::size_t value = 0; value < value_count; ++value) {
            last_use_[value] = reads_[value].empty() ? maker_[value] : reads_[value].back();
            if (stays_[value]) last_use_[value] = call_count;
        }
        alive_at_.resize(call_count);
        life_end_.assign(call_count, 0);
        gain_.assign(call_count, 0);
        for (const std::size_t number : choices_) {
            life_end_[number] = number;
            for (const std::size_t value : program.calls[number].results)
                life_end_[number] = std::max(life_end_[number], last_use_[value]);
            for (std::size_t call = number; call <= life_end_[number] && call < call_count; ++call)
                alive_at_[call].push_back(number);
            gain_[number] = sum(number, [&](auto v) { return bytes_[v] * (1 + reads_[v].size()); });
        }
    }

    PlacementPlanner& planner() { return planner_; }
    std::size_t planned() const { return planner_.planned() + drafts_.planned_count(); }
    const std::vector<std::size_t>& choices() const { return choices_; }
    std::uint64_t bytes(std::size_t number) const {
        return sum(number, [&](auto v) { return bytes_[v]; });
    }
    std::uint64_t reads(std::size_t number) const {
        return sum(number, [&](auto v) { return reads_[v].size(); });
    }
    /// The bytes that stay away from DRAM if the results of a call lie in L1.
    std::uint64_t gain(std::size_t number) const { return gain_[number]; }

    /// Each input in DRAM that is read, and each result that lies there, once: no placement costs less.
    std::uint64_t least() const {
        std::uint64_t least = 0;
        for (std::size_t value = 0; value < bytes_.size(); ++value) {
            const bool counts = value < program_.inputs.size() ? !reads_[value].empty() : bool{stays_[value]};
            if (counts && program_.specs[value].memory_config.buffer_type == BufferType::DRAM)
                least += bytes_[value];
        }
        return least;
    }

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
    template <typename Of>
    std::uint64_t sum(std::size_t number, const Of& of) const {
        std::uint64_t sum = 0;
        for (const std::size_t value : program_.calls[number].results)
            sum += of(value);
        return sum;
    }

    ConfigNumber number_of(const MemoryConfig& config) { return drafts_.states().number_of(config); }
    const MemoryConfig& config(ConfigNumber number) { return drafts_.states().config(number); }

    void set_budget(std::optional<std::uint64_t> l1) {
        beginning_ = drafts_.begin(planner_.within(l1));
        settled_.clear();
    }

    Draft planned(DraftChoice choice, const Draft* like = nullptr) {
        return drafts_.planned(std::move(choice), beginning_, like);
    }

    DraftChoice all_in(ConfigNumber memory) const {
        DraftChoice choice = own_;
        for (const std::size_t number : choices_)
            choice.put.set(number, memory);
        return choice;
    }

    /// As the program has it by itself; what it puts in DRAM in L1, too.
    DraftChoice as_it_is(bool all_in_l1) {
        DraftChoice choice = own_;
        for (const std::size_t number : choices_) {
            const MemoryConfig& own = program_.specs[program_.calls[number].results.front()].memory_config;
            const bool is_in_l1 = own.buffer_type == BufferType::L1;
            choice.put.set(number, is_in_l1 ? number_of(own.made_anew()) : all_in_l1 ? l1_ : dram_);
        }
        return choice;
    }

    Placement placement_of(const DraftChoice& choice) {
        Placement placement;
        for (std::size_t i = 0; i < choice.put.size(); ++i)
            placement.put.push_back(choice.put[i] == 0 ? std::nullopt : std::optional(config(choice.put[i])));
        for (const DraftCopy& each : choice.copies)
            placement.conversions.push_back({each.value, each.begin, each.end, config(each.config)});
        return placement;
    }

    bool is_in_l1(const DraftChoice& choice, std::size_t number) {
        return config(choice.put[number]).buffer_type == BufferType::L1;
    }

    /// Whether its results lie in L1 while the call runs. A copy of theirs in DRAM ends that.
    bool is_in_l1_at(const DraftChoice& choice, std::size_t number, std::size_t call) {
        if (!is_in_l1(choice, number) || call < number) return false;
        std::size_t end = life_end_[number];
        for (const DraftCopy& each : choice.copies)
            if (maker_[each.value] == number && each.config == dram_) end = std::min(end, each.begin);
        return call <= end;
    }

    /// Of what lies in L1 while the call runs, what ranks highest, the last of several; none: nothing does.
    template <typename Rank>
    std::optional<std::size_t> victim_at(const DraftChoice& choice, std::size_t call, const Rank& rank) {
        std::optional<std::size_t> victim;
        for (const std::size_t number : alive_at_[call])
            if (is_in_l1_at(choice, number, call) && (!victim || rank(number) >= rank(*victim)))
                victim = number;
        return victim;
    }

    void send_to_dram(DraftChoice& choice, std::size_t number) const {
        choice.put.set(number, dram_);
        std::erase_if(choice.copies, [&](const DraftCopy& each) { return maker_[each.value] == number; });
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

    /// False: not in these shards.
    bool put_in_l1(DraftChoice& choice, std::size_t number, const Shards& shards) {
        if (!shards) {
            choice.put.set(number, l1_);
            return true;
        }
        const auto [known, is_new] = shards_.try_emplace({number, *shards}, ConfigNumber{0});
        if (is_new) {
            const std::vector<std::size_t>& results = program_.calls[number].results;
            // Some calls choose shards by themselves.
            const TensorSpec& own = program_.specs[results.front()];
            const bool is_own = own.memory_config.memory_layout == *shards && own.memory_config.shard_spec;
            const auto config = is_own ? std::optional(own.memory_config.made_anew())
                                       : internal::shards_of(own, *shards, planner_.grid());
            if (results.size() == 1 && config) known->second = number_of(*config);
        }
        if (known->second == 0) return false;
        choice.put.set(number, known->second);
        return true;
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

    /// The call's result and operands that may be placed and lie in L1, in shards; false: nothing changed.
    bool shard_around(DraftChoice& choice, std::size_t call, const Shards& shards) {
        bool is_changed = false;
        const auto put = [&](std::size_t number) {
            if (number == program_.calls.size() || !is_choice_[number] || !is_in_l1(choice, number) ||
                config(choice.put[number]).is_sharded())
                return;
            is_changed = put_in_l1(choice, number, shards) || is_changed;
        };
        put(call);
        for (const std::size_t value : program_.calls[call].operands)
            put(maker_[value]);
        return is_changed;
    }

    /// Interleaved copies of the shards that the call reads and does not take, or its own result interleaved; false: there are none.
    bool convert_operands(DraftChoice& choice, std::size_t call) {
        if (!program_.convert) return false;
        const std::vector<std::size_t>& operands = program_.calls[call].operands;
        const auto is_sharded = [&](std::size_t number) {
            return choice.put[number] != 0 && config(choice.put[number]).is_sharded();
        };
        bool is_changed = false;
        for (const std::size_t value : std::set(operands.begin(), operands.end())) {
            const std::size_t maker = maker_[value];
            if (maker == program_.calls.size() || !is_sharded(maker)) continue;
            const bool has_copy = std::ranges::any_of(choice.copies, [&](const DraftCopy& each) {
                return each.value == value && each.begin <= call && call < each.end;
            });
            if (has_copy) continue;
            choice.add({value, call, call + 1, l1_});
            is_changed = true;
        }
        if (!is_changed && is_sharded(call)) {
            choice.put.set(call, l1_);
            is_changed = true;
        }
        return is_changed;
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

    /// Of a value in DRAM in L1, for its reads in a row that save something; of one in L1 in DRAM, behind its first reads. From those
    /// that gain most.
    std::vector<Copy> copies_of(std::size_t value) const {
        const std::vector<std::size_t>& reads = reads_[value];
        std::vector<Copy> copies;
        if (reads.size() < 3) return copies;
        for (std::size_t count = reads.size(); count >= 3;
             count = count > kReadsInARow ? (count + 1) / 2 : count - 1) {
            const std::size_t stride = count > kReadsInARow ? count / 2 : 1;
            for (std::size_t first = 0; first + count <= reads.size(); first += stride)
                copies.push_back(
                    {{value, reads[first], reads[first + count - 1] + 1, l1_}, bytes_[value] * (count - 2)});
        }
        const std::size_t maker = maker_[value];
        if (maker == program_.calls.size() || !is_choice_[maker] || program_.calls[maker].results.size() != 1)
            return copies;
        for (std::size_t count = reads.size() - 1; count >= 2;
             count = count > kReadsInARow ? (count + 1) / 2 : count - 1)
            copies.push_back(
                {{value, reads[count - 1] + 1, reads.back() + 1, dram_}, bytes_[value] * (count - 1), true});
        return copies;
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

    /// Where calls put their results by themselves, as the program alone has it.
    bool would_lie_in_dram(const DraftChoice& choice, std::size_t value) {
        const std::size_t maker = maker_[value];
        if (maker != program_.calls.size() && choice.put[maker] != 0)
            return config(choice.put[maker]).buffer_type == BufferType::DRAM;
        return program_.specs[value].memory_config.buffer_type == BufferType::DRAM;
    }

    /// Nothing is cheaper.
    bool is_least(const Draft& draft) const {
        return counts_bytes_ && draft.fits() && draft.total.moved_bytes == 0 &&
               draft.total.dram_bytes <= least();
    }

    const PlaceableProgram& program_;
    PlacementPlanner planner_;
    PlacementDrafts drafts_;
    const ConfigNumber dram_, l1_;
    const bool counts_bytes_;  // the cost is the sum of the bytes
    std::vector<std::uint64_t> bytes_;
    std::vector<std::vector<std::size_t>> reads_;  // by value: the calls, rising
    std::vector<std::size_t> maker_, last_use_;    // by value: a call, their number where there is none
    std::vector<bool> stays_, is_choice_;
    std::vector<std::size_t> choices_;  // one for each call: all results of a call go to one memory
    std::vector<std::vector<std::size_t>>
        alive_at_;  // by call: the choices whose results are alive while it runs
    std::vector<std::size_t> life_end_;
    std::vector<std::uint64_t> gain_;
    DraftChoice own_;  // of calls that nobody chooses for
    DraftBeginning beginning_;
    std::vector<DraftChoice> found_;
    std::map<std::size_t, Settled> settled_;  // by call, or by their number and a value
    Settled tried_;
    std::map<std::pair<std::size_t, TensorMemoryLayout::Value>, ConfigNumber> shards_;
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
