// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/query/placement.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "runtime/query/internal/placement_plan.hpp"
#include "runtime/types/runtime_error.hpp"

namespace tilemeter::query {

namespace {

using internal::Attempt;
using internal::PlacementPlanner;

/// Functions of so many calls that may be placed, or fewer, are enumerated.
constexpr std::size_t kEnumerated = 8;
/// Of these, so many ways to lie in shards are planned for a budget at most.
constexpr std::size_t kShardPlans = 512;
/// So many parts of L1 are tried below a budget.
constexpr std::uint64_t kLevels = 10;

/// How tensors lie around a call that finds no place: as they do, or in shards, on which its program needs less of its own.
using Shards = std::optional<TensorMemoryLayout::Value>;
constexpr std::array<Shards, 4> kShards = {std::nullopt, TensorMemoryLayout::HEIGHT_SHARDED,
                                           TensorMemoryLayout::BLOCK_SHARDED,
                                           TensorMemoryLayout::WIDTH_SHARDED};

/// A conversion, and the bytes of DRAM that it saves if all else stays.
struct Copy {
    PlacedConversion conversion;
    std::uint64_t gained = 0;

    bool is_spill() const { return conversion.memory_config.buffer_type == BufferType::DRAM; }
};

class Search {
public:
    Search(const std::shared_ptr<Device>& device, const AllocatorState& state,
           const PlaceableProgram& program, const PlacementCost& cost)
        : program_(program), planner_(device, state, program, cost), counts_bytes_(!cost) {
        const std::size_t value_count = program.specs.size();
        last_use_.assign(value_count, 0);
        reads_.assign(value_count, {});
        maker_.assign(value_count, program.calls.size());
        for (const TensorSpec& each : program.specs)
            bytes_.push_back(internal::bytes_of(each));
        stays_.assign(value_count, false);
        for (const std::size_t value : program.results)
            stays_[value] = true;
        own_.put.resize(program.calls.size());
        for (std::size_t number = 0; number < program.calls.size(); ++number) {
            const PlaceableCall& call = program.calls[number];
            for (const std::size_t value : std::set(call.operands.begin(), call.operands.end()))
                reads_[value].push_back(number);
            bool is_kept = false;
            for (const std::size_t value : call.results) {
                if (maker_[value] == program.calls.size()) maker_[value] = number;
                is_kept = is_kept || stays_[value];
            }
            if (!call.takes_memory_config || call.results.empty()) continue;
            if (!is_kept) {
                choices_.push_back(number);
            } else if (const MemoryConfig& own = program.specs[call.results.front()].memory_config;
                       !own.is_sharded()) {
                own_.put[number] = own;  // stays there, wherever its operands go
            }
        }
        for (std::size_t value = 0; value < value_count; ++value) {
            last_use_[value] = reads_[value].empty() ? maker_[value] : reads_[value].back();
            if (stays_[value]) last_use_[value] = program.calls.size();
        }
    }

    PlacementPlanner& planner() { return planner_; }
    const std::vector<std::size_t>& choices() const { return choices_; }
    std::uint64_t bytes(std::size_t number) const {
        return sum(number, [&](auto v) { return bytes_[v]; });
    }
    std::uint64_t reads(std::size_t number) const {
        return sum(number, [&](auto v) { return reads_[v].size(); });
    }
    /// The bytes that stay away from DRAM if the results of a call lie in L1.
    std::uint64_t gain(std::size_t number) const {
        return sum(number, [&](auto v) { return bytes_[v] * (1 + reads_[v].size()); });
    }

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

    Placement all_in(const MemoryConfig& memory) const {
        Placement placement = own_;
        for (const std::size_t number : choices_)
            placement.put[number] = memory;
        return placement;
    }

    /// As the program has it by itself; what it puts in DRAM in L1, too.
    Placement as_it_is(bool all_in_l1) const {
        Placement placement = own_;
        for (const std::size_t number : choices_) {
            const MemoryConfig& own = program_.specs[program_.calls[number].results.front()].memory_config;
            const bool is_in_l1 = own.buffer_type == BufferType::L1;
            placement.put[number] = is_in_l1    ? own.made_anew()
                                    : all_in_l1 ? L1_MEMORY_CONFIG
                                                : DRAM_MEMORY_CONFIG;
        }
        return placement;
    }

    /// Where a step finds no place, what is alive in L1 and ranks highest goes to DRAM, until all fits.
    template <typename Rank>
    Attempt greedy(Placement placement, std::optional<std::uint64_t> l1, const Rank& rank) {
        while (true) {
            Attempt attempt = planner_.attempt(placement, l1);
            if (attempt.fits()) return attempt;
            std::optional<std::size_t> victim;
            for (const std::size_t number : choices_)
                if (is_in_l1_at(placement, number, attempt.failed_call) &&
                    (!victim || rank(number) >= rank(*victim)))
                    victim = number;
            if (!victim) return attempt;
            placement.put[*victim] = DRAM_MEMORY_CONFIG;
        }
    }

    /// What compilers do: what is read last goes first.
    Attempt farthest(std::optional<std::uint64_t> l1) {
        return greedy(all_in(L1_MEMORY_CONFIG), l1, [&](std::size_t number) { return life_end(number); });
    }

    Attempt at(std::optional<std::uint64_t> l1) {
        if (Attempt simple = farthest(l1); is_least(simple)) return simple;
        const std::uint64_t top = std::min(l1.value_or(planner_.bank()), planner_.bank());
        for (std::uint64_t part = 1; part < kLevels; ++part) {
            const std::uint64_t level = planner_.bank() * part / kLevels;
            if (level < top && level > planner_.alive()) note(search(level));
        }
        return search(l1);
    }

    /// The step that finds no place if the results of this call lie in L1, too.
    std::string why_in_dram(const Attempt& found, std::size_t number, std::optional<std::uint64_t> l1) {
        Placement other = found.placement;
        other.put[number] = L1_MEMORY_CONFIG;
        const Attempt attempt = planner_.attempt(std::move(other), l1);
        if (attempt.fits())
            return "fits, and costs " + std::to_string(static_cast<std::int64_t>(attempt.cost - found.cost)) +
                   " more";
        const PlaceableCall& at = program_.calls[attempt.failed_call];
        const Refusal& refusal = attempt.plan.failure->refusal;
        std::string text = at.name + (at.source.empty() ? "" : " (" + at.source + ")") + ": " +
                           std::string(name_of(refusal.kind));
        if (refusal.bytes_wanted != 0)
            text += ", " + std::to_string(refusal.bytes_wanted) + " B per bank wanted, " +
                    std::to_string(refusal.largest_free_block) + " free in one piece";
        return text;
    }

private:
    template <typename Of>
    std::uint64_t sum(std::size_t number, const Of& of) const {
        std::uint64_t sum = 0;
        for (const std::size_t value : program_.calls[number].results)
            sum += of(value);
        return sum;
    }

    std::size_t life_end(std::size_t number) const {
        std::size_t end = number;
        for (const std::size_t value : program_.calls[number].results)
            end = std::max(end, last_use_[value]);
        return end;
    }

    std::size_t length(std::size_t number) const { return life_end(number) - number; }

    bool is_in_l1(const Placement& placement, std::size_t number) const {
        return placement.put[number]->buffer_type == BufferType::L1;
    }

    /// Whether its results lie in L1 while the call runs. A copy of theirs in DRAM ends that.
    bool is_in_l1_at(const Placement& placement, std::size_t number, std::size_t call) const {
        if (!is_in_l1(placement, number) || call < number) return false;
        std::size_t end = life_end(number);
        for (const PlacedConversion& each : placement.conversions)
            if (maker_[each.value] == number && each.memory_config.buffer_type == BufferType::DRAM)
                end = std::min(end, each.begin);
        return call <= end;
    }

    void note(const Attempt& attempt) {
        if (attempt.fits()) found_.push_back(attempt.placement);
    }

    /// The cheapest that was found within so many bytes of L1.
    Attempt search(std::optional<std::uint64_t> l1) {
        Attempt best = farthest(l1);
        const auto better = [&](Attempt other) {
            if (other.cost < best.cost) best = std::move(other);
        };
        if (!best.fits() || is_least(best)) return best;
        const auto saved = [&](std::size_t number) { return static_cast<double>(gain(number)); };
        const auto steps = [&](std::size_t number) {
            return static_cast<double>(std::max<std::size_t>(1, length(number)));
        };
        const auto by_step = [&](std::size_t number) { return -saved(number) / steps(number); };
        const Placement in_l1 = all_in(L1_MEMORY_CONFIG);
        better(greedy(in_l1, l1, by_step));
        better(greedy(in_l1, l1, [&](std::size_t number) { return -saved(number); }));
        better(greedy(in_l1, l1, [&](std::size_t number) {
            return by_step(number) / static_cast<double>(std::max<std::uint64_t>(1, bytes(number)));
        }));
        for (const bool all_in_l1 : {false, true})
            better(greedy(as_it_is(all_in_l1), l1, by_step));
        if (choices_.size() <= kEnumerated) enumerate(best, l1, nullptr);
        for (const Placement& known : found_)
            better(planner_.attempt(known, l1));
        if (choices_.size() <= kEnumerated && program_.convert) {
            for (std::size_t value = 0; value < bytes_.size(); ++value)
                for (const Copy& copy : copies_of(value))
                    enumerate(best, l1, &copy);
            enumerate_shards(best, l1);
        }
        while (better_by_places(best, l1) || better_by_conversions(best, l1)) {
        }
        return best;
    }

    /// Each choice of DRAM and interleaved L1; with a copy (null: none).
    void enumerate(Attempt& best, std::optional<std::uint64_t> l1, const Copy* copy) {
        for (std::uint64_t chosen = 0; chosen < std::uint64_t{1} << choices_.size(); ++chosen) {
            Placement placement = own_;
            for (std::size_t i = 0; i < choices_.size(); ++i)
                placement.put[choices_[i]] = (chosen >> i & 1) != 0 ? L1_MEMORY_CONFIG : DRAM_MEMORY_CONFIG;
            if (copy != nullptr) {
                if (would_lie_in_dram(placement, copy->conversion.value) == copy->is_spill()) continue;
                placement.conversions.push_back(copy->conversion);
            }
            take(best, planner_.attempt(std::move(placement), l1));
        }
    }

    /// The sets of calls in L1 that would save more, from those that save most: each of them interleaved or in shards of the first
    /// kinds, until one way fits. What follows the call that finds no place is not tried again.
    void enumerate_shards(Attempt& best, std::optional<std::uint64_t> l1) {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> sets;  // what is saved, the calls
        for (std::uint64_t chosen = 0; chosen < std::uint64_t{1} << choices_.size(); ++chosen)
            sets.emplace_back(saved_by([&](std::size_t i) { return (chosen >> i & 1) != 0; }), chosen);
        std::ranges::stable_sort(sets, std::ranges::greater(), [](const auto& each) { return each.first; });
        const std::uint64_t saved =
            saved_by([&](std::size_t i) { return is_in_l1(best.placement, choices_[i]); });
        // Most often the shards of rows alone decide.
        for (const std::size_t kinds : {std::size_t{2}, kShards.size()}) {
            std::size_t left = kShardPlans;
            for (const auto& [saves, chosen] : sets) {
                if (saves <= saved || left == 0) break;
                if (shard_set(best, l1, chosen, kinds, left)) return;
            }
        }
    }

    template <typename IsIn>
    std::uint64_t saved_by(const IsIn& is_in) const {
        std::uint64_t saved = 0;
        for (std::size_t i = 0; i < choices_.size(); ++i)
            if (is_in(i)) saved += gain(choices_[i]);
        return saved;
    }

    bool shard_set(Attempt& best, std::optional<std::uint64_t> l1, std::uint64_t chosen, std::size_t kinds,
                   std::size_t& left) {
        std::vector<std::size_t> calls;
        for (std::size_t i = 0; i < choices_.size(); ++i)
            if ((chosen >> i & 1) != 0) calls.push_back(choices_[i]);
        std::vector<std::size_t> ways(calls.size());  // the first: all interleaved
        while (left != 0) {
            Placement placement = all_in(DRAM_MEMORY_CONFIG);
            bool is_possible = true;
            std::size_t end = calls.size();  // of the calls on which the outcome depends
            for (std::size_t i = 0; i < calls.size() && is_possible; ++i) {
                is_possible = put_in_l1(placement, calls[i], kShards[ways[i]]);
                if (!is_possible) end = i + 1;
            }
            if (is_possible) {
                --left;
                Attempt attempt = planner_.attempt(std::move(placement), l1);
                if (attempt.fits()) return take(best, std::move(attempt));
                end = static_cast<std::size_t>(std::ranges::upper_bound(calls, attempt.failed_call) -
                                               calls.begin());
            }
            std::fill(ways.begin() + static_cast<std::ptrdiff_t>(end), ways.end(), 0);
            while (end != 0 && ++ways[end - 1] == kinds)
                ways[--end] = 0;
            if (end == 0) return false;
        }
        return false;
    }

    /// What is in DRAM goes to L1, alone or in the place of what saves less.
    bool better_by_places(Attempt& best, std::optional<std::uint64_t> l1) {
        std::vector<std::size_t> outside;
        for (const std::size_t number : choices_)
            if (!is_in_l1(best.placement, number)) outside.push_back(number);
        std::ranges::stable_sort(outside, std::ranges::greater(), [&](auto number) { return gain(number); });
        bool is_better = false;
        for (const std::size_t number : outside) {
            for (const Shards& shards : kShards) {
                if (shards && !program_.convert) break;
                Placement placement = best.placement;
                std::erase_if(placement.conversions,
                              [&](const auto& each) { return maker_[each.value] == number; });
                if (!put_in_l1(placement, number, shards)) continue;
                Attempt attempt = made_to_fit(std::move(placement), l1, shards, number, gain(number));
                if (!(attempt.cost < best.cost)) continue;
                best = std::move(attempt);
                is_better = true;
                break;
            }
        }
        return is_better;
    }

    /// False: not in these shards.
    bool put_in_l1(Placement& placement, std::size_t number, const Shards& shards) const {
        if (!shards) {
            placement.put[number] = L1_MEMORY_CONFIG;
            return true;
        }
        const std::vector<std::size_t>& results = program_.calls[number].results;
        // Some calls choose shards by themselves.
        const TensorSpec& own = program_.specs[results.front()];
        const bool is_own = own.memory_config.memory_layout == *shards && own.memory_config.shard_spec;
        const auto config = is_own ? std::optional(own.memory_config.made_anew())
                                   : internal::shards_of(own, *shards, planner_.grid());
        if (results.size() > 1 || !config) return false;
        placement.put[number] = *config;
        return true;
    }

    /// Planned, and where a step finds no place, its tensors in L1 put in shards, then what saves least sent to DRAM; where a call
    /// takes no shards, a copy of them made that it takes. Given up once more is lost than `gained`.
    Attempt made_to_fit(Placement placement, std::optional<std::uint64_t> l1, const Shards& shards,
                        std::optional<std::size_t> kept, std::uint64_t gained) {
        std::uint64_t lost = 0;
        std::set<std::size_t> in_shards;  // calls around which all has been put in shards
        while (true) {
            Attempt attempt = planner_.attempt(placement, l1);
            if (attempt.fits()) return attempt;
            const RefusalKind kind = attempt.plan.failure->refusal.kind;
            // A call also refuses arguments that leave its program too little of L1.
            if ((kind == RefusalKind::kBadArgument || kind == RefusalKind::kNotSupported) &&
                convert_operands(placement, attempt))
                continue;
            const std::size_t at = attempt.failed_call;
            if (shards && in_shards.insert(at).second && shard_around(placement, at, *shards)) continue;
            std::optional<std::size_t> victim;
            for (const std::size_t number : choices_)
                if (number != kept && is_in_l1_at(placement, number, at) &&
                    (!victim || gain(number) < gain(*victim)))
                    victim = number;
            if (!victim) return attempt;
            lost += gain(*victim);
            if (lost >= gained) return attempt;
            placement.put[*victim] = DRAM_MEMORY_CONFIG;
            std::erase_if(placement.conversions,
                          [&](const auto& each) { return maker_[each.value] == *victim; });
        }
    }

    /// The call's result and operands that may be placed and lie in L1, in shards; false: nothing changed.
    bool shard_around(Placement& placement, std::size_t call, const Shards& shards) const {
        bool is_changed = false;
        const auto put = [&](std::size_t number) {
            if (std::ranges::find(choices_, number) == choices_.end() || !is_in_l1(placement, number) ||
                placement.put[number]->is_sharded())
                return;
            is_changed = put_in_l1(placement, number, shards) || is_changed;
        };
        put(call);
        for (const std::size_t value : program_.calls[call].operands)
            put(maker_[value]);
        return is_changed;
    }

    /// Interleaved copies of the shards that the call reads and does not take, or its own result interleaved; false: there are none.
    bool convert_operands(Placement& placement, const Attempt& attempt) const {
        const std::size_t call = attempt.failed_call;
        bool is_changed = false;
        for (const std::size_t value :
             std::set(attempt.failed_operands.begin(), attempt.failed_operands.end())) {
            const std::size_t maker = maker_[value];
            if (maker == program_.calls.size() || !placement.put[maker] ||
                !placement.put[maker]->is_sharded())
                continue;
            const bool has_copy = std::ranges::any_of(placement.conversions, [&](const auto& each) {
                return each.value == value && each.begin <= call && call < each.end;
            });
            if (has_copy) continue;
            placement.conversions.push_back({value, call, call + 1, L1_MEMORY_CONFIG});
            is_changed = true;
        }
        if (!is_changed && placement.put[call] && placement.put[call]->is_sharded()) {
            placement.put[call] = L1_MEMORY_CONFIG;
            is_changed = true;
        }
        return is_changed;
    }

    /// Values that are read often: a copy in L1 of one in DRAM, or one in L1 that goes to DRAM after its first reads.
    bool better_by_conversions(Attempt& best, std::optional<std::uint64_t> l1) {
        if (!program_.convert) return false;
        bool is_better = false;
        for (std::size_t value = 0; value < bytes_.size(); ++value) {
            const bool is_converted = std::ranges::any_of(
                best.placement.conversions, [&](const auto& each) { return each.value == value; });
            if (reads_[value].size() < 3 || is_converted || !would_lie_in_dram(best.placement, value))
                continue;
            for (const Copy& copy : copies_of(value)) {
                Placement placement = best.placement;
                if (copy.is_spill()) placement.put[maker_[value]] = L1_MEMORY_CONFIG;
                placement.conversions.push_back(copy.conversion);
                const auto kept = copy.is_spill() ? std::optional(maker_[value]) : std::nullopt;
                if (!take_fitting(best, placement, l1, kept, copy.gained)) continue;
                is_better = true;
                break;
            }
        }
        return is_better;
    }

    /// Of a value in DRAM in L1, for its reads in a row that save something; of one in L1 in DRAM, behind its first reads. From those
    /// that gain most.
    std::vector<Copy> copies_of(std::size_t value) const {
        const std::vector<std::size_t>& reads = reads_[value];
        std::vector<Copy> copies;
        if (reads.size() < 3) return copies;
        for (std::size_t count = reads.size(); count >= 3; --count)
            for (std::size_t first = 0; first + count <= reads.size(); ++first)
                copies.push_back({{value, reads[first], reads[first + count - 1] + 1, L1_MEMORY_CONFIG},
                                  bytes_[value] * (count - 2)});
        const std::size_t maker = maker_[value];
        if (std::ranges::find(choices_, maker) == choices_.end() || program_.calls[maker].results.size() != 1)
            return copies;
        for (std::size_t count = reads.size() - 1; count >= 2; --count)
            copies.push_back({{value, reads[count - 1] + 1, reads.back() + 1, DRAM_MEMORY_CONFIG},
                              bytes_[value] * (count - 1)});
        return copies;
    }

    /// Made to fit as it lies, or in shards.
    bool take_fitting(Attempt& best, const Placement& placement, std::optional<std::uint64_t> l1,
                      std::optional<std::size_t> kept, std::uint64_t gained) {
        return std::ranges::any_of(kShards, [&](const Shards& shards) {
            return take(best, made_to_fit(placement, l1, shards, kept, gained));
        });
    }

    static bool take(Attempt& best, Attempt attempt) {
        if (!(attempt.cost < best.cost)) return false;
        best = std::move(attempt);
        return true;
    }

    /// Where calls put their results by themselves, as the program alone has it.
    bool would_lie_in_dram(const Placement& placement, std::size_t value) const {
        const std::size_t maker = maker_[value];
        if (maker != program_.calls.size())
            if (const auto& put = placement.put[maker]) return put->buffer_type == BufferType::DRAM;
        return program_.specs[value].memory_config.buffer_type == BufferType::DRAM;
    }

    /// Nothing is cheaper.
    bool is_least(const Attempt& attempt) const {
        return counts_bytes_ && attempt.fits() && attempt.moved_bytes == 0 && attempt.dram_bytes <= least();
    }

    const PlaceableProgram& program_;
    PlacementPlanner planner_;
    const bool counts_bytes_;  // the cost is the sum of the bytes
    std::vector<std::uint64_t> bytes_;
    std::vector<std::vector<std::size_t>> reads_;  // by value: the calls, rising
    std::vector<std::size_t> maker_, last_use_;    // by value: a call, their number where there is none
    std::vector<bool> stays_;
    std::vector<std::size_t> choices_;  // one for each call: all results of a call go to one memory
    Placement own_;                     // of calls that nobody chooses for
    std::vector<Placement> found_;
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
    const Attempt in_dram = search.planner().attempt(search.all_in(DRAM_MEMORY_CONFIG), l1);
    Attempt found = search.at(l1);
    if (!found.fits()) {
        std::string why = in_dram.fits() ? found.plan.failure->error : in_dram.plan.failure->error;
        throw RuntimeError("place: l1: expected more than " + std::to_string(placed.l1) +
                           " B per core, with nothing in L1 that need not be there " + why);
    }
    placed.greedy_dram_bytes = search.farthest(l1).dram_bytes;
    placed.all_dram_bytes = in_dram.dram_bytes;
    placed.least_dram_bytes = search.least();
    for (const std::size_t number : search.choices()) {
        PlacedCall& call = placed.placed_calls.emplace_back();
        call.call = number;
        call.memory_config = *found.placement.put[number];
        call.bytes = search.bytes(number);
        call.reads = search.reads(number);
        call.saves = search.gain(number);
        if (call.memory_config.buffer_type == BufferType::DRAM)
            call.why = search.why_in_dram(found, number, l1);
    }
    placed.planned = search.planner().planned();
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
