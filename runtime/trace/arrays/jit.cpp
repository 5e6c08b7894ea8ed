// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/jit.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "capture/ir/passes/compare.hpp"
#include "capture/ir/passes/passes.hpp"
#include "runtime/trace/arrays/internal/body.hpp"
#include "runtime/trace/arrays/internal/structure_cache.hpp"
#include "runtime/trace/arrays/lazy.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/calls/simplify.hpp"

namespace tilemeter::trace {

using internal::ArrayAccess;
using ir::Constant;
using ir::TensorType;
using ir::ValueId;

namespace {

// Equal numbers in another order give another hash.
std::uint64_t hashed(std::uint64_t seed, std::uint64_t value) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;
    const std::uint64_t mixed = (seed ^ value) * kOdd;
    return mixed ^ (mixed >> 29);
}

std::uint64_t hashed(std::uint64_t seed, std::string_view text) {
    return hashed(seed, std::hash<std::string_view>()(text));
}

std::uint64_t hash_of(const CallSite& site, std::span<const Array> arguments) {
    std::uint64_t hash = hashed(site.function, arguments.size());
    if (!site.statics.empty()) hash = hashed(hash, site.statics);
    if (!site.options.empty()) hash = hashed(hash, site.options);
    for (const Array& argument : arguments)
        hash = hashed(
            hash, ir::hash_of(internal::type_of(argument)) + (internal::is_weak_argument(argument) ? 1 : 0));
    return hash;
}

std::vector<bool> weak_ones(std::span<const Array> arguments) {
    std::vector<bool> is_weak;
    for (const Array& argument : arguments)
        is_weak.push_back(internal::is_weak_argument(argument));
    return is_weak;
}

std::vector<Constant> values_of(std::span<const Array> arrays) {
    std::vector<Constant> values;
    for (const Array& array : arrays)
        values.push_back(array.value());
    return values;
}

bool has_nan(const Constant& constant) {
    if (!ir::is_float(constant.type().element)) return false;
    const auto count = static_cast<std::size_t>(constant.type().shape.elements());
    for (std::size_t i = 0; i < count; ++i)
        if (std::isnan(constant.double_at(i))) return true;
    return false;
}

// Runs the graph again, all of its values asked for, and names the equation that made the first nan.
void refuse_nan(const ir::Graph& traced, std::span<const Constant> inputs) {
    ir::Graph graph = traced;
    std::vector<ValueId> all;
    for (const ir::Equation equation : graph.equations())
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            all.push_back(equation.results()[i]);
    graph.set_results(all);
    const std::vector<Constant> values = evaluate(graph, inputs);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!has_nan(values[i])) continue;
        const ir::Equation equation = graph.equation(graph.definition(all[i]).index);
        throw TraceError(TraceErrorKind::kOptionalCheck,
                         equation.operation() + ": found a nan in a result of type " +
                             text_of(values[i].type()) + ", expected numbers, since nans are checked for",
                         {.operation = equation.operation(),
                          .types = graph.types(equation.operands()),
                          .location = equation.location()});
    }
}

void require_equal(const std::string& name, const TracedGraph& first, const TracedGraph& second) {
    if (equal(*first.graph, *second.graph, ir::Detail::kStructure)) return;
    const std::size_t count = std::min(first.graph->equation_count(), second.graph->equation_count());
    std::size_t at = 0;
    const auto is_same = [&](std::size_t i) {
        const ir::Equation a = first.graph->equation(i);
        const ir::Equation b = second.graph->equation(i);
        return a.operation() == b.operation() && a.attributes() == b.attributes();
    };
    while (at < count && is_same(at))
        ++at;
    const ir::Location place = at < count ? first.graph->equation(at).location() : ir::Location{};
    throw TraceError(
        TraceErrorKind::kOptionalCheck,
        "'" + name + "': found another graph when it was traced again, in " +
            (at < count ? "equation " + std::to_string(at) : "a constant or at its end") +
            ", expected the same",
        {.location = place,
         .hint = "what changes from call to call has to be an argument; random numbers need a key"});
}

std::string in_quotes(std::string_view text) {
    return "'" + std::string(text) + "'";
}

// In how many ways calls differ, and the first of them.
struct Difference {
    std::size_t count = 0;
    std::string first{};

    /// The text is made where it is needed: a miss looks at many calls.
    template <class Text>
    void note(const Text& text) {
        if (count++ == 0) first = text();
    }
};

void note_types(Difference& difference, std::size_t argument, const TensorType& is, const TensorType& was) {
    const auto note = [&](const auto& what) {
        difference.note([&] {
            return "argument " + std::to_string(argument) + ": " + what() + ": " + text_of(is) + ", not " +
                   text_of(was);
        });
    };
    if (is.element != was.element)
        note([&] {
            return "element type is " + std::string(name_of(is.element)) + ", was " +
                   std::string(name_of(was.element));
        });
    if (is.shape.rank() != was.shape.rank())
        note([&] {
            return "rank is " + std::to_string(is.shape.rank()) + ", was " + std::to_string(was.shape.rank());
        });
    for (std::size_t i = 0; i < std::min(is.shape.rank(), was.shape.rank()); ++i)
        if (is.shape[i] != was.shape[i])
            note([&] {
                return "shape[" + std::to_string(i) + "] is " + std::to_string(is.shape[i]) + ", was " +
                       std::to_string(was.shape[i]);
            });
    if (is.place != was.place) note([] { return std::string("place differs"); });
}

}  // namespace

struct TraceCache::Entry {
    Entry(const CallSite& site, std::span<const Array> arguments, std::uint64_t signature, TracedGraph from,
          const JitOptions& options)
        : function(site.function),
          statics(site.statics),
          options_text(site.options),
          types(internal::types_of(arguments)),
          is_weak(weak_ones(arguments)),
          hash(signature),
          traced(std::make_shared<const TracedGraph>(std::move(from))),
          check_nans(options.check_nans),
          bytes(sizeof(Entry) + statics.size() + options_text.size() + internal::held_bytes(*traced->graph)) {
        const ir::Graph flat = lower(*traced->graph);
        // In primitives there is more to fold: numbers that are spread to a shape.
        const ir::Graph compiled = options.simplify ? simplify(flat) : flat;
        bytes += internal::held_bytes(compiled);
        evaluator.emplace(compiled);
        if (traced->guard_graph == nullptr) return;
        bytes += 2 * internal::held_bytes(*traced->guard_graph);
        guard_evaluator.emplace(*traced->guard_graph);
    }

    /// The first guard that does not hold for these arguments, or null.
    const Guard* failed_guard(std::span<const Array> arguments) {
        if (!guard_evaluator) return nullptr;
        const std::lock_guard lock(mutex);
        return internal::first_failed_guard(traced->guards, guard_evaluator->run(values_of(arguments)));
    }

    [[nodiscard]] bool answers(const CallSite& site, std::span<const Array> arguments) const {
        if (function != site.function || statics != site.statics || options_text != site.options ||
            types.size() != arguments.size())
            return false;
        for (std::size_t i = 0; i < types.size(); ++i)
            if (is_weak[i] != internal::is_weak_argument(arguments[i]) ||
                types[i] != internal::type_of(arguments[i]))
                return false;
        return true;
    }

    // In the order in which they are named: what the caller says, then arguments.
    [[nodiscard]] Difference difference(const CallSite& site, std::span<const Array> arguments) const {
        Difference difference;
        if (options_text != site.options)
            difference.note([&] {
                return "options are " + in_quotes(site.options) + ", were " + in_quotes(options_text);
            });
        if (statics != site.statics)
            difference.note([&] {
                return "static values are " + in_quotes(site.statics) + ", were " + in_quotes(statics);
            });
        if (types.size() != arguments.size())
            difference.note([&] {
                return "number of arguments is " + std::to_string(arguments.size()) + ", was " +
                       std::to_string(types.size());
            });
        for (std::size_t i = 0; i < std::min(types.size(), arguments.size()); ++i) {
            note_types(difference, i, internal::type_of(arguments[i]), types[i]);
            if (is_weak[i] != internal::is_weak_argument(arguments[i]))
                difference.note([&] {
                    return "argument " + std::to_string(i) +
                           (is_weak[i] ? " is an array, was a number" : " is a number, was an array");
                });
        }
        return difference;
    }

    std::vector<Array> run(std::span<const Array> arguments) {
        const std::lock_guard lock(mutex);
        inputs.clear();
        for (const Array& argument : arguments)
            inputs.push_back(argument.value());
        std::vector<Constant> values = evaluator->run(inputs);
        if (check_nans && std::ranges::any_of(values, has_nan) && std::ranges::none_of(inputs, has_nan))
            refuse_nan(*traced->graph, inputs);
        inputs.clear();
        std::vector<Array> results;
        results.reserve(values.size());
        for (Constant& value : values)
            results.push_back(ArrayAccess::computed(std::move(value)));
        return results;
    }

    const std::uint64_t function;
    const std::string statics;
    const std::string options_text;
    const std::vector<TensorType> types;
    const std::vector<bool>
        is_weak;  ///< numbers among the arguments, which take the type of what they are computed with
    const std::uint64_t hash;
    const std::shared_ptr<const TracedGraph> traced;
    const bool check_nans;
    std::mutex mutex;  ///< one run at a time
    std::optional<Evaluator> evaluator;
    std::optional<Evaluator> guard_evaluator;
    std::vector<Constant> inputs;  ///< of the run; kept for its room
    std::uint64_t bytes;
};

std::uint64_t new_function_key() {
    static std::atomic<std::uint64_t> s_next = 1;
    return s_next.fetch_add(1, std::memory_order_relaxed);
}

TraceCache::TraceCache(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}
TraceCache::~TraceCache() = default;

template <class Accepts>
std::shared_ptr<TraceCache::Entry> TraceCache::lookup(const CallSite& site, std::span<const Array> arguments,
                                                      std::uint64_t hash, const Accepts& accepts) {
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto known = first; known != last; ++known) {
        Entry& entry = **known->second;
        if (!entry.answers(site, arguments) || !accepts(entry)) continue;
        entries_.splice(entries_.begin(), entries_, known->second);
        return *known->second;
    }
    return nullptr;
}

std::shared_ptr<TraceCache::Entry> TraceCache::found(const CallSite& site, std::span<const Array> arguments,
                                                     std::uint64_t hash, std::string& failed_guard) {
    const auto guards_hold = [&](Entry& entry) {
        const Guard* const failed = entry.failed_guard(arguments);
        if (failed != nullptr && failed_guard.empty()) failed_guard = failed->text;
        return failed == nullptr;
    };
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry> entry = lookup(site, arguments, hash, guards_hold);
    if (entry != nullptr)
        ++statistics_.hits;
    else
        note_miss(site, arguments, failed_guard);
    return entry;
}

void TraceCache::note_miss(const CallSite& site, std::span<const Array> arguments,
                           const std::string& failed_guard) {
    ++statistics_.misses;
    std::optional<Difference> nearest;
    // Among those equally near the one that was called last. A miss is not to cost more the more is known.
    std::size_t left = 100;
    for (const auto& entry : entries_) {
        if (left-- == 0) break;
        if (entry->function != site.function) continue;
        Difference difference = entry->difference(site, arguments);
        if (!nearest || difference.count < nearest->count) nearest = std::move(difference);
        if (nearest->count <= 1) break;
    }
    std::string& text = explanations_[site.function];
    if (!nearest)
        text = "the function was not called before, or its graphs had to go";
    else if (nearest->count == 0)
        text = "an answer differs: " + failed_guard;
    else
        text = std::move(nearest->first);
}

void TraceCache::erase(Entries::iterator entry) {
    const auto [first, last] = by_hash_.equal_range((*entry)->hash);
    for (auto known = first; known != last; ++known)
        if (known->second == entry) {
            by_hash_.erase(known);
            break;
        }
    statistics_.held_bytes -= (*entry)->bytes;
    entries_.erase(entry);
}

std::shared_ptr<TraceCache::Entry> TraceCache::add(const CallSite& site, std::span<const Array> arguments,
                                                   std::uint64_t hash, TracedGraph traced,
                                                   const JitOptions& options) {
    traced.values.clear();
    auto entry = std::make_shared<Entry>(site, arguments, hash, std::move(traced), options);
    const std::lock_guard lock(mutex_);
    entries_.push_front(entry);
    by_hash_.emplace(hash, entries_.begin());
    statistics_.held_bytes += entry->bytes;
    while (statistics_.held_bytes > most_bytes_ && entries_.size() > 1)
        erase(std::prev(entries_.end()));
    return entry;
}

std::vector<Array> TraceCache::call(const CallSite& site, const std::string& name, const Function& function,
                                    std::span<const Array> arguments, const JitOptions& options) {
    if (Frame::is_open()) return call_in_frame(site, name, function, arguments, options);
    const auto is_pending = [](const Array& array) { return array.state() == Array::State::kPending; };
    if (std::ranges::any_of(arguments, is_pending)) eval(arguments);
    const std::uint64_t hash = hash_of(site, arguments);
    std::string failed_guard;
    if (const auto entry = found(site, arguments, hash, failed_guard)) [[likely]]
        return entry->run(arguments);
    const Function traced_function = internal::with_weak_arguments(function, arguments);
    const auto trace_now = [&] {
        return options.mode == Mode::kConcrete
                   ? trace_concrete(name, traced_function, values_of(arguments))
                   : trace::trace(name, traced_function, internal::types_of(arguments));
    };
    TracedGraph traced = trace_now();
    if (options.strict) require_equal(name, traced, trace_now());
    // In concrete mode the call has happened already.
    std::vector<Array> results;
    for (Constant& value : traced.values)
        results.push_back(ArrayAccess::computed(std::move(value)));
    const bool is_done = options.mode == Mode::kConcrete && !options.check_nans;
    const auto entry = add(site, arguments, hash, std::move(traced), options);
    return is_done ? results : entry->run(arguments);
}

std::vector<Array> TraceCache::call_in_frame(const CallSite& call, const std::string& name,
                                             const Function& function, std::span<const Array> arguments,
                                             const JitOptions& options) {
    // A graph that was traced under constraints is for those alone.
    CallSite site = call;
    std::string statics(call.statics);
    if (const ir::Constraints* const constraints = internal::current_constraints()) {
        for (const ir::Constraint& each : *constraints)
            statics += "; where " + each.text();
        site.statics = statics;
    }
    const std::uint64_t hash = hash_of(site, arguments);
    const auto has_no_guards = [](const Entry& entry) { return entry.traced->guard_graph == nullptr; };
    std::shared_ptr<Entry> entry;
    {
        const std::lock_guard lock(mutex_);
        entry = lookup(site, arguments, hash, has_no_guards);
        entry != nullptr ? ++statistics_.hits : ++statistics_.misses;
    }
    if (entry != nullptr) return call_graph(entry->traced->graph, arguments);
    const Closure closure = trace_closure(name, internal::with_weak_arguments(function, arguments),
                                          internal::types_of(arguments));
    if (closure.captured.empty()) {
        // A function that uses nothing from around it is the same wherever it is called.
        TracedGraph traced;
        traced.graph =
            std::make_shared<const ir::Graph>(remove_dead_code(*closure.graph, call_operations()).graph);
        return call_graph(add(site, arguments, hash, std::move(traced), options)->traced->graph, arguments);
    }
    std::vector<Array> operands(arguments.begin(), arguments.end());
    operands.insert(operands.end(), closure.captured.begin(), closure.captured.end());
    return call_graph(closure.graph, operands);
}

std::shared_ptr<const TracedGraph> TraceCache::find(const CallSite& site,
                                                    std::span<const Array> arguments) const {
    const std::lock_guard lock(mutex_);
    const auto [first, last] = by_hash_.equal_range(hash_of(site, arguments));
    for (auto known = first; known != last; ++known)
        if ((*known->second)->answers(site, arguments)) return (*known->second)->traced;
    return nullptr;
}

std::string TraceCache::explain(std::uint64_t function) const {
    const std::lock_guard lock(mutex_);
    const auto found = explanations_.find(function);
    return found == explanations_.end() ? std::string() : found->second;
}

void TraceCache::drop(std::uint64_t function) {
    const std::lock_guard lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        const auto next = std::next(entry);
        if ((*entry)->function == function) erase(entry);
        entry = next;
    }
    explanations_.erase(function);
}

void TraceCache::clear() {
    const std::lock_guard lock(mutex_);
    by_hash_.clear();
    entries_.clear();
    explanations_.clear();
    statistics_.held_bytes = 0;
}

CacheStatistics TraceCache::statistics() const {
    const std::lock_guard lock(mutex_);
    CacheStatistics statistics = statistics_;
    statistics.entries = entries_.size();
    return statistics;
}

TraceCache& default_cache() {
    static TraceCache cache;
    return cache;
}

Jit::Jit(std::string name, Function function, const JitOptions& options, TraceCache& cache)
    : name_(std::move(name)),
      function_(std::move(function)),
      options_(options),
      options_text_(std::string(options.mode == Mode::kConcrete ? "concrete" : "abstract") +
                    (options.simplify ? "" : ", as traced") + (options.strict ? ", strict" : "") +
                    (options.check_nans ? ", nans checked" : "")),
      cache_(cache) {}

Jit::~Jit() {
    cache_.drop(key_);
}

std::vector<Array> Jit::operator()(std::span<const Array> arguments, std::string_view statics) {
    return cache_.call({key_, statics, options_text_}, name_, function_, arguments, options_);
}

}  // namespace tilemeter::trace
