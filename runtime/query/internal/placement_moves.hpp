// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What a search for a placement may do: the calls whose results may go elsewhere, what each saves, and the changes of a draft.
//
// Thread safety: of the thread that made it.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "runtime/query/internal/placement_draft.hpp"
#include "runtime/query/internal/placement_plan.hpp"

namespace tilemeter::query::internal {

/// How tensors lie around a call that finds no place: as they do, or in shards, on which its program needs less of its own.
using Shards = std::optional<TensorMemoryLayout::Value>;
inline constexpr std::array<Shards, 4> kShards = {std::nullopt, TensorMemoryLayout::HEIGHT_SHARDED,
                                                  TensorMemoryLayout::BLOCK_SHARDED,
                                                  TensorMemoryLayout::WIDTH_SHARDED};

/// A conversion, and the bytes of DRAM that it saves if all else stays.
struct Copy {
    DraftCopy conversion;
    std::uint64_t gained = 0;
    bool is_spill = false;
};

class PlacementMoves {
public:
    PlacementMoves(const std::shared_ptr<Device>& device, const AllocatorState& state,
                   const PlaceableProgram& program, const PlacementCost& cost)
        : program_(program),
          planner_(device, state, program, cost),
          drafts_(device, program, cost),
          dram_(drafts_.states().number_of(DRAM_MEMORY_CONFIG)),
          l1_(drafts_.states().number_of(L1_MEMORY_CONFIG)) {
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

protected:
    template <typename Of>
    std::uint64_t sum(std::size_t number, const Of& of) const {
        std::uint64_t sum = 0;
        for (const std::size_t value : program_.calls[number].results)
            sum += of(value);
        return sum;
    }

    ConfigNumber number_of(const MemoryConfig& config) { return drafts_.states().number_of(config); }
    const MemoryConfig& config(ConfigNumber number) { return drafts_.states().config(number); }

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

    /// Where calls put their results by themselves, as the program alone has it.
    bool would_lie_in_dram(const DraftChoice& choice, std::size_t value) {
        const std::size_t maker = maker_[value];
        if (maker != program_.calls.size() && choice.put[maker] != 0)
            return config(choice.put[maker]).buffer_type == BufferType::DRAM;
        return program_.specs[value].memory_config.buffer_type == BufferType::DRAM;
    }

    const PlaceableProgram& program_;
    PlacementPlanner planner_;
    PlacementDrafts drafts_;
    const ConfigNumber dram_, l1_;
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
    std::map<std::pair<std::size_t, TensorMemoryLayout::Value>, ConfigNumber> shards_;

private:
    // Of a value that is read more often, copies for half of its reads, a quarter and so on are tried, not for each number.
    static constexpr std::size_t kReadsInARow = 8;
};

}  // namespace tilemeter::query::internal
