// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A callable around the function of a registered operation of TT-NN's Python package: while something is captured it
// opens a scope of the operation's name, joins the thread, and says why the function failed; else it only calls.
//
// It is made of functions that the running interpreter exports, found by name: one library serves every version of
// Python from 3.10 on, and a program without Python loads it, too.

#pragma once

namespace tilemeter::attach::ttnn {

/// A new callable around `function`, both PyObject*. Null, with Python's error set or without one, where there is no
/// interpreter. REQUIRES: the caller holds Python's lock.
void* wrap_in_scope(void* function, const char* name);

/// Has scopes say from where Python called them, or not.
void record_python_stacks(bool wanted);

}  // namespace tilemeter::attach::ttnn
