// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/internal/body.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "capture/ir/copier.hpp"
#include "runtime/trace/calls/call_operations.hpp"

namespace tilemeter::trace::internal {

namespace {

/// Closes the frame however its scope is left.
class OpenFrame {
public:
    explicit OpenFrame(const std::shared_ptr<FrameState>& state) : state_(state) { open_frame(state); }
    ~OpenFrame() { close_frame(state_); }
    OpenFrame(const OpenFrame&) = delete;
    OpenFrame& operator=(const OpenFrame&) = delete;

private:
    const std::shared_ptr<FrameState>& state_;
};

}  // namespace

Body::Body(const std::string& name, const Function& function, std::span<const ir::TensorType> types)
    : state_(std::make_shared<FrameState>()), arguments_(types.size()) {
    state_->function = name;
    state_->is_body = true;
    state_->graph = std::make_shared<ir::Graph>(name, std::string(kCall));
    std::vector<Array> arguments;
    for (std::size_t i = 0; i < types.size(); ++i)
        arguments.push_back(
            ArrayAccess::traced(state_, state_->graph->add_input("x" + std::to_string(i), types[i])));
    const OpenFrame frame(state_);
    results_ = function(arguments);
    for (std::size_t i = 0; i < results_.size(); ++i) {
        if (ArrayAccess::is_empty(results_[i]))
            throw TraceError(
                TraceErrorKind::kBadResult,
                "'" + name + "': result " + std::to_string(i) + ": found nothing, expected an array",
                {.location = current_location()});
        // From now on these are values of the body; literals wait for finish().
        if (!ArrayAccess::is_literal(results_[i]))
            results_[i] = ArrayAccess::traced(state_, value_in(state_, results_[i], ir::ElementType::kF64));
    }
}

Body::~Body() {
    // An array that the function stored somewhere keeps the frame, but nothing from around it.
    state_->captured.clear();
}

void Body::finish() {
    std::vector<ir::ValueId> ids;
    for (const Array& result : results_)
        ids.push_back(ArrayAccess::is_literal(result) ? state_->graph->add_const(ArrayAccess::literal(
                                                            result, ArrayAccess::literal_element(result)))
                                                      : result.traced_value());
    state_->graph->set_results(ids);
}

ir::GraphPtr Body::graph(std::span<const Array> captured, std::size_t at) const {
    if (captured.empty()) return state_->graph;
    const ir::Graph& from = *state_->graph;
    // Captured values come last: where that is asked for, the graph is as it is wanted.
    if (at == arguments_ && captured.size() == state_->captured.size() &&
        std::ranges::equal(captured, state_->captured, {}, ArrayAccess::key, ArrayAccess::key))
        return state_->graph;
    auto to = std::make_shared<ir::Graph>(graph_like(from));
    ir::GraphCopier copier(from, *to);
    for (std::size_t i = 0; i < at; ++i)
        copier.copy_param(from.params()[i]);
    // Parameters are named by their place among what is captured.
    std::size_t number = 0;
    for (const Array& each : captured) {
        const ir::ValueId param = to->add_input("c" + std::to_string(number++), type_of(each));
        if (const auto known = state_->captured_ids.find(ArrayAccess::key(each));
            known != state_->captured_ids.end())
            copier.map(known->second, param);
    }
    for (std::size_t i = at; i < arguments_; ++i)
        copier.copy_param(from.params()[i]);
    for (const ir::Equation equation : from.equations())
        copier.copy(equation);
    copier.copy_results();
    return to;
}

Function with_weak_arguments(const Function& function, std::span<const Array> arguments) {
    std::vector<bool> is_weak;
    for (const Array& each : arguments)
        is_weak.push_back(is_weak_argument(each));
    if (std::ranges::find(is_weak, true) == is_weak.end()) return function;
    return [function, is_weak](std::span<const Array> given) {
        std::vector<Array> marked(given.begin(), given.end());
        for (std::size_t i = 0; i < std::min(marked.size(), is_weak.size()); ++i)
            if (is_weak[i]) marked[i] = ArrayAccess::weak(marked[i], marked[i].element());
        return function(marked);
    };
}

std::vector<Array> all_captured(std::span<const Body* const> bodies) {
    std::vector<Array> all;
    std::unordered_set<ValueKey, ValueKeyHash> seen;
    for (const Body* const body : bodies)
        for (const Array& each : body->captured())
            if (seen.insert(ArrayAccess::key(each)).second) all.push_back(each);
    return all;
}

}  // namespace tilemeter::trace::internal
