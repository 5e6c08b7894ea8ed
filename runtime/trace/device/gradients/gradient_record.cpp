// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/gradients/gradient_record.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "capture/ir/error.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/operations/core/call_watcher.hpp"
#include "runtime/operations/core/write_log.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/trace/device/record/internal/id_map.hpp"
#include "runtime/trace/device/rules/lower_ttnn.hpp"
#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace {

namespace {

using rules::Call;
using rules::CallValue;
using rules::Gradient;
using rules::RecordedCall;
using rules::ValueType;

bool is_on_device(const Tensor& tensor) {
    return tensor.is_allocated() && tensor.storage_type() == StorageType::DEVICE;
}

bool is_listed(std::string_view names, std::string_view name) {
    bool found = false;
    rules::for_each_name(names, ' ', [&](std::string_view each) { found = found || each == name; });
    return found;
}

// The tensors of a call by the parameters that they were given for, as long as its arguments are there.
struct GivenTensor {
    std::string_view parameter;
    bool is_output;  // its contents are written over and not read
    const Tensor* tensor;
};

const Gradient& gradient_of_arguments() {
    static const Gradient kGradient{"", [](Call& call) { call.give(0, call.gradient()); }};
    return kGradient;
}

// The first is listed as "result", the others with their numbers.
bool keeps_result(std::string_view names, std::size_t number) {
    return number == 0 ? is_listed(names, "result") : is_listed(names, "result" + std::to_string(number));
}

[[noreturn]] void refuse(ir::ErrorKind kind, const std::string& message) {
    throw ir::Error(kind, "gradient: " + message);
}

}  // namespace

class GradientRecord::Tape final : public CallWatcher {
public:
    explicit Tape(std::span<const Tensor> of) : of_(of.begin(), of.end()), outer_(call_watcher()) {
        for (std::size_t i = 0; i < of_.size(); ++i) {
            const Tensor& each = of_[i];
            if (!is_on_device(each))
                refuse(ir::ErrorKind::kBadArgument,
                       "found no memory on a device for tensor " + std::to_string(i) + ", expected some");
            if (!is_floating_point(each.dtype()))
                refuse(ir::ErrorKind::kGradNeedsFloat, "found tensor " + std::to_string(i) + " of " +
                                                           std::string(name_of(each.dtype())) +
                                                           ", expected floats");
            tracked_.emplace(each.id(), 0);
        }
        watching_.emplace(this);
        pass_.emplace(CallPass::kForward);
    }

    void on_call(const std::type_info& definition, const void* arguments) override {
        if (outer_ != nullptr) outer_->on_call(definition, arguments);
        pending_.reset();
        given_.clear();
        const char* const operation = internal::visit_tensors(
            definition, arguments,
            [](void* given, std::string_view parameter, bool is_output, const Tensor& tensor) {
                static_cast<std::vector<GivenTensor>*>(given)->push_back({parameter, is_output, &tensor});
            },
            &given_);
        is_operation_ = operation != nullptr;
        if (!is_operation_) return;
        call_number_ = writes_->next_call();
        if (checkpoint_) return note_in_checkpoint(operation);
        std::erase_if(given_,
                      [](const GivenTensor& each) { return each.is_output || !is_on_device(*each.tensor); });
        bool is_tracked = false;
        for (const GivenTensor& each : given_)
            is_tracked = require_current(each, operation) || is_tracked;
        if (!dropped_.empty())
            for (const GivenTensor& each : given_)
                require_not_dropped(*each.tensor);
        if (!is_tracked) return;
        pending_.emplace();
        pending_->operation = operation;
        pending_->number = call_number_;
        pending_->operands.reserve(given_.size());
        const Gradient* const rule = rule_of(operation);
        for (const GivenTensor& each : given_) {
            CallValue& value = pending_->operands.emplace_back(value_of(*each.tensor, each.parameter));
            value.is_wanted = is_floating_point(value.spec().dtype) && tracked_.contains(value.id);
            // Only what may be read: a call such as move asks whether somebody else holds its operand.
            if (rule == nullptr || rule->takes || is_listed(rule->keeps, each.parameter))
                value.kept = *each.tensor;
        }
        ids_.clear();
        pending_->given = internal::given_arguments(definition, arguments, ids_, *arguments_);
    }

    void on_results(std::span<const Tensor> results) override {
        if (outer_ != nullptr) outer_->on_results(results);
        if (!is_operation_) return;
        if (checkpoint_) return note_results_in_checkpoint(results);
        if (!pending_) return forget(results);
        RecordedCall call = std::move(*pending_);
        pending_.reset();
        bool has_floats = false;
        call.results.reserve(results.size());
        for (const Tensor& each : results) {
            if (!is_on_device(each)) {
                call.results.emplace_back();
                continue;
            }
            call.results.push_back(value_of(each));
            has_floats = has_floats || is_floating_point(each.dtype());
        }
        if (!has_floats) return;
        choose_rule(call);
        for (std::size_t i = 0; i < results.size(); ++i) {
            CallValue& result = call.results[i];
            if (!result.is_there()) continue;
            if (call.rule != nullptr && !call.rule->keeps.empty() && keeps_result(call.rule->keeps, i))
                result.kept = results[i];  // or integers: where its elements come from
            if (is_floating_point(result.spec().dtype)) track(results[i]);
        }
        calls_.push_back(std::move(call));
    }

    void on_replay(std::span<const Tensor> inputs) override {
        if (outer_ != nullptr) outer_->on_replay(inputs);
        for (const Tensor& each : inputs)
            if (tracked_.contains(each.id()) && is_floating_point(each.dtype()))
                refuse(
                    ir::ErrorKind::kNoRule,
                    "found a replay of a traced function on what is recorded, expected calls of operations; call the "
                    "function that was traced");
    }

    /// `argument` is what `of` is, and has a gradient of its own, which is a part of that of `of`.
    void note_argument(const Tensor& of, const Tensor& argument) {
        if (Tape* const outer = dynamic_cast<Tape*>(outer_)) outer->note_argument(of, argument);
        require_not_dropped(of);
        if (!require_current({"argument", false, &of}, nullptr) || !is_floating_point(of.dtype())) return;
        call_number_ = writes_->next_call();
        CallValue operand = value_of(of, "argument");
        operand.is_wanted = true;
        if (checkpoint_) {
            if (checkpoint_->known.insert(of.id()).second) {
                operand.kept = of;
                checkpoint_->call.operands.push_back(std::move(operand));
            }
            checkpoint_->known.insert(argument.id());
            checkpoint_->tracked.insert(argument.id());
        } else {
            RecordedCall& call = calls_.emplace_back();
            call.operation = "argument";
            call.number = call_number_;
            call.rule = &gradient_of_arguments();
            call.operands.push_back(std::move(operand));
            call.results.push_back(value_of(argument));
        }
        tracked_[argument.id()] = call_number_;
    }

    /// The innermost record of this thread; nullptr: none is open.
    static Tape* current() { return dynamic_cast<Tape*>(call_watcher()); }

    void begin_checkpoint() {
        if (Tape* const outer = dynamic_cast<Tape*>(outer_)) outer->begin_checkpoint();
        // The calls of one within another are the outer one's; they get their own when those are made again.
        if (checkpoint_depth_++ != 0) return;
        checkpoint_.emplace();
        checkpoint_->call.operation = "checkpoint";
        checkpoint_->call.number = writes_->next_call();
    }

    /// `again` makes the calls once more and returns what takes the place of `results`; none: they ended in an exception.
    void end_checkpoint(std::span<const Tensor> results, std::function<std::vector<Tensor>()> again) {
        if (Tape* const outer = dynamic_cast<Tape*>(outer_)) outer->end_checkpoint(results, again);
        if (--checkpoint_depth_ != 0) return;
        Checkpoint ended = std::move(*checkpoint_);
        checkpoint_.reset();
        bool is_tracked = false;
        for (const Tensor& each : results) {
            if (!is_on_device(each)) {
                ended.call.results.emplace_back();
                continue;
            }
            ended.call.results.push_back(value_of(each));
            is_tracked = is_tracked || ended.tracked.contains(each.id());
            ended.tracked.erase(each.id());
        }
        for (const record::TensorId each : ended.tracked)
            tracked_.erase(each);
        dropped_.merge(ended.tracked);
        if (!is_tracked) return;
        ended.call.again = std::move(again);
        calls_.push_back(std::move(ended.call));
    }

    std::vector<Tensor> backward(const Tensor& loss) {
        if (has_run_)
            refuse(ir::ErrorKind::kBadArgument, "found a record that has ended, expected a new one");
        stop();
        if (!is_on_device(loss) || loss.shape().volume() != 1)
            refuse(ir::ErrorKind::kGradNeedsScalar,
                   "found a loss of " + (is_on_device(loss) ? loss.shape().to_string() : "no device") +
                       ", expected a tensor of one element");
        if (!is_floating_point(loss.dtype()))
            refuse(ir::ErrorKind::kGradNeedsFloat,
                   "found a loss of " + std::string(name_of(loss.dtype())) + ", expected floats");
        require_not_dropped(loss);
        require_current({"loss", false, &loss}, nullptr);
        has_run_ = true;
        const ScopedCallWatcher watching(outer_);
        const ScopedPass pass(CallPass::kBackward);
        gradients_.emplace(loss.id(), filled(value_of(loss), 1.0F));
        while (!calls_.empty()) {
            const RecordedCall call = std::move(calls_.back());
            calls_.pop_back();
            run_back(call);
        }
        std::vector<Tensor> made;
        for (const Tensor& each : of_) {
            const auto found = gradients_.find(each.id());
            made.push_back(found != gradients_.end() ? found->second : filled(value_of(each), 0.0F));
        }
        if (CallRecorder* const recorder = call_recorder()) recorder->on_gradients(of_, made);
        gradients_.clear();
        tracked_.clear();
        written_.clear();
        dropped_.clear();
        of_.clear();
        arguments_.reset();
        types_.clear();
        return made;
    }

    void stop() {
        if (watching_ && call_watcher() != this)
            refuse(
                ir::ErrorKind::kBadArgument,
                "found another record open that began later, or another thread, expected that the last one ends first");
        watching_.reset();
        pass_.reset();
        writes_->next_call();  // writes from here on are of no call that is recorded
    }

    [[nodiscard]] std::size_t size() const { return calls_.size(); }

    [[nodiscard]] std::vector<std::string> without_rule() const {
        std::vector<std::string> names;
        for (const RecordedCall& each : calls_)
            if (!each.again && (each.rule == nullptr || each.rule == &rules::lowered_gradient()))
                names.push_back(Call(each).name());
        return names;
    }

    [[nodiscard]] std::uint64_t kept_bytes() const {
        std::unordered_map<record::BufferId, std::uint64_t> buffers;
        for (const RecordedCall& call : calls_)
            for (const auto* const list : {&call.operands, &call.results})
                for (const CallValue& each : *list)
                    if (each.kept.is_allocated())
                        buffers.emplace(each.buffer, page_geometry(each.spec()).size_bytes());
        std::uint64_t bytes = 0;
        for (const auto& [buffer, size] : buffers)
            bytes += size;
        return bytes;
    }

private:
    /// A function whose calls are not recorded: what it reads of outside it, and what it makes that has gradients.
    struct Checkpoint {
        RecordedCall call;
        std::unordered_set<record::TensorId> known;  // made in it, or among the operands
        std::unordered_set<record::TensorId> tracked;
        bool makes_tracked = false;  // the call that runs
    };

    void note_in_checkpoint(const char* operation) {
        checkpoint_->makes_tracked = false;
        std::erase_if(given_, [](const GivenTensor& each) { return !is_on_device(*each.tensor); });
        for (const GivenTensor& each : given_)
            if (!each.is_output) require_current(each, operation);
        for (const GivenTensor& each : given_) {
            require_not_dropped(*each.tensor);
            const record::TensorId id = each.tensor->id();
            const bool has_gradient = tracked_.contains(id) && is_floating_point(each.tensor->dtype());
            if (!each.is_output) checkpoint_->makes_tracked = checkpoint_->makes_tracked || has_gradient;
            if (!checkpoint_->known.insert(id).second) continue;
            CallValue value = value_of(*each.tensor, each.parameter);
            value.is_wanted = has_gradient;
            if (has_gradient) value.kept = *each.tensor;  // the function itself has the others
            checkpoint_->call.operands.push_back(std::move(value));
        }
    }

    CallValue value_of(const Tensor& tensor, std::string_view parameter = {}) {
        return {parameter, tensor.id(), tensor.buffer().id(), &type_of(tensor), false, {}};
    }

    const ValueType& type_of(const Tensor& tensor) {
        const TensorSpec& spec = tensor.spec();
        const auto [number, is_new] =
            type_numbers_.try_emplace(tensor.record_spec_id(), static_cast<std::uint32_t>(types_.size()));
        // On another device, or different in what captures do not say: of its own.
        if (is_new || types_[number].device != tensor.shared_device() || types_[number].spec != spec)
            return types_.emplace_back(spec, tensor.shared_device());
        return types_[number];
    }

    void note_results_in_checkpoint(std::span<const Tensor> results) {
        for (const Tensor& each : results) {
            if (!is_on_device(each)) continue;
            checkpoint_->known.insert(each.id());
            if (!checkpoint_->makes_tracked) {
                forget(std::span(&each, 1));
                continue;
            }
            if (!is_floating_point(each.dtype())) continue;
            track(each);
            checkpoint_->tracked.insert(each.id());  // of a call in place, too
        }
    }

    void track(const Tensor& result) {
        tracked_[result.id()] = call_number_;
        if (is_written_by_call(result)) written_.insert(result.buffer().id());
    }

    // Outputs that were given and written over with what depends on nothing that is recorded.
    void forget(std::span<const Tensor> results) {
        for (const Tensor& each : results) {
            if (!is_on_device(each)) continue;
            if (is_written_by_call(each)) written_.erase(each.buffer().id());
            tracked_.erase(each.id());
            if (checkpoint_) checkpoint_->tracked.erase(each.id());
        }
    }

    // In memory that was given to the call that ends, and that other tensors may lie in as well.
    [[nodiscard]] bool is_written_by_call(const Tensor& result) const {
        return writes_->last_write(result.buffer().id()) == call_number_;
    }

    // A value written through one tensor has its gradient, and none of the others in the same memory. Gives whether the
    // tensor is tracked.
    bool require_current(const GivenTensor& given, const char* operation) const {
        const record::BufferId buffer = given.tensor->buffer().id();
        const auto tracked = tracked_.find(given.tensor->id());
        const bool is_current = tracked != tracked_.end()
                                    ? writes_->last_write(buffer) <= tracked->second
                                    : !written_.contains(buffer) || !is_floating_point(given.tensor->dtype());
        if (!is_current)
            throw ir::Error(ir::ErrorKind::kNoRule,
                            (operation != nullptr ? "ttnn." + std::string(operation) : "gradient") +
                                ": found its " + std::string(given.parameter) +
                                " in memory that was written through another tensor, expected the tensor "
                                "that was written, which alone has the gradient; make views after the write");
        return tracked != tracked_.end();
    }

    void require_not_dropped(const Tensor& tensor) const {
        if (!dropped_.empty() && dropped_.contains(tensor.id()))
            throw ir::Error(
                ir::ErrorKind::kNoRule,
                "checkpoint: found a tensor of the function used that it did not return, expected its "
                "results alone; return it");
    }

    // The calls stand on the record again, and the gradients of the results are those of what took their place.
    void call_again(const RecordedCall& recorded) {
        for (const CallValue& each : recorded.operands) {
            if (each.is_wanted && !each.kept.is_allocated())
                throw ir::Error(ir::ErrorKind::kNoRule,
                                "checkpoint: found memory freed that its function reads, "
                                "expected it to live until backward() has run");
            if (writes_->last_write(each.buffer) >= recorded.number)
                throw ir::Error(
                    ir::ErrorKind::kNoRule,
                    "checkpoint: found its " + std::string(each.parameter) +
                        " overwritten, which its function reads again, expected it unchanged until "
                        "backward() has run; write to another tensor");
        }
        std::vector<Tensor> made;
        {
            const ScopedCallWatcher watching(this);
            made = recorded.again();
        }
        writes_->next_call();
        if (made.size() != recorded.results.size())
            refuse(ir::ErrorKind::kBadArgument, "checkpoint: found " + std::to_string(made.size()) +
                                                    " results of the second call, expected " +
                                                    std::to_string(recorded.results.size()) +
                                                    " as of the first");
        std::unordered_map<record::TensorId, Tensor> moved;
        for (std::size_t i = 0; i < made.size(); ++i) {
            const auto found = gradients_.find(recorded.results[i].id);
            if (!recorded.results[i].is_there() || found == gradients_.end()) continue;
            if (made[i].shape() != recorded.results[i].spec().shape ||
                made[i].dtype() != recorded.results[i].spec().dtype)
                refuse(ir::ErrorKind::kBadArgument, "checkpoint: found another result " + std::to_string(i) +
                                                        " of the second call, expected one as of the first");
            moved.emplace(made[i].id(), std::move(found->second));
            gradients_.erase(found);
        }
        gradients_.merge(moved);
    }

    static Tensor filled(const CallValue& like, float value) {
        return rules::filled(like.spec().shape, like.spec().dtype, like.device(), value);
    }

    // By the name's address: all calls of an operation give the same.
    const Gradient* rule_of(const char* operation) {
        const auto [known, is_new] = rules_.try_emplace(operation, nullptr);
        if (!is_new) return known->second;
        const rules::Rule* const rule = rules::find_rule("ttnn." + internal::dotted(operation));
        return known->second = rule != nullptr && rule->gradient.gradients ? &rule->gradient : nullptr;
    }

    // The rule, and no values that it does not read. None: whether that matters is known when a gradient arrives.
    void choose_rule(RecordedCall& call) {
        const Gradient* const own = rule_of(call.operation);
        const Call seen(call);
        if (own != nullptr && (!own->takes || own->takes(seen))) {
            call.rule = own;
            for (std::size_t i = 0; i < call.operands.size(); ++i)
                if (!is_listed(own->keeps, call.operands[i].parameter) ||
                    (own->reads && !own->reads(seen, i)))
                    call.operands[i].kept = Tensor();
            return;
        }
        if (has_lowering(seen.name())) {
            call.rule = &rules::lowered_gradient();
            return;
        }
        for (CallValue& each : call.operands)
            each.kept = Tensor();
    }

    void run_back(const RecordedCall& recorded) {
        if (recorded.again) {
            if (std::ranges::any_of(recorded.results, [&](const CallValue& each) {
                    return each.is_there() && gradients_.contains(each.id);
                }))
                call_again(recorded);
            return;
        }
        std::vector<std::optional<Tensor>> of_results;
        bool is_reached = false;
        for (const CallValue& each : recorded.results) {
            const auto found = gradients_.find(each.id);
            if (!each.is_there() || found == gradients_.end()) {
                of_results.emplace_back();
                continue;
            }
            of_results.emplace_back(std::move(found->second));
            gradients_.erase(found);
            is_reached = true;
        }
        if (!is_reached) return;
        Call call(recorded);
        if (recorded.rule == nullptr)
            throw ir::Error(ir::ErrorKind::kNoRule, call.name() + ": no vjp rule, and no lower rule");
        require_unwritten(call);
        call.set_gradients(std::move(of_results));
        recorded.rule->gradients(call);
        std::vector<std::optional<Tensor>> given = call.take_given();
        for (std::size_t i = 0; i < given.size(); ++i)
            if (given[i]) add_gradient(recorded.operands[i], std::move(*given[i]));
    }

    void require_unwritten(const Call& call) const {
        const std::uint64_t number = call.recorded().number;
        for (const auto* const list : {&call.recorded().operands, &call.recorded().results})
            for (const CallValue& each : *list) {
                if (!each.kept.is_allocated()) continue;
                const bool is_result = list == &call.recorded().results;
                const std::uint64_t written = writes_->last_write(each.buffer);
                if (is_result ? written > number : written >= number)
                    throw ir::Error(ir::ErrorKind::kNoRule,
                                    call.name() + ": found its " +
                                        (is_result ? "result" : std::string(each.parameter)) +
                                        " overwritten, which its gradient needs, expected it unchanged until "
                                        "backward() has run; write to another tensor");
            }
    }

    void add_gradient(const CallValue& of, Tensor gradient) {
        gradient =
            rules::as_dtype(rules::sum_to(rules::as_tiles(gradient), of.spec().shape), of.spec().dtype);
        const auto [known, is_first] = gradients_.try_emplace(of.id, gradient);
        if (!is_first) known->second = add(known->second, gradient);
    }

    std::vector<Tensor> of_;
    CallWatcher* const outer_;
    std::optional<ScopedCallWatcher> watching_;
    std::optional<ScopedPass> pass_;
    bool has_run_ = false;
    bool is_operation_ = false;  // the running call is one that has a definition
    std::uint64_t call_number_ = 0;
    std::unordered_map<record::TensorId, std::uint64_t> tracked_;  // by the number of the call that made it
    std::unordered_set<record::BufferId> written_;  // given memory that calls wrote tracked values to
    const std::shared_ptr<WriteLog> writes_ = WriteLog::begin();
    std::unordered_map<const char*, const Gradient*> rules_;
    // Arguments of the calls, which hold pointers into them.
    std::optional<ObjectRoom> arguments_{std::in_place};
    std::deque<ValueType> types_;
    internal::IdMap<record::TensorSpecId> type_numbers_;
    std::vector<RecordedCall> calls_;
    std::unordered_map<record::TensorId, Tensor> gradients_;
    std::optional<RecordedCall> pending_;
    std::optional<Checkpoint> checkpoint_;  // the one that runs
    std::size_t checkpoint_depth_ = 0;
    std::unordered_set<record::TensorId> dropped_;  // values of checkpoints that were not returned
    // Tensors of the call that begins, their memory used again.
    std::vector<GivenTensor> given_;
    std::vector<internal::TensorArgument> ids_;
};

GradientRecord::GradientRecord(std::span<const Tensor> of) : tape_(std::make_unique<Tape>(of)) {}
GradientRecord::~GradientRecord() = default;

std::vector<Tensor> GradientRecord::backward(const Tensor& loss) {
    return tape_->backward(loss);
}

void GradientRecord::stop() {
    tape_->stop();
}

std::size_t GradientRecord::size() const {
    return tape_->size();
}

std::vector<std::string> GradientRecord::without_rule() const {
    return tape_->without_rule();
}

std::uint64_t GradientRecord::kept_bytes() const {
    return tape_->kept_bytes();
}

std::vector<Tensor> GradientRecord::checkpoint(const TensorFunction& function,
                                               std::span<const Tensor> inputs) {
    Tape* const tape = Tape::current();
    if (tape == nullptr) return function(inputs);
    tape->begin_checkpoint();
    std::vector<Tensor> results;
    try {
        results = function(inputs);
    } catch (...) {
        tape->end_checkpoint({}, {});
        throw;
    }
    tape->end_checkpoint(results, [function, kept = std::vector<Tensor>(inputs.begin(), inputs.end())] {
        return function(kept);
    });
    return results;
}

void GradientRecord::note_argument(const Tensor& of, const Tensor& argument) {
    if (Tape* const tape = Tape::current()) tape->note_argument(of, argument);
}

std::vector<Tensor> checkpoint(const TensorFunction& function, std::span<const Tensor> inputs) {
    return GradientRecord::checkpoint(function, inputs);
}

}  // namespace tilemeter::trace
