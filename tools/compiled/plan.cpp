// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/plan.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <variant>

#include "capture/graph/graph_processor.hpp"
#include "capture/graph/node_graph.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/emit_table.h"
#include "capture/record/emitter.hpp"
#include "capture/record/stack.hpp"
#include "report/python_io.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/work/later_ttnn.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/types/runtime_error.hpp"
#include "tools/compiled/call.hpp"
#include "tools/compiled/functions.hpp"
#include "tools/compiled/values.hpp"

namespace tilemeter::compiled {
namespace {

using foreign::CompiledProgram;
using foreign::ProgramFunction;
using foreign::ProgramOperation;
using foreign::ValueId;

// Constants.h of tt-mlir: what its runtime opens devices with.
constexpr std::uint64_t kSmallL1 = std::uint64_t{1} << 16;

std::string place_text(const foreign::UserPlace& place) {
    if (place.file.empty()) return {};
    return place.line == 0 ? place.file : place.file + ":" + std::to_string(place.line);
}

// A program's values in one run of a function.
struct Frame {
    explicit Frame(const ProgramFunction& of) : function(of), tensors(of.values.size()) {}
    const ProgramFunction& function;
    std::vector<std::optional<Tensor>> tensors;
    std::set<ValueId> retained;  // whose memory the program's own frees leave
};

class Planner {
public:
    Planner(const CompiledProgram& program, std::shared_ptr<Device> device)
        : program_(program), device_(std::move(device)), stacks_(program.places.size()) {}

    std::vector<Tensor> run(const ProgramFunction& function, const std::vector<Tensor>& arguments);
    /// The bytes of a bank that each result takes that is a kept constant, in DRAM.
    std::vector<std::uint64_t> constants_among(const std::vector<Tensor>& results) const;

    std::size_t operation_count = 0;
    std::map<std::string, std::size_t> unknown, left_out;
    const ProgramOperation* failing = nullptr;

    Tensor placed(const foreign::TensorType& type);

private:
    void step(Frame& frame, const ProgramOperation& operation);
    void call(Frame& frame, const ProgramOperation& operation);
    void call_function(Frame& frame, const ProgramOperation& operation);
    void capture_trace(Frame& frame, const ProgramOperation& operation);
    void free(Frame& frame, const ProgramOperation& operation);
    void place_unknown(Frame& frame, const ProgramOperation& operation);
    void place_results(Frame& frame, const ProgramOperation& operation);
    Tensor& tensor(Frame& frame, ValueId value);
    std::vector<Tensor> tensors(Frame& frame, const std::vector<ValueId>& values);
    record::StackId stack_of(const ProgramOperation& operation);
    void in_scope_of(const ProgramOperation& operation, const std::vector<Tensor>& inputs,
                     const std::function<std::vector<OptionalTensor>()>& body);

    const CompiledProgram& program_;
    std::shared_ptr<Device> device_;
    std::vector<record::StackId> stacks_;
    std::map<std::string, record::TextId> names_;
    std::map<std::string, std::vector<Tensor>> constants_;  // by the function that makes them
    std::vector<Tensor> slots_;                             // of traces, which outlive their functions
};

Tensor Planner::placed(const foreign::TensorType& type) {
    const TensorSpec spec = spec_of(type);
    const auto memory = memory_of(type);
    if (!memory) return Tensor::planned_on_host(spec);
    const ScopedCallStyle bare(CallStyle::kBare);
    return create_device_tensor(spec, device_);
}

Tensor& Planner::tensor(Frame& frame, ValueId value) {
    std::optional<Tensor>& found = frame.tensors.at(value);
    if (!found)
        throw RuntimeError("value " + frame.function.values[value].name +
                           ": expected one that is alive, found one that was freed or never made");
    return *found;
}

std::vector<Tensor> Planner::tensors(Frame& frame, const std::vector<ValueId>& values) {
    std::vector<Tensor> found;
    for (const ValueId value : program_.tensors_among(frame.function, values))
        found.push_back(tensor(frame, value));
    return found;
}

record::StackId Planner::stack_of(const ProgramOperation& operation) {
    record::StackId& stack = stacks_[operation.place];
    if (stack != record::StackId::kNone) return stack;
    const foreign::UserPlace& place = program_.places[operation.place];
    if (place.file.empty()) return record::StackId::kNone;
    const std::uint64_t frame =
        record::text_frame(record::intern(report::python_frame(place.file, place.line, place.name)));
    return stack = record::intern_stack({&frame, 1});
}

void Planner::in_scope_of(const ProgramOperation& operation, const std::vector<Tensor>& inputs,
                          const std::function<std::vector<OptionalTensor>()>& body) {
    const std::string name(operation.name);
    const auto [entry, is_new] = names_.try_emplace(name);
    if (is_new) entry->second = record::intern(name);
    const record::ScopedStack stack(stack_of(operation));
    const ScopedUserOperation scope(entry->second);
    in_scope(entry->second, std::tie(inputs), body);
}

void Planner::place_unknown(Frame& frame, const ProgramOperation& operation) {
    ++unknown[std::string(operation.name)];
    // A device operation whose program nobody recorded: that is what analyses say of it.
    std::string name;
    for (std::size_t i = operation.name.find('.') + 1, begin = i; i < operation.name.size(); ++i)
        if (operation.name[i] != '_')
            name += i == begin || operation.name[i - 1] == '_'
                        ? static_cast<char>(std::toupper(static_cast<unsigned char>(operation.name[i])))
                        : operation.name[i];
    if (!record::recording()) return place_results(frame, operation);
    constexpr auto kPartial = record::Completeness::kPartial;
    static const std::optional<record::EmitterId> kEmitter =
        record::register_emitter({.name = "compiled program",
                                  .version = {},
                                  .git_sha = {},
                                  .missing = {"programs of operations that no call is known for"},
                                  .normal = {kPartial, kPartial, kPartial},
                                  .no_dispatch = {kPartial, kPartial, kPartial}});
    const tilemeter_emit_table& table = *tilemeter_get_emit_table(TILEMETER_EMIT_TABLE_VERSION);
    const auto emitter = static_cast<std::uint8_t>(kEmitter.value_or(record::EmitterId::kRuntime));
    const record::TextId text = record::intern(name + "DeviceOperation");
    table.function_begin(emitter, static_cast<std::uint32_t>(text), 0,
                         static_cast<std::uint32_t>(stack_of(operation)));
    record::emit_program_begin(device_->id(), 0, record::Origin::kPlanned);
    place_results(frame, operation);
    table.function_end(emitter);
}

void Planner::place_results(Frame& frame, const ProgramOperation& operation) {
    for (const ValueId result : operation.results) {
        const foreign::TensorType& type = program_.type_of(frame.function, result);
        if (type.is_tensor) frame.tensors[result] = placed(type);
    }
}

// The operands that a call takes, as often as it does. Until 2025 operations had their outputs among the operands, too.
std::vector<ValueId> taken_by(const FunctionCall& call, const std::vector<ValueId>& operands) {
    std::map<ValueId, std::size_t> left;
    for (const CallArgument& each : call.arguments) {
        if (const auto* one = std::get_if<TensorValue>(&each.value)) ++left[one->value];
        if (const auto* several = std::get_if<TensorValues>(&each.value))
            for (const ValueId value : several->values)
                ++left[value];
    }
    std::vector<ValueId> taken;
    for (const ValueId operand : operands)
        if (const auto found = left.find(operand); found != left.end() && found->second > 0) {
            --found->second;
            taken.push_back(operand);
        }
    return taken;
}

void Planner::call(Frame& frame, const ProgramOperation& operation) {
    const CallRule* rule = operation.is_understood ? find_rule(operation.name) : nullptr;
    std::optional<FunctionCall> made;
    std::exception_ptr no_call;  // thrown where the operation's scope is open
    try {
        if (rule != nullptr) made = call_of(*rule, program_, frame.function, operation);
    } catch (const std::exception&) {
        no_call = std::current_exception();
    }
    const std::vector<Tensor> inputs =
        tensors(frame, made ? taken_by(*made, operation.operands) : operation.operands);
    in_scope_of(operation, inputs, [&]() -> std::vector<OptionalTensor> {
        if (no_call) std::rethrow_exception(no_call);
        if (!made) {
            place_unknown(frame, operation);
            return {};
        }
        for (const std::string& attribute : made->left_out)
            ++left_out[std::string(operation.name) + ": " + attribute];
        std::vector<compat::Named> arguments;
        for (const CallArgument& each : made->arguments) {
            compat::Named& named = arguments.emplace_back(compat::Named{each.parameter, {}});
            if (const auto* argument = std::get_if<compat::Argument>(&each.value)) {
                named.argument = *argument;
            } else if (const auto* one = std::get_if<TensorValue>(&each.value)) {
                named.argument = tensor(frame, one->value);
            } else if (const auto* several = std::get_if<TensorValues>(&each.value)) {
                std::vector<Tensor> tensors;
                for (const ValueId value : several->values)
                    tensors.push_back(tensor(frame, value));
                named.argument = std::move(tensors);
            } else {
                named.argument = device_;
            }
        }
        compat::Result result = compat::call_unwrapped(made->function, arguments);
        for (std::size_t i = 0; i < operation.results.size() && i < result.tensors.size(); ++i)
            if (result.tensors[i]) frame.tensors[operation.results[i]] = *result.tensors[i];
        return std::move(result.tensors);
    });
}

void Planner::call_function(Frame& frame, const ProgramOperation& operation) {
    const ProgramFunction* callee = program_.find(operation.callee);
    if (callee == nullptr)
        throw RuntimeError(std::string(operation.name) + ": expected a function of the program, found @" +
                           std::string(operation.callee));
    const bool is_cached = operation.name == "ttcore.load_cached";
    if (is_cached) {
        const auto kept = constants_.find(callee->name);
        if (kept != constants_.end()) {
            for (std::size_t i = 0; i < operation.results.size(); ++i) {
                frame.tensors[operation.results[i]] = kept->second.at(i);
                frame.retained.insert(operation.results[i]);
            }
            return;
        }
    }
    const std::vector<Tensor> arguments = tensors(frame, operation.operands);
    const bool is_on_host = callee->kind == "forward_cpu";
    std::vector<Tensor> results;
    if (is_on_host) {
        for (const ValueId result : operation.results)
            results.push_back(placed(program_.type_of(frame.function, result)));
    } else {
        results = run(*callee, arguments);
    }
    for (std::size_t i = 0; i < operation.results.size() && i < results.size(); ++i) {
        frame.tensors[operation.results[i]] = results[i];
        if (is_cached) frame.retained.insert(operation.results[i]);
    }
    if (is_cached) constants_.emplace(callee->name, std::move(results));
}

// A trace's first call: its slots are allocated, and its function runs twice, once to be captured.
void Planner::capture_trace(Frame& frame, const ProgramOperation& operation) {
    const auto [allocates, captures] = trace_functions(program_, operation);
    std::vector<Tensor> on_device, given;
    for (const ValueId value : program_.tensors_among(frame.function, operation.operands))
        (allocates != nullptr && memory_of(program_.type_of(frame.function, value)) ? on_device : given)
            .push_back(tensor(frame, value));
    std::vector<Tensor> results;
    if (allocates != nullptr) {
        results = run(*allocates, on_device);
        given.insert(given.end(), results.begin(), results.end());
        run(*captures, given);
    } else {
        results = run(*captures, given);
    }
    const std::size_t count = operation.results.size();
    if (results.size() < count)
        throw RuntimeError("trace: expected " + std::to_string(count) + " results, found " +
                           std::to_string(results.size()));
    const std::size_t begin = allocates != nullptr ? results.size() - count : 0;
    for (std::size_t i = 0; i < count; ++i) {
        frame.tensors[operation.results[i]] = results[begin + i];
        frame.retained.insert(operation.results[i]);
    }
    slots_.insert(slots_.end(), results.begin(), results.end());
}

void Planner::free(Frame& frame, const ProgramOperation& operation) {
    for (const ValueId operand : operation.operands) {
        std::optional<Tensor>& freed = frame.tensors.at(operand);
        if (freed && !frame.retained.contains(operand) && freed->storage_type() == StorageType::DEVICE) {
            const foreign::mlir::Value attributes = operation.read_attributes();
            const foreign::mlir::Value* force = attributes.find("force");
            const record::ScopedStack stack(stack_of(operation));
            const ScopedCallStyle bare(CallStyle::kBare);
            deallocate(*freed, force != nullptr && force->is("true"));
        }
        freed.reset();
    }
}

void Planner::step(Frame& frame, const ProgramOperation& operation) {
    failing = &operation;
    ++operation_count;
    const std::string_view name = operation.name;
    if (name == "ttnn.deallocate") {
        free(frame, operation);
    } else if (is_trace(operation)) {
        capture_trace(frame, operation);
    } else if (name == "ttnn.get_device" || is_within_trace(operation)) {
        // No call that takes memory.
    } else if (!operation.callee.empty()) {
        call_function(frame, operation);
    } else {
        call(frame, operation);
    }
    failing = nullptr;
}

std::vector<Tensor> Planner::run(const ProgramFunction& function, const std::vector<Tensor>& arguments) {
    Frame frame(function);
    const std::vector<ValueId> taken = program_.tensors_among(function, function.arguments);
    if (arguments.size() != taken.size())
        throw RuntimeError("function " + function.name + ": expected " + std::to_string(taken.size()) +
                           " arguments, found " + std::to_string(arguments.size()));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        frame.tensors[taken[i]] = arguments[i];
        frame.retained.insert(taken[i]);
    }
    for (const ProgramOperation& operation : function.operations)
        step(frame, operation);
    return tensors(frame, function.results);
}

std::vector<std::uint64_t> Planner::constants_among(const std::vector<Tensor>& results) const {
    std::set<record::BufferId> kept;
    for (const auto& [name, constants] : constants_)
        for (const Tensor& constant : constants)
            if (constant.storage_type() == StorageType::DEVICE) kept.insert(constant.buffer().id());
    std::vector<std::uint64_t> sizes;
    for (const Tensor& result : results) {
        if (result.storage_type() != StorageType::DEVICE) continue;
        if (const Buffer& buffer = result.buffer();
            buffer.memory() == MemoryType::kDram && kept.contains(buffer.id()))
            sizes.push_back(buffer.size_per_bank_bytes());
    }
    return sizes;
}

std::shared_ptr<Device> open(const foreign::TargetSystem& system, const DeviceOptions& options) {
    try {
        const std::vector<std::int64_t>& mesh = system.mesh_shape;
        if (mesh.size() != 2 || mesh[0] * mesh[1] <= 1) return open_device(0, options);
        return open_mesh_device({static_cast<std::uint32_t>(mesh[0]), static_cast<std::uint32_t>(mesh[1])},
                                options);
    } catch (const std::invalid_argument& error) {
        throw RuntimeError(error.what());
    }
}

std::vector<std::shared_ptr<const CachedProgram>> cached_programs(Device& device) {
    auto programs = device.with_state([](DeviceMemory&, ProgramCache& cache) {
        ProgramCache copy = cache;
        return copy.clear();
    });
    std::ranges::sort(programs, {}, [](const auto& program) { return program->program_id; });
    return programs;
}

// What is taken of `all`, and how much of it by tables, whose addresses are given.
DramUse dram_use(BankAllocator all, std::uint64_t banks, const std::vector<std::uint64_t>& tables) {
    const BankStatistics whole = all.statistics();
    for (const std::uint64_t address : tables)
        all.free_if_allocated(address);
    return {whole.allocated * banks, whole.largest_free_block * banks,
            (whole.allocated - all.statistics().allocated) * banks};
}

struct TablesOfPrograms {
    std::set<record::BufferId> all;  // that cached programs keep
    std::set<record::BufferId>
        needless;  // buffers, of these and others, that the runtime of JAX's plugin does not make
};

TablesOfPrograms tables_of_programs(Device& device, const NotesOnLaterTtnn& notes) {
    static const record::TextId kReshape = record::intern("ttnn::prim::ReshapeViewTiledProgramFactory");
    TablesOfPrograms tables{{}, notes.needless_buffers()};
    std::size_t reshapes = 0;  // with a table, in the order in which they were planned
    for (const auto& program : cached_programs(device)) {
        if (program->tables.empty()) continue;
        const bool is_needless = program->factory_type == kReshape &&
                                 reshapes < notes.reshape_tables().size() && notes.reshape_tables()[reshapes];
        reshapes += program->factory_type == kReshape;
        for (const ProgramTable& table : program->tables) {
            tables.all.insert(table.buffer);
            if (is_needless) tables.needless.insert(table.buffer);
        }
    }
    return tables;
}

DramUse dram_use(Device& device, const TablesOfPrograms& of_programs) {
    const DeviceMemory memory = device.memory();
    std::vector<std::uint64_t> tables;
    for (const Allocation& each : device.live_allocations())
        if (each.buffer_record.memory == MemoryType::kDram &&
            of_programs.all.contains(each.buffer_record.buffer))
            tables.push_back(each.buffer_record.address);
    return dram_use(memory.allocator(MemoryType::kDram), memory.num_banks(MemoryType::kDram), tables);
}

// The DRAM that JAX's plugin has at the end: the buffers of the capture in the same order, without those that its TT-NN does
// not make, then copies of as many bytes of a bank.
DramUse dram_use_in_plugin(const DeviceMemory& before, const graph::NodeGraph& graph,
                           const TablesOfPrograms& tables, const std::vector<std::uint64_t>& copies) {
    BankAllocator dram = before.allocator(MemoryType::kDram);
    const auto allocate = [&dram](std::uint64_t size) {
        const auto address = dram.allocate(size);
        if (!address) throw RuntimeError("DRAM of JAX's plugin: expected room as the plan has, found none");
        return *address;
    };
    std::unordered_map<std::uint64_t, std::uint64_t> addresses;  // of what the capture has made, by buffer
    for (const graph::CapturedNode& node : graph.nodes) {
        if (node.type != graph::NodeType::kBufferAllocate && node.type != graph::NodeType::kBufferDeallocate)
            continue;
        const record::Event& event = *node.event;
        if (event.memory != MemoryType::kDram || tables.needless.contains(record::BufferId{event.id}))
            continue;
        if (node.type == graph::NodeType::kBufferAllocate) {
            addresses[event.id] = allocate(event.payload.buffer.size_per_bank_bytes);
        } else if (const auto made = addresses.find(event.id); made != addresses.end()) {
            dram.free(made->second);
            addresses.erase(made);
        } else {
            dram.free_if_allocated(event.payload.buffer.address);
        }
    }
    for (const std::uint64_t size : copies)
        allocate(size);
    std::vector<std::uint64_t> kept;
    for (const auto& [buffer, address] : addresses)
        if (tables.all.contains(record::BufferId{buffer})) kept.push_back(address);
    return dram_use(std::move(dram), before.num_banks(MemoryType::kDram), kept);
}

std::string one_line(std::string text) {
    if (const std::size_t end = text.find('\n'); end != std::string::npos) text.resize(end);
    return text;
}

}  // namespace

std::string board_of(const foreign::TargetSystem& system) {
    const bool is_mesh = system.chip_count > 1;
    if (system.architecture == "blackhole") {
        if (!is_mesh)
            return system.grid_columns == 14 || system.grid_columns == 13 || system.grid_columns == 0
                       ? "p150"
                       : "p100";
    } else if (system.architecture == "wormhole_b0") {
        if (system.chip_count == 1) return "n150";
        if (system.chip_count == 2) return "n300";
        if (system.chip_count == 8) return "t3000";
        if (system.chip_count == 32) return "galaxy";
    }
    throw RuntimeError("board: expected a built-in one with the program's " +
                       std::to_string(system.chip_count) + " chips of " +
                       (system.architecture.empty() ? "no architecture" : system.architecture) +
                       ", found none: --board names one");
}

std::shared_ptr<Device> open_board(const foreign::TargetSystem& system, const std::string& board) {
    DeviceOptions options{.description = board.empty() ? board_of(system) : board, .l1_small_size = kSmallL1};
    if (board.empty() && system.l1_size > system.l1_base && system.l1_base > 0)
        options.worker_l1_size = static_cast<std::uint64_t>(system.l1_size - system.l1_base);
    return open(system, options);
}

Plan plan(const CompiledProgram& program, const PlanOptions& options) {
    const ProgramFunction& function = function_to_run(program, options.function);
    const std::string board = options.board.empty() ? board_of(program.system) : options.board;
    const std::shared_ptr<Device> device = open_board(program.system, options.board);
    Planner planner(program, device);
    std::vector<Tensor> arguments;
    Plan made{graph::CapturedGraph(record::Recording()),
              board,
              function.name,
              0,
              {},
              {},
              {},
              {},
              {},
              nullptr,
              {},
              {}};
    try {
        for (const ValueId argument : program.tensors_among(function, function.arguments))
            arguments.push_back(planner.placed(program.type_of(function, argument)));
    } catch (const OutOfMemoryError& error) {
        made.refusal = one_line(error.what());
        made.refused_operation = "arguments";
    }
    const DeviceMemory before = device->memory();
    const bool had_stacks = graph::GraphProcessor::is_stack_trace_enabled();
    graph::GraphProcessor::enable_stack_traces();
    graph::GraphProcessor::begin_graph_capture(graph::RunMode::NO_DISPATCH);
    const NotesOnLaterTtnn notes;
    std::vector<Tensor> results;
    std::vector<std::uint64_t> copies;
    try {
        if (made.refusal.empty()) results = planner.run(function, arguments);
        copies = planner.constants_among(results);
    } catch (const std::exception& error) {
        made.refusal = one_line(error.what());
        if (planner.failing != nullptr) {
            made.failing = planner.failing;
            made.refused_operation = planner.failing->name;
            made.refused_place = place_text(program.places[planner.failing->place]);
        }
    }
    const TablesOfPrograms tables = tables_of_programs(*device, notes);
    made.dram = dram_use(*device, tables);
    made.graph = graph::GraphProcessor::end_capture();
    if (made.refusal.empty())
        made.dram_in_plugin = tables.needless.empty() && copies.empty()
                                  ? made.dram
                                  : dram_use_in_plugin(before, made.graph.nodes(), tables, copies);
    if (!had_stacks) graph::GraphProcessor::disable_stack_traces();
    made.operation_count = planner.operation_count;
    made.unknown = std::move(planner.unknown);
    made.left_out = std::move(planner.left_out);
    results.clear();
    arguments.clear();
    close_device(*device);
    return made;
}

}  // namespace tilemeter::compiled
