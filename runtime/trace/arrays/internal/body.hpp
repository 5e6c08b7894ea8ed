// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A function that control flow holds, traced in a frame of its own: its arguments become parameters, and so do the
// arrays from around it that it uses.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/trace/arrays/internal/array_state.hpp"
#include "runtime/trace/arrays/trace.hpp"

namespace tilemeter::trace::internal {

class Body {
public:
    /// Runs the function. Throws TraceError, and what the function throws.
    Body(const std::string& name, const Function& function, std::span<const ir::TensorType> types);
    ~Body();
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;

    /// The results of the function; literals are still open for an element type.
    [[nodiscard]] std::span<const Array> results() const { return results_; }
    /// Without a copy; REQUIRES: no literal of finish() is open
    [[nodiscard]] const ir::TensorType& result_type(std::size_t i) const { return type_of(results_[i]); }
    void set_literal(std::size_t result, ir::ElementType element) {
        results_[result] = ArrayAccess::typed_literal(results_[result], element);
    }

    /// Makes the results those of the graph.
    void finish();

    /// Arrays that the function uses from around it, in the order of their parameters.
    [[nodiscard]] const std::vector<Array>& captured() const { return state_->captured; }
    /// Parameters: the arguments, then what was captured. REQUIRES of this and the following: finish()
    [[nodiscard]] ir::GraphPtr graph() const { return state_->graph; }
    /// The same with parameters for all of `captured`, at place `at` among the arguments.
    /// REQUIRES: all that this body captured is in it
    [[nodiscard]] ir::GraphPtr graph(std::span<const Array> captured, std::size_t at) const;

private:
    std::shared_ptr<FrameState> state_;
    std::size_t arguments_;
    std::vector<Array> results_;
};

/// The function, with arguments that are weak where these are numbers.
Function with_weak_arguments(const Function& function, std::span<const Array> arguments);

/// The captured arrays of several bodies, each once.
std::vector<Array> all_captured(std::span<const Body* const> bodies);

}  // namespace tilemeter::trace::internal
