// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/query/internal/placement_draft.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/query/internal/placement_plan.hpp"
#include "runtime/types/spec_hash.hpp"

namespace tilemeter::query::internal {

DraftCost& DraftCost::operator+=(const DraftCost& other) {
    dram_bytes += other.dram_bytes;
    moved_bytes += other.moved_bytes;
    cost += other.cost;
    return *this;
}

DraftCost& DraftCost::operator-=(const DraftCost& other) {
    dram_bytes -= other.dram_bytes;
    moved_bytes -= other.moved_bytes;
    cost -= other.cost;
    return *this;
}

PlacementDrafts::PlacementDrafts(const std::shared_ptr<Device>& device, const PlaceableProgram& program,
                                 const PlacementCost& cost)
    : device_(device), program_(program), cost_(cost), states_(device) {
    const std::size_t value_count = program.specs.size(), call_count = program.calls.size();
    for (const TensorSpec& each : program.specs)
        bytes_.push_back(bytes_of(each));
    reads_.resize(value_count);
    copies_of_.resize(value_count);
    copies_at_.resize(call_count);
    made_by_.assign(value_count, call_count);
    last_touched_by_.assign(value_count, call_count);
    stays_.assign(value_count, false);
    for (const std::size_t value : program.results)
        stays_[value] = true;
    std::map<std::uint64_t, std::uint32_t> known;
    std::uint32_t kind_count = 0;
    for (std::size_t number = 0; number < call_count; ++number) {
        const PlaceableCall& call = program.calls[number];
        for (const std::size_t value : std::set(call.operands.begin(), call.operands.end())) {
            reads_[value].push_back(number);
            last_touched_by_[value] = number;
        }
        for (const std::size_t value : call.results) {
            if (made_by_[value] == call_count) made_by_[value] = number;
            last_touched_by_[value] = number;
        }
        if (call.kind == 0) {
            kinds_.push_back(kind_count++);
            continue;
        }
        const auto [kind, is_new] = known.try_emplace(call.kind, kind_count);
        kind_count += is_new ? 1 : 0;
        kinds_.push_back(kind->second);
    }
    conversion_kind_ = kind_count;
}

DraftBeginning PlacementDrafts::begin(const AllocatorState& state) {
    const ProgramAnswer placed = plan_program(device_, state, program_.inputs, {});
    DraftBeginning beginning;
    beginning.state = states_.number_of(placed.new_state);
    for (std::size_t i = 0; i < placed.inputs.size(); ++i) {
        std::size_t whole = 0;
        while (placed.inputs[whole].memory != placed.inputs[i].memory ||
               placed.inputs[whole].address != placed.inputs[i].address)
            ++whole;
        beginning.inputs.push_back(
            {states_.number_of(program_.inputs[i].spec, placed.inputs[i]), kInputs | whole});
    }
    return beginning;
}

MomentNumber PlacementDrafts::intern(const Moment& moment) {
    std::uint64_t hash = moment.state;
    for (const Live& each : moment.live)
        hash = mix_hash(mix_hash(mix_hash(hash, std::uint64_t{each.value} << 32U | each.copy), each.owner),
                        each.place);
    const auto [begin, end] = moments_by_hash_.equal_range(hash);
    for (auto each = begin; each != end; ++each)
        if (moments_[each->second] == moment) return each->second;
    const auto number = static_cast<MomentNumber>(moments_.size());
    moments_.push_back(moment);
    moments_by_hash_.emplace(hash, number);
    return number;
}

/// A draft on its way, from call to call.
class PlacementDrafts::Walk {
public:
    Walk(PlacementDrafts& drafts, const DraftChoice& choice, const DraftBeginning& beginning, Moment now)
        : drafts_(drafts), choice_(choice), beginning_(beginning), now_(std::move(now)) {
        for (const DraftCopy& each : choice.copies) {
            drafts_.copies_of_[each.value].push_back(&each);
            drafts_.copies_at_[each.begin].push_back(&each);
        }
    }
    ~Walk() {
        for (const DraftCopy& each : choice_.copies) {
            drafts_.copies_of_[each.value].clear();
            drafts_.copies_at_[each.begin].clear();
        }
    }
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

    const Moment& now() const { return now_; }
    const DraftCost& cost() const { return cost_; }

    /// The call with the conversions in front of it; what it was refused with, or null.
    const Transition* run(std::size_t number) {
        const PlaceableProgram& program = drafts_.program_;
        cost_ = {};
        for (const DraftCopy* const each : drafts_.copies_at_[number]) {
            const DraftCopy& copy = *each;
            const auto convert = [&](std::span<const Tensor> tensors) {
                return program.convert(tensors, drafts_.states_.config(copy.config));
            };
            const std::pair<std::size_t, std::size_t> original{copy.value, 0}, made{copy.value, number + 1};
            if (const Transition* refused = step("ttnn.to_memory_config", drafts_.conversion_kind_,
                                                 copy.config, convert, {original}, {made}, true))
                return refused;
            if (last_of_value(copy.value) == When{number, false}) free(original);
            if (last_of_copy(copy) == When{number, false}) free(made);
        }
        const PlaceableCall& call = program.calls[number];
        const ConfigNumber put = choice_.put[number];
        const auto function = [&](std::span<const Tensor> tensors) {
            return call.function(tensors, put == 0 ? nullptr : &drafts_.states_.config(put));
        };
        std::vector<std::pair<std::size_t, std::size_t>> operands, results;
        for (const std::size_t value : call.operands) {
            const DraftCopy* copy = copy_at(value, number);
            operands.emplace_back(value, copy == nullptr ? 0 : copy->begin + 1);
        }
        for (const std::size_t value : call.results)
            results.emplace_back(value, 0);
        if (const Transition* refused =
                step(call.name, drafts_.kinds_[number], put, function, operands, results, false))
            return refused;
        std::ranges::sort(operands);
        const auto repeated = std::ranges::unique(operands);
        operands.erase(repeated.begin(), repeated.end());
        for (const auto& each : operands) {
            if (each.second == 0) continue;
            if (last_of_copy(*copy_at(each.first, number)) == When{number, true}) free(each);
        }
        std::vector<std::size_t> values = call.results;
        for (const auto& each : operands)
            values.push_back(each.first);
        for (const std::size_t value : values)
            if (last_of_value(value) == When{number, true}) free({value, 0});
        return nullptr;
    }

private:
    /// A call, or the conversions in front of it.
    struct When {
        std::size_t call = 0;
        bool is_call = true;
        friend auto operator<=>(const When&, const When&) = default;
    };
    using Key = std::pair<std::size_t, std::size_t>;  // a value, and 0 or where its copy begins, plus 1

    const DraftCopy* copy_at(std::size_t value, std::size_t call) const {
        for (const DraftCopy* const each : drafts_.copies_of_[value])
            if (each->begin <= call && call < each->end) return each;
        return nullptr;
    }

    When last_of_value(std::size_t value) const {
        const std::vector<const DraftCopy*>& copies = drafts_.copies_of_[value];
        if (copies.empty()) return {drafts_.last_touched_by_[value], true};
        When last{drafts_.made_by_[value], true};
        if (value < drafts_.program_.inputs.size()) last = {0, false};
        for (const std::size_t call : drafts_.reads_[value])
            if (copy_at(value, call) == nullptr) last = std::max(last, When{call, true});
        for (const DraftCopy* const each : copies)
            last = std::max(last, When{each->begin, false});
        return last;
    }

    When last_of_copy(const DraftCopy& copy) const {
        When last{copy.begin, false};
        for (const std::size_t call : drafts_.reads_[copy.value])
            if (copy.begin <= call && call < copy.end) last = {call, true};
        return last;
    }

    std::vector<Live>::iterator find(const Key& key) {
        return std::ranges::find_if(
            now_.live, [&](const Live& each) { return each.value == key.first && each.copy == key.second; });
    }

    Live live_of(const Key& key) {
        if (key.second == 0 && key.first < drafts_.program_.inputs.size()) {
            const CallOperand& input = beginning_.inputs[key.first];
            return {static_cast<std::uint32_t>(key.first), 0, input.place, input.owner, input.place};
        }
        if (const auto found = find(key); found != now_.live.end()) return *found;
        // A call made fewer tensors than the program says.
        const PlaceNumber place = drafts_.states_.number_of(drafts_.program_.specs[key.first], {});
        return {static_cast<std::uint32_t>(key.first), 0, place, kNobody, place};
    }

    template <typename Run>
    const Transition* step(std::string_view name, std::uint32_t kind, ConfigNumber put, const Run& function,
                           const std::vector<Key>& operands, const std::vector<Key>& results,
                           bool is_conversion) {
        std::vector<Live> read;
        std::vector<CallOperand> given;
        for (const Key& each : operands) {
            read.push_back(live_of(each));
            given.push_back({read.back().place, read.back().owner});
            // Results stay, each for itself, and are not followed; whose memory one has counts while it is read.
            if (given.back().owner == kNobody) given.back().owner = each.first << 32U | each.second;
        }
        const Transition& made = drafts_.states_.of_call(now_.state, kind, put, given, function);
        if (made.is_refused) return &made;
        now_.state = made.after;
        for (const std::size_t freed : made.freed_operands)
            for (Live& each : now_.live)
                if (each.owner == read[freed].owner) each.owner = kNobody;
        add_cost(name, operands, read, results, made, is_conversion);
        for (std::size_t i = 0; i < results.size() && i < made.results.size(); ++i) {
            if (results[i].first < drafts_.program_.inputs.size() && !is_conversion) continue;
            if (find(results[i]) != now_.live.end()) continue;
            Live live{static_cast<std::uint32_t>(results[i].first),
                      static_cast<std::uint32_t>(results[i].second), made.results[i].place,
                      std::uint64_t{results[i].first} << 32U | results[i].second, made.results[i].place};
            if (const std::size_t shared = made.results[i].shares_operand; shared != Transition::kNoOperand) {
                live.owner = read[shared].owner;
                live.owners_place = read[shared].owners_place;
            }
            now_.live.push_back(live);
        }
        return nullptr;
    }

    void add_cost(std::string_view name, const std::vector<Key>& operands, const std::vector<Live>& read,
                  const std::vector<Key>& results, const Transition& made, bool is_conversion) {
        if (made.is_view()) return;
        std::uint64_t bytes_read = 0, written = 0;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const bool is_first =
                std::find(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(i), operands[i]) ==
                operands.begin() + static_cast<std::ptrdiff_t>(i);
            if (is_first && drafts_.states_.is_in_dram(read[i].place))
                bytes_read += drafts_.bytes_[operands[i].first];
        }
        for (std::size_t i = 0; i < results.size() && i < made.results.size(); ++i)
            if (drafts_.states_.is_in_dram(made.results[i].place))
                written += drafts_.bytes_[results[i].first];
        const std::uint64_t moved = is_conversion ? drafts_.bytes_[results[0].first] : 0;
        cost_ += {bytes_read + written, moved,
                  drafts_.cost_ ? drafts_.cost_(name, bytes_read, written, moved)
                                : static_cast<double>(bytes_read + written + moved)};
    }

    /// After its last use. What stays is not followed any longer.
    void free(const Key& key) {
        const auto found = find(key);
        if (found == now_.live.end()) return;
        const Live live = *found;
        now_.live.erase(found);
        if (live.owner == kNobody || (live.owner & kInputs) != 0) return;
        if (key.second == 0 && drafts_.stays_[key.first]) {
            for (Live& each : now_.live)
                if (each.owner == live.owner) each.owner = kNobody;
            return;
        }
        const bool is_shared = std::ranges::find(now_.live, live.owner, &Live::owner) != now_.live.end();
        if (!is_shared) now_.state = drafts_.states_.without(now_.state, live.owners_place);
    }

    PlacementDrafts& drafts_;
    const DraftChoice& choice_;
    const DraftBeginning& beginning_;
    Moment now_;
    DraftCost cost_;
};

PlacementDrafts::Difference PlacementDrafts::difference(const DraftChoice& a, const DraftChoice& b) const {
    Difference difference{program_.calls.size(), 0};
    const auto add = [&](std::size_t first, std::size_t last) {
        difference.first = std::min(difference.first, first);
        difference.last = std::max(difference.last, last);
    };
    const auto [first, last] = SharedList<ConfigNumber>::difference(a.put, b.put);
    if (first < a.put.size()) add(first, last);
    std::vector<DraftCopy> changed;
    if (a.copies != b.copies)
        std::ranges::set_symmetric_difference(a.copies, b.copies, std::back_inserter(changed));
    for (const DraftCopy& each : changed)
        add(each.begin, std::max(each.end, last_touched_by_[each.value]));
    return difference;
}

std::uint64_t PlacementDrafts::hash_of(const Draft& draft, std::size_t from, std::size_t to) {
    std::uint64_t hash = draft.moments.size();
    for (std::size_t i = from; i <= to && i < draft.moments.size(); ++i) {
        hash = mix_hash(hash, draft.moments[i]);
        if (i < draft.choice.put.size()) hash = mix_hash(hash, draft.choice.put[i]);
    }
    for (const DraftCopy& each : draft.choice.copies)
        if (each.begin <= to && from <= each.end)
            hash = mix_hash(mix_hash(hash, std::uint64_t{each.value} << 32U | each.begin),
                            std::uint64_t{each.end} << 32U | each.config);
    return hash;
}

Draft PlacementDrafts::planned(DraftChoice choice, const DraftBeginning& beginning, const Draft* like) {
    ++planned_;
    const std::size_t call_count = program_.calls.size();
    Draft made;
    std::size_t first = 0, last = call_count;
    if (like != nullptr) {
        const Difference changed = difference(choice, like->choice);
        first = std::min(changed.first, like->moments.size() - 1);
        last = std::max(changed.last, first);
        made = {{}, like->moments, like->costs, like->total, nullptr, 0};
        // A draft that fails at a call that is as it was, and that finds all as it was, fails as it did.
        if (changed.first > changed.last || (like->failure != nullptr && changed.first > like->failed_call)) {
            made = *like;
            made.choice = std::move(choice);
            made.walked_from = made.walked_to = first;
            return made;
        }
    } else {
        made.moments.push_back(intern({beginning.state, {}}));
    }
    made.choice = std::move(choice);
    Walk walk(*this, made.choice, beginning, moments_[made.moments[first]]);
    made.walked_from = first;
    DraftCost gone, come;  // of the calls that are walked, as they were and as they are
    for (std::size_t number = first;; ++number) {
        const MomentNumber now = number == first ? made.moments[first] : intern(walk.now());
        made.walked_to = number;
        if (like != nullptr && number > last && number < like->moments.size() &&
            like->moments[number] == now) {
            made.failure = like->failure;
            made.failed_call = like->failed_call;
            made.total = like->total;
            made.total += come;
            made.total -= gone;
            return made;
        }
        if (number == made.moments.size())
            made.moments.push_back(now);
        else if (made.moments[number] != now)
            made.moments.set(number, now);
        if (number == call_count) break;
        if (const Transition* refused = walk.run(number)) {
            made.moments.resize(number + 1);
            made.costs.resize(number);
            made.failure = refused;
            made.failed_call = number;
            return made;
        }
        if (number == made.costs.size()) {
            made.costs.push_back(walk.cost());
        } else {
            gone += made.costs[number];
            made.costs.set(number, walk.cost());
        }
        come += walk.cost();
    }
    made.total = {};
    for (std::size_t i = 0; i < call_count; ++i)
        made.total += made.costs[i];
    return made;
}

}  // namespace tilemeter::query::internal
