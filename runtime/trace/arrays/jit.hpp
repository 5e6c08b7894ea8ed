// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions that are traced when they are called with new types and run from then on.
//
//   Jit f("f", [](std::span<const Array> x) { return std::vector{tanh(x[0] * x[0])}; });
//   f(std::vector{x});                    // traced, simplified, compiled, run
//   f(std::vector{y});                    // of the same types: run
//   default_cache().explain(f.key());     // "argument 0: shape[1] is 4, was 3: f32[2,4], not f32[2,3]"
//
// A call that finds nothing is traced again, never run in another way. What a call is found by is its signature:
// function, number and types of the arguments, static values, options. Contents of arrays are not in it.
//
// Thread safety: any thread, any time; calls of one compiled function run one after the other.

#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/trace/arrays/trace.hpp"

namespace tilemeter::trace {

/// The caller and the called function, besides the arguments. The texts are compared and shown, not looked into.
struct CallSite {
    std::uint64_t function = 0;  ///< new_function_key()
    std::string_view statics =
        {};  ///< arguments that are no arrays, structure of those that are: "x, flag=True"
    std::string_view options = {};  ///< of the compilation
};

/// A number that no other function has.
std::uint64_t new_function_key();

struct JitOptions {
    /// In concrete mode the arguments' values are at hand while tracing; calls for which the answers that the
    /// function took would differ are traced again.
    Mode mode = Mode::kAbstract;
    bool simplify = true;  ///< before it runs
    /// Throw TraceError (kOptionalCheck) where a result has a nan that no argument had.
    /// Trace twice and throw TraceError (kOptionalCheck) where the graphs differ: the function depends on something
    /// that is neither argument nor constant.
    bool strict = false;
    bool check_nans = false;
};

struct CacheStatistics {
    std::uint64_t hits = 0, misses = 0;
    std::size_t entries = 0;
    std::uint64_t held_bytes = 0;
};

/// Graphs and what is compiled of them, by signature. It has a limit in bytes; what was not called for longest
/// goes first.
class TraceCache {
public:
    static constexpr std::uint64_t kMostBytes = 256 << 20;
    explicit TraceCache(std::uint64_t most_bytes = kMostBytes);
    ~TraceCache();
    TraceCache(const TraceCache&) = delete;
    TraceCache& operator=(const TraceCache&) = delete;

    /// The results of the function, which is traced under this name where nothing is found. In a frame the call
    /// becomes a "call" of the graph. Throws TraceError, and what the function throws; nothing is kept then.
    std::vector<Array> call(const CallSite& site, const std::string& name, const Function& function,
                            std::span<const Array> arguments, const JitOptions& options = {});

    /// The trace that call() would run, or nothing. REQUIRES of arguments: none is empty
    std::shared_ptr<const TracedGraph> find(const CallSite& site, std::span<const Array> arguments) const;

    /// The first difference between the function's last miss and the call nearest to it that was known then; empty
    /// without a miss.
    [[nodiscard]] std::string explain(std::uint64_t function) const;

    /// Forgets a function that ended, or everything.
    void drop(std::uint64_t function);
    void clear();

    [[nodiscard]] CacheStatistics statistics() const;

private:
    struct Entry;
    using Entries = std::list<std::shared_ptr<Entry>>;

    // Thread safety of these: mutex_ is held.
    template <class Accepts>
    std::shared_ptr<Entry> lookup(const CallSite& site, std::span<const Array> arguments, std::uint64_t hash,
                                  const Accepts& accepts);
    void note_miss(const CallSite& site, std::span<const Array> arguments, const std::string& failed_guard);
    void erase(Entries::iterator entry);

    std::shared_ptr<Entry> found(const CallSite& site, std::span<const Array> arguments, std::uint64_t hash,
                                 std::string& failed_guard);
    std::shared_ptr<Entry> add(const CallSite& site, std::span<const Array> arguments, std::uint64_t hash,
                               TracedGraph traced, const JitOptions& options);
    std::vector<Array> call_in_frame(const CallSite& site, const std::string& name, const Function& function,
                                     std::span<const Array> arguments, const JitOptions& options);

    const std::uint64_t most_bytes_;
    mutable std::mutex mutex_;
    Entries entries_;  ///< last called first
    std::unordered_multimap<std::uint64_t, Entries::iterator> by_hash_;
    std::unordered_map<std::uint64_t, std::string> explanations_;  ///< by function
    CacheStatistics statistics_;
};

/// The cache of a Jit that is given no cache.
TraceCache& default_cache();

class Jit {
public:
    /// REQUIRES: the cache lives as long
    Jit(std::string name, Function function, const JitOptions& options = {},
        TraceCache& cache = default_cache());
    ~Jit();
    Jit(const Jit&) = delete;
    Jit& operator=(const Jit&) = delete;

    /// `statics` says what the function knows besides the arguments; another text is another call.
    std::vector<Array> operator()(std::span<const Array> arguments, std::string_view statics = {});

    [[nodiscard]] std::uint64_t key() const { return key_; }

private:
    std::uint64_t key_ = new_function_key();
    std::string name_;
    Function function_;
    JitOptions options_;
    std::string options_text_;
    TraceCache& cache_;
};

}  // namespace tilemeter::trace
