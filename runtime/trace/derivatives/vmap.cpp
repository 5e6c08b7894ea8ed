// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Inside, the mapped axis of a value is always axis 0; what is not mapped has none.

#include "runtime/trace/derivatives/vmap.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "capture/ir/control.hpp"
#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/order.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/derivatives/internal/custom_rules.hpp"
#include "runtime/trace/derivatives/internal/mask.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace {

namespace {

using namespace internal;
using ir::Control;
using ir::Equation;
using ir::Error;
using ir::ErrorKind;
using ir::Graph;
using ir::GraphPtr;
using ir::Subgraph;

TensorType with_lanes(TensorType type, std::int64_t lanes, std::size_t axis = 0) {
    Integers dims = integers_of(type.shape);
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), lanes);
    type.shape = Shape(dims);
    return type;
}

ValueId repeated(FlatBuilder& to, ValueId value, std::int64_t lanes) {
    const TensorType type = with_lanes(to.type(value), lanes);
    return to.op("broadcast_in_dim", {value},
                 {{"shape", integers_of(type.shape)}, {"dims", counted(type.shape.rank() - 1, 1)}});
}

ValueId with_axis_moved(FlatBuilder& to, ValueId value, std::size_t from, std::size_t at) {
    Integers perm = counted(to.shape(value).rank());
    perm.erase(perm.begin() + static_cast<std::ptrdiff_t>(from));
    perm.insert(perm.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::int64_t>(from));
    return to.transpose(value, perm);
}

// A predicate of each lane, spread to choose among elements of a value with lanes in front.
ValueId chosen_by_lane(FlatBuilder& to, ValueId predicate, ValueId a, ValueId b) {
    const Shape shape = to.shape(a);
    if (shape.rank() > 1)
        predicate =
            to.op("broadcast_in_dim", {predicate}, {{"shape", integers_of(shape)}, {"dims", Integers{0}}});
    return to.select(predicate, a, b);
}

/// Remembers what it made of bodies, so that one which several equations share stays shared.
class Batcher {
public:
    explicit Batcher(std::int64_t lanes) : lanes_(lanes) {}

    struct Batched {
        Graph graph;
        std::vector<ValueId> results;
        Mask is_mapped;  ///< results
    };

    // Equations appended to a graph, for values of it that stand for the parameters.
    void append(const Graph& from, Graph& to, std::span<const ValueId> params, const Mask& is_mapped,
                std::vector<ValueId>& results, Mask& results_mapped) {
        Pass(*this, from, to, params, is_mapped).run(results, results_mapped);
    }

    // The body with these parameters mapped; those of `needed` among its results are.
    struct Body {
        GraphPtr graph;
        Mask is_mapped;
    };
    const Body& body_of(const Graph& body, const Mask& is_mapped, const Mask& needed) {
        const Key key{&body, is_mapped, needed};
        if (const auto known = bodies_.find(key); known != bodies_.end()) return known->second;
        Graph graph = graph_like(body);
        std::vector<ValueId> params;
        for (std::size_t i = 0; i < is_mapped.size(); ++i) {
            const TensorType& type = body.type(body.params()[i]);
            params.push_back(graph.add_input(body.name_of(body.params()[i]),
                                             is_mapped[i] ? with_lanes(type, lanes_) : type));
        }
        std::vector<ValueId> results;
        Mask mapped;
        append(body, graph, params, is_mapped, results, mapped);
        FlatBuilder to(graph);
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!needed[i] || mapped[i]) continue;
            results[i] = repeated(to, results[i], lanes_);
            mapped[i] = true;
        }
        graph.set_results(results);
        Body made{std::make_shared<const Graph>(std::move(graph)), std::move(mapped)};
        return bodies_.emplace(key, std::move(made)).first->second;
    }

    [[nodiscard]] std::int64_t lanes() const { return lanes_; }

private:
    using Key = std::tuple<const Graph*, Mask, Mask>;

    class Pass {
    public:
        Pass(Batcher& owner, const Graph& from, Graph& to, std::span<const ValueId> params,
             const Mask& is_mapped)
            : owner_(owner), from_(from), to_(to), copier_(from, to), is_mapped_(from.value_count()) {
            for (std::size_t i = 0; i < params.size(); ++i) {
                copier_.map(from.params()[i], params[i]);
                is_mapped_[index_of(from.params()[i])] = is_mapped[i];
            }
        }

        void run(std::vector<ValueId>& results, Mask& mapped) {
            const auto operations = operations_of(from_, flat_operations());
            std::vector<const Primitive*> rows;
            for (const std::string& name : from_.operations())
                rows.push_back(find_primitive(name));
            for (const Equation equation : from_.equations()) {
                const std::uint32_t number = equation.operation_number();
                const ir::Operation* const operation = operations[number];
                given_.clear();
                for (const ValueId operand : equation.operands())
                    given_.push_back(is_mapped_[index_of(operand)]);
                if (!any_of(given_)) {
                    copier_.copy(equation);
                    continue;
                }
                operands_ = copier_(equation.operands());
                if (operation != nullptr && operation->control != Control::kNone)
                    holder(equation, operation->control);
                else
                    primitive(equation, rows[number]);
            }
            for (const ValueId result : from_.results()) {
                results.push_back(copier_(result));
                mapped.push_back(is_mapped_[index_of(result)]);
            }
        }

    private:
        void set(const Equation& equation, std::size_t i, ValueId value, bool is_mapped) {
            copier_.map(equation.results()[i], value);
            is_mapped_[index_of(equation.results()[i])] = is_mapped;
        }

        void primitive(const Equation& equation, const Primitive* row) {
            FlatBuilder builder(to_, equation.location());
            if (equation.operation() == kCustomCall) {
                std::vector<TensorType> types;
                for (std::size_t i = 0; i < equation.results().size(); ++i)
                    types.push_back(from_.type(equation.results()[i]));
                const std::vector<ValueId> all =
                    custom_batch(builder, operands_, given_, owner_.lanes_, equation.attributes(), types);
                for (std::size_t i = 0; i < all.size(); ++i)
                    set(equation, i, all[i], true);
                return;
            }
            if (row == nullptr || !row->batch)
                throw Error(ErrorKind::kNoRule, equation.operation() +
                                                    ": found no rule 'batch', expected one for an operation "
                                                    "whose operands are mapped");
            std::vector<ValueId> results;
            row->batch.function()({builder, *row, operands_, given_, owner_.lanes_, equation.attributes()},
                                  results);
            for (std::size_t i = 0; i < results.size(); ++i)
                set(equation, i, results[i], true);
        }

        void holder(const Equation& equation, Control control) {
            switch (control) {
                case Control::kCall:
                    return call(equation);
                case Control::kBranch:
                    return given_[0] ? choice(equation) : branch(equation);
                case Control::kWhile:
                    return loop(equation);
                case Control::kScan:
                    return scan(equation);
                case Control::kNone:
                    return;
            }
        }

        Mask none_of(const Equation& equation) { return Mask(equation.results().size()); }

        void append(const Equation& equation, std::span<const ValueId> operands,
                    std::span<const Subgraph> subgraphs, const Mask& is_mapped) {
            FlatBuilder builder(to_, equation.location());
            const ir::ValueRange results =
                builder.op(equation.operation(), operands, equation.attributes(), subgraphs);
            for (std::size_t i = 0; i < results.size(); ++i)
                set(equation, i, results[i], is_mapped[i]);
        }

        void call(const Equation& equation) {
            const Body& body = owner_.body_of(*equation.subgraph(ir::kBody), given_, none_of(equation));
            const Subgraph subgraph{std::string(ir::kBody), body.graph};
            append(equation, operands_, std::span(&subgraph, 1), body.is_mapped);
        }

        void branch(const Equation& equation) {
            const Mask given(given_.begin() + 1, given_.end());
            Mask is_mapped = none_of(equation);
            for (const Subgraph& each : equation.subgraphs())
                is_mapped =
                    joined(is_mapped, owner_.body_of(*each.graph, given, none_of(equation)).is_mapped);
            std::vector<Subgraph> branches;
            for (const Subgraph& each : equation.subgraphs())
                branches.push_back({each.name, owner_.body_of(*each.graph, given, is_mapped).graph});
            append(equation, operands_, branches, is_mapped);
        }

        // The lanes that take branch k.
        ValueId takes(FlatBuilder& builder, const Equation& equation, std::int64_t k) {
            const ValueId choice = operands_[0];
            if (equation.subgraphs()[0].name == ir::kThen)
                return k == 0 ? choice : ValueId(builder.op("not", {choice}));
            const auto last = static_cast<std::int64_t>(equation.subgraphs().size()) - 1;
            // The last branch is for all higher numbers, the first for all lower ones, too.
            return builder.compare(k == 0 ? "LE" : (k == last ? "GE" : "EQ"), choice,
                                   builder.full_like(choice, static_cast<double>(k)));
        }

        // The operands of branch k, by lane. No derivative goes to the operands of a lane that takes another branch:
        // there it may be infinite, and infinite times the 0 that comes back is nan.
        void guard(FlatBuilder& builder, const Equation& equation, std::int64_t k,
                   std::vector<ValueId>& operands, Mask& given) {
            const Graph& branch = *equation.subgraphs()[static_cast<std::size_t>(k)].graph;
            Mask is_used(branch.value_count());
            for (const Equation each : branch.equations())
                for (const ValueId operand : each.operands())
                    is_used[index_of(operand)] = true;
            Tangent taken;
            for (std::size_t i = 0; i < operands.size(); ++i) {
                if (!is_used[index_of(branch.params()[i])] || !ir::is_float(builder.element(operands[i])))
                    continue;
                if (!taken) taken = takes(builder, equation, k);
                if (!given[i]) operands[i] = repeated(builder, operands[i], owner_.lanes_);
                given[i] = true;
                const ValueId fixed = builder.op("copy", {operands[i]}, {{"stop_gradient", true}});
                operands[i] = chosen_by_lane(builder, *taken, operands[i], fixed);
            }
        }

        // Lanes choose differently: all branches are computed, in place.
        void choice(const Equation& equation) {
            FlatBuilder builder(to_, equation.location());
            const bool by_number = equation.subgraphs()[0].name != ir::kThen;
            const auto branches = static_cast<std::int64_t>(equation.subgraphs().size());
            std::vector<ValueId> chosen;
            for (std::int64_t k = branches; k-- > 0;) {
                std::vector<ValueId> results;
                Mask mapped;
                Mask given(given_.begin() + 1, given_.end());
                std::vector<ValueId> operands(operands_.begin() + 1, operands_.end());
                if (branches > 1) guard(builder, equation, k, operands, given);
                owner_.append(*equation.subgraphs()[static_cast<std::size_t>(k)].graph, to_, operands, given,
                              results, mapped);
                for (std::size_t i = 0; i < results.size(); ++i)
                    if (!mapped[i]) results[i] = repeated(builder, results[i], owner_.lanes_);
                if (chosen.empty()) {
                    chosen = results;
                    continue;
                }
                // The last branch is for all higher numbers, the first for all lower ones, too.
                const ValueId predicate =
                    by_number ? builder.compare("LE", operands_[0],
                                                builder.full_like(operands_[0], static_cast<double>(k)))
                              : operands_[0];
                for (std::size_t i = 0; i < results.size(); ++i)
                    chosen[i] = chosen_by_lane(builder, predicate, results[i], chosen[i]);
            }
            for (std::size_t i = 0; i < chosen.size(); ++i)
                set(equation, i, chosen[i], true);
        }

        // A carried value becomes mapped where the body makes it so; for the given ones, at once.
        Mask carried(const Graph& body, const ir::ControlOperands& parts, Mask is_mapped) {
            for (bool is_settled = false; !is_settled;) {
                const Mask results = owner_.body_of(body, is_mapped, Mask(body.results().size())).is_mapped;
                is_settled = true;
                for (std::size_t i = 0; i < parts.carry; ++i)
                    if (results[i] && !is_mapped[parts.consts + i]) {
                        is_mapped[parts.consts + i] = true;
                        is_settled = false;
                    }
            }
            return is_mapped;
        }

        void repeat_carry(const ir::ControlOperands& parts, const Mask& is_mapped) {
            FlatBuilder builder(to_);
            for (std::size_t i = parts.consts; i < parts.consts + parts.carry; ++i)
                if (is_mapped[i] && !given_[i]) operands_[i] = repeated(builder, operands_[i], owner_.lanes_);
        }

        void loop(const Equation& equation) {
            const auto parts = control_operands(Control::kWhile, operands_.size(), equation.attributes());
            const Graph& body = *equation.subgraph(ir::kBody);
            const Graph& condition = *equation.subgraph(ir::kCond);
            Mask is_mapped = carried(body, parts, given_);
            const bool ends_apart = owner_.body_of(condition, is_mapped, {false}).is_mapped[0];
            // A lane that is done keeps what it has, so all of it is the lane's own.
            if (ends_apart)
                std::fill_n(is_mapped.begin() + static_cast<std::ptrdiff_t>(parts.consts), parts.carry, true);
            const Mask carry(is_mapped.begin() + static_cast<std::ptrdiff_t>(parts.consts), is_mapped.end());
            const Body step = owner_.body_of(body, is_mapped, carry);
            const Body test = owner_.body_of(condition, is_mapped, {ends_apart});
            repeat_carry(parts, is_mapped);
            const std::vector<Subgraph> subgraphs{
                {std::string(ir::kCond), ends_apart ? any_lane(*test.graph) : test.graph},
                {std::string(ir::kBody),
                 ends_apart ? only_running(*step.graph, *test.graph, parts.consts) : step.graph}};
            append(equation, operands_, subgraphs, step.is_mapped);
        }

        static GraphPtr any_lane(const Graph& test) {
            Graph graph = test;
            FlatBuilder builder(graph);
            graph.set_results(
                {ValueId(builder.op("reduce_or", {graph.results()[0]}, {{"axes", Integers{0}}}))});
            return std::make_shared<const Graph>(std::move(graph));
        }

        // The body, with what a lane has left alone where it is done.
        static GraphPtr only_running(const Graph& step, const Graph& test, std::size_t consts) {
            Graph graph = step;
            FlatBuilder builder(graph);
            const std::vector<ValueId> params(graph.params().begin(), graph.params().end());
            const ValueId runs = ir::append_equations(test, graph, params)[0];
            std::vector<ValueId> results;
            for (std::size_t i = 0; i < step.results().size(); ++i)
                results.push_back(chosen_by_lane(builder, runs, step.results()[i], params[consts + i]));
            graph.set_results(results);
            return std::make_shared<const Graph>(std::move(graph));
        }

        // Rows come first in what a loop takes and gives, lanes inside of rows.
        void scan(const Equation& equation) {
            const auto parts = control_operands(Control::kScan, operands_.size(), equation.attributes());
            const Graph& body = *equation.subgraph(ir::kBody);
            const Mask is_mapped = carried(body, parts, given_);
            Mask needed = none_of(equation);
            for (std::size_t i = 0; i < parts.carry; ++i)
                needed[i] = is_mapped[parts.consts + i];
            const Body step = owner_.body_of(body, is_mapped, needed);
            repeat_carry(parts, is_mapped);
            FlatBuilder builder(to_, equation.location());
            for (std::size_t i = parts.consts + parts.carry; i < operands_.size(); ++i)
                if (given_[i]) operands_[i] = with_axis_moved(builder, operands_[i], 0, 1);
            const Subgraph subgraph{std::string(ir::kBody), step.graph};
            append(equation, operands_, std::span(&subgraph, 1), step.is_mapped);
            for (std::size_t i = parts.carry; i < equation.results().size(); ++i)
                if (step.is_mapped[i])
                    set(equation, i, with_axis_moved(builder, copier_(equation.results()[i]), 0, 1), true);
        }

        Batcher& owner_;
        const Graph& from_;
        Graph& to_;
        ir::GraphCopier copier_;
        Mask is_mapped_;                 // by value of `from`
        std::vector<ValueId> operands_;  // of the equation at hand
        Mask given_;                     // and whether they are mapped
    };

    std::int64_t lanes_;
    std::map<Key, Body> bodies_;
};

// An axis of a tensor of this rank, from 0.
std::size_t checked_axis(const std::string& what, std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    if (axis < -count || axis >= count)
        throw Error(ErrorKind::kBadArgument, what + ": found axis " + std::to_string(axis) +
                                                 ", expected one of a tensor of rank " +
                                                 std::to_string(rank));
    return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

void require_count(const std::string& what, std::size_t found, std::size_t expected) {
    if (found != expected)
        throw Error(ErrorKind::kWrongArity, what + ": found " + std::to_string(found) + " axes, expected " +
                                                std::to_string(expected));
}

}  // namespace

std::int64_t lanes_of(std::span<const TensorType> arguments, const MappedAxes& in_axes) {
    require_count("in_axes", in_axes.size(), arguments.size());
    std::optional<std::int64_t> lanes;
    std::size_t first = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!in_axes[i]) continue;
        const Shape& shape = arguments[i].shape;
        const std::int64_t size =
            shape[checked_axis("argument " + std::to_string(i), *in_axes[i], shape.rank())];
        if (!lanes) first = i;
        if (lanes && *lanes != size)
            throw Error(ErrorKind::kLengthMismatch,
                        "vmap: found " + Dim(*lanes).text() + " lanes of argument " + std::to_string(first) +
                            " and " + Dim(size).text() + " of argument " + std::to_string(i) +
                            ", expected mapped axes of one length");
        lanes = size;
    }
    if (!lanes) throw Error(ErrorKind::kBadArgument, "vmap: found no mapped argument, expected one at least");
    return *lanes;
}

Graph vmap(const Graph& function, std::int64_t lanes, const MappedAxes& in_axes, const MappedAxes& out_axes) {
    const Graph from = ordered(lower(function, has_batch), flat_operations());
    require_count("in_axes", in_axes.size(), from.params().size());
    require_count("out_axes", out_axes.size(), from.results().size());
    Graph to = graph_like(from);
    std::vector<ValueId> params;
    Mask is_mapped;
    for (std::size_t i = 0; i < in_axes.size(); ++i) {
        const ValueId param = from.params()[i];
        const TensorType& type = from.type(param);
        is_mapped.push_back(in_axes[i].has_value());
        const std::size_t axis =
            in_axes[i] ? checked_axis("parameter " + std::to_string(i), *in_axes[i], type.shape.rank() + 1)
                       : 0;
        params.push_back(
            to.add_input(from.name_of(param), in_axes[i] ? with_lanes(type, lanes, axis) : type));
    }
    FlatBuilder builder(to);
    for (std::size_t i = 0; i < params.size(); ++i)
        if (in_axes[i])
            params[i] = with_axis_moved(
                builder, params[i],
                checked_axis("", *in_axes[i], from.type(from.params()[i]).shape.rank() + 1), 0);
    std::vector<ValueId> results;
    Mask mapped;
    Batcher(lanes).append(from, to, params, is_mapped, results, mapped);
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!out_axes[i] && mapped[i])
            throw Error(ErrorKind::kBadArgument, "result " + std::to_string(i) +
                                                     ": found a value of each lane, expected one that is the "
                                                     "same for all, or an axis for it");
        if (!out_axes[i]) continue;
        if (!mapped[i]) results[i] = repeated(builder, results[i], lanes);
        const std::size_t axis =
            checked_axis("result " + std::to_string(i), *out_axes[i], to.type(results[i]).shape.rank());
        results[i] = with_axis_moved(builder, results[i], 0, axis);
    }
    to.set_results(results);
    return to;
}

}  // namespace tilemeter::trace
