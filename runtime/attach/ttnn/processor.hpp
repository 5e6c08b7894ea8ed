// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The graph processor that TT-NN's events arrive at, and what becomes of them: events of the recorder, through the table
// of emit functions alone.
//
// TT-NN keeps a list of processors for each thread. Ours goes below all others, since TT-NN ends its own captures by
// taking the topmost processor, whichever that is. The thread that ends the last capture takes it off its list, other
// threads do after their next launch; until then it does nothing there.
//
// Thread safety: as noted at each function; callbacks come from any thread that joined. No callback lets an exception
// out, and none calls Python.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capture/record/emit_table.h"

namespace tilemeter::attach::ttnn {

struct ProcessorOptions {
    bool argument_texts = false;  ///< TT-NN's formatter is called for each argument: 6 to 9 us an operation
};

/// Makes the processor of what load() found. Returns what is wrong in one line; empty: nothing. Once per process.
std::string make_processor(const tilemeter_emit_table& table, std::string_view version);

/// Puts the processor below the calling thread's others, if it is not there yet.
void join_thread();

/// Takes it out of the calling thread's list. It stays where objects of buffers were lost (devices.hpp).
void leave_thread();

/// Tells TT-NN that a graph capture is active, or is not: it opens scopes of its own then (Tensor::deallocate).
void answer_active(bool active);

/// While this is above 0 in the calling thread, TT-NN is told that none is.
extern constinit thread_local int hide_from_queries [[gnu::tls_model("initial-exec")]];

void set_options(const ProcessorOptions& options);

/// The emitter's number in the recorder; 0 before make_processor().
std::uint8_t emitter();
const tilemeter_emit_table& table();

/// From here on events go to another recorder. REQUIRES: no capture is open.
void use_recorder(const tilemeter_emit_table& table);
/// Moves with the recorder.
std::uint64_t recorder();

/// Between these two the calling thread's list has none of the processors that it had, and events bear a number of their
/// own, which is returned.
std::uint8_t begin_self_test();
void end_self_test();

/// A function that Python calls, opened and closed around it (python_scopes.cpp).
struct Scope {
    bool opened = false;  ///< false: TT-NN has just opened one of that name itself; nothing is to be closed
    std::size_t open_inside = 0;   ///< functions when the call begins
    std::size_t kept_outside = 0;  ///< of these, when TT-NN closes all, before the call
};

Scope begin_scope(std::uint32_t name, std::uint32_t stack);

/// The call has returned; or it has failed, which is told in an error node. What it left open inside is closed. While it
/// runs, what is around it stays open: with the scopes of its Python functions TT-NN closes all that is open whenever one
/// begins that it takes for an outermost one.
void end_scope(const Scope& scope);
void abort_scope(const Scope& scope, std::uint32_t type, std::uint32_t message, std::uint32_t operation);

/// A capture begins, and no other is open: functions that an earlier one left open are no part of it.
void forget_open_functions();

/// As TT-NN's reports say it.
void set_git_sha(std::string sha);

/// Parts that cannot be had of the version, one line each; reports say it, too.
std::vector<const char*> missing_of_ttnn();

/// Closes functions that are open in the calling thread, but for the outermost `count`.
void close_functions_down_to(std::size_t count, std::uint32_t reason);

/// Events that could not be read or kept; for the self-test and the status.
struct Counts {
    std::uint64_t failed = 0;
    std::uint64_t programs = 0;
    std::uint64_t unlisted_programs = 0;
};
Counts counts();

}  // namespace tilemeter::attach::ttnn
