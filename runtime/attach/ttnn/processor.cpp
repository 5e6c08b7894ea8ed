// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/attach/ttnn/processor.hpp"

#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/attach/ttnn/devices.hpp"
#include "runtime/attach/ttnn/program_memory.hpp"
#include "runtime/attach/ttnn/tensors.hpp"
#include "runtime/attach/ttnn/thread_state.hpp"
#include "runtime/attach/ttnn/ttnn_api.hpp"

namespace tilemeter::attach::ttnn {

constinit thread_local int hide_from_queries [[gnu::tls_model("initial-exec")]] = 0;
constinit thread_local ThreadState* this_threads_state [[gnu::tls_model("initial-exec")]] = nullptr;
Emit emit;
std::atomic<std::uint8_t> emitter_number{0};
std::atomic<std::uint64_t> recorders{0};
std::atomic<std::uint64_t> failed_callbacks{0};
std::atomic<std::uint64_t> generation{0};

ThreadState& renewed_state() {
    if (this_threads_state == nullptr) this_threads_state = new ThreadState;
    ThreadState& here = *this_threads_state;
    if (const std::uint64_t now = generation.load(std::memory_order_relaxed); here.generation != now) {
        here.generation = now;
        here.open = here.kept = 0;
        here.just_opened = 0;
        here.failed = 0;
        here.pending.clear();
        here.tensors = {};
        if (const std::uint64_t recorder = recorders.load(); here.recorder != recorder) {
            here.recorder = recorder;
            here.names = {};
            here.cores = {};
            here.tensor_types = {};
            here.argument_texts = {};
        }
    }
    return here;
}

namespace {

std::atomic<bool> active_answer{false};
std::atomic<bool> argument_texts{false};
std::atomic<std::uint64_t> programs_seen{0};
std::atomic<std::uint64_t> programs_unlisted{0};

// The callbacks. Each first parameter is our object, as of a member function.

void on_allocate(void*, const Buffer* buffer) {
    note_allocated(buffer);
    if (!listening()) return;
    guarded([&] {
        ThreadState& here = state();
        here.just_opened = 0;
        emit_buffer(TILEMETER_ALLOCATE, facts_of(buffer, is_planning(here), true));
    });
}

void on_deallocate(void*, const Buffer* buffer) {
    wait_for_look_at_buffers();
    if (!listening()) return;
    note_alive(buffer);
    guarded([&] {
        ThreadState& here = state();
        here.just_opened = 0;
        emit_buffer(TILEMETER_FREE, facts_of(buffer, is_planning(here)));
    });
}

/// In the place of the function of TT-NN's hook, which is asked in each thread that has a capture of any kind.
bool on_hooked_deallocate(void* hook, Buffer* buffer) {
    const bool stays = api.hook_deallocate(hook, buffer);
    if (stays) {
        guarded([&] {
            // Planned ones have no address and are on no list of an allocator's.
            if (const tilemeter_buffer facts = facts_of(buffer, false); facts.address != 0)
                note_lost(buffer, facts);
            join_thread();
        });
    }
    return stays;
}

template <std::uint8_t kKind, bool Pending::*kTold>
void on_program_memory(void*, const CoreRangeSet* cores, std::uint64_t address, std::uint64_t size,
                       bool shared, const Device* device) {
    if (!listening()) return;
    guarded([&] {
        ThreadState& here = state();
        here.just_opened = 0;
        std::uint64_t program = 0;
        if (!here.pending.empty()) {
            here.pending.back().*kTold = true;
            program = number_of(here.pending.back().program);
        }
        const bool planned = is_planning(here);
        std::uint8_t flags = shared ? TILEMETER_SHARED : 0;
        if (planned && address == 0) flags |= TILEMETER_UNKNOWN_ADDRESS;
        emit_program_memory(kKind, here.cores.of(cores), address, size, flags,
                            static_cast<std::uint16_t>(api.device_id(device)), program, planned);
    });
}

void on_scratchpad(void* self, const CoreRangeSet* cores, std::uint64_t address, std::uint64_t size,
                   const Device* device) {
    on_program_memory<TILEMETER_SCRATCHPAD, &Pending::scratchpads_told>(self, cores, address, size, false,
                                                                        device);
}

void on_deallocate_circular_buffers(void*, const Device* device) {
    if (!listening()) return;
    guarded([&] {
        ThreadState& here = state();
        here.just_opened = 0;
        emit->program_begin(emitter_number, static_cast<std::uint16_t>(api.device_id(device)), 0,
                            is_planning(here) ? 1 : 0);
    });
}

void on_program(void*, const Program* program, const Device* device) {
    if (!listening()) return;
    guarded([&] {
        programs_seen.fetch_add(1, std::memory_order_relaxed);
        ThreadState& here = state();
        here.just_opened = 0;
        const auto number = static_cast<std::uint16_t>(api.device_id(device));
        here.pending.push_back({program, number, {}});
        const bool planned = is_planning(here);
        emit->program_begin(emitter_number, number, number_of(program), planned ? 1 : 0);
        // Planned only: TT-NN lists them here, where they have no address yet.
        if (planned) {
            const int chip = number;
            list_planned_circular_buffers(program, {&chip, 1});
            here.pending.back().circular_buffers_told = here.pending.back().dataflow_buffers_told = true;
        }
    });
}

void on_function_start(void*, std::string_view name, std::span<TrackedArgument> arguments) {
    if (!listening()) return;
    guarded([&] {
        ThreadState& here = state();
        const std::uint32_t id = here.names.of(name);
        emit->function_begin(emitter_number, id, arguments.size(), 0);
        ++here.open;
        here.just_opened = arguments.empty() ? id : 0;
        const bool texts = argument_texts.load(std::memory_order_relaxed);
        for (const TrackedArgument& each : arguments) {
            const HeldType type = here.held_types.of(each.value);
            if (texts) emit->argument_text(emitter_number, here.argument_texts.of(each, type, &intern));
            if (type.holds != Holds::kOther) emit_tensors_in(here, each.value, type, emit->input_tensor);
        }
    });
}

void end_function(ThreadState& here, bool aborted, std::uint32_t reason) {
    here.just_opened = 0;
    if (here.open == 0) return;  // begun before the capture
    if (here.failed >= here.open) {
        if (!aborted && here.failed == here.open) {
            aborted = true;
            reason = here.failed_reason;
        }
        here.failed = 0;
    }
    if (!here.pending.empty()) {
        // Launched by something that did not say so.
        if (!aborted && !is_planning(here)) {
            programs_unlisted.fetch_add(here.pending.size(), std::memory_order_relaxed);
            const int chip = here.pending.back().device;
            list_pending(here, {&chip, 1});
        }
        here.pending.clear();
    }
    if (aborted) {
        emit->function_aborted(emitter_number, reason);
    } else {
        emit->function_end(emitter_number);
    }
    --here.open;
}

void on_function_end(void*) {
    if (!listening()) return;
    guarded([] { end_function(state(), false, 0); });
}

void on_function_end_with_output(void*, const std::any& output) {
    if (!listening()) return;
    guarded([&] {
        ThreadState& here = state();
        if (!output.has_value()) return end_function(here, false, 0);
        const HeldType type = here.held_types.of(output);
        if (type.holds == Holds::kAborted) {
            struct Aborted {
                std::string reason;
                bool all;
            };
            const auto& aborted = *static_cast<const Aborted*>(object_in(output, false, sizeof(Aborted)));
            const std::uint32_t reason = intern(aborted.reason);
            if (!aborted.all) return end_function(here, true, reason);
            return close_functions_down_to(here.kept, reason);
        }
        if (type.holds != Holds::kOther && here.open != 0)
            guarded([&] { emit_tensors_in(here, output, type, emit->output_tensor); });
        end_function(here, false, 0);
    });
}

bool on_query(void*) {
    return hide_from_queries == 0 && active_answer.load(std::memory_order_relaxed) && listening();
}

/// True if the calling thread joined a capture that is open. One that has ended is left here: in functions that run
/// after every launch, and while no list of processors is walked.
bool is_captured() {
    if (this_threads_state == nullptr || !this_threads_state->joined) return false;
    if (!listening()) leave_thread();
    return listening();
}

/// In the place of TT-NN's own functions, which its launches ask whether somebody wants to know how they came by their
/// programs, and tell it.
bool on_has_capture() {
    return is_captured() || api.has_own_capture();
}
void on_program_selected(std::string factory, std::size_t index, bool cache_hit) {
    if (listening()) {
        guarded([&] {
            ThreadState& here = state();
            if (here.open != 0)
                emit->program_selected(emitter_number, here.names.of(factory), index, cache_hit ? 1 : 0);
        });
    }
    if (api.has_own_capture()) api.tell_program_factory(std::move(factory), index, cache_hit);
}

/// In the place of TT-NN's own function, which runs after every launch.
void on_execution(void* workload, const Device* mesh, std::uint64_t runtime_id) {
    api.track_execution(workload, mesh, runtime_id);
    if (!is_captured()) return;
    describe_if_due();
    guarded([&] {
        ThreadState& here = state();
        if (here.pending.empty() || is_planning(here)) {
            here.pending.clear();
            return;
        }
        const std::vector<int> chips = api.mesh_chips(mesh);
        if (chips.size() > 1) find_chips(here, workload, mesh);
        list_pending(here, chips);
        const auto device = static_cast<std::uint16_t>(api.device_id(mesh));
        here.sub_devices.look_at(mesh, device);
        for (const Pending& each : here.pending) {
            tilemeter_execution made{};
            made.program = number_of(each.program);
            made.runtime_id = api.program_runtime_id(each.program);
            made.device = device;
            made.queue = api.command_queue_of_thread();
            made.sub_device_manager = here.sub_devices.manager();
            if (const auto sub_device = here.sub_devices.of(api.implementation(each.program))) {
                made.sub_device = *sub_device;
                made.worker_cores = here.sub_devices.cores_text(*sub_device);
            }
            for (const int chip : each.chips.empty() ? chips : each.chips) {
                constexpr unsigned kChipBits = 10;
                made.global_call_count = made.runtime_id << kChipBits | static_cast<unsigned>(chip);
                made.physical_device = static_cast<std::uint16_t>(chip);
                emit->program_execution(emitter_number, &made);
            }
        }
        here.pending.clear();
    });
}

/// In the place of the functions of devices, which programs also let go without a word.
bool on_device_closed(Device* device) {
    guarded([&] { leave_device(device); });
    return api.close_device(device);
}
void on_device_destroyed(Device* device) {
    guarded([&] { leave_device(device); });
    api.destroy_device(device);
}
void on_device_destroyed_and_freed(Device* device) {
    guarded([&] { leave_device(device); });
    api.destroy_and_free_device(device);
}

/// An object that TT-NN takes for a processor: a pointer to a virtual table, and room for what it might look at behind
/// it.
struct Object {
    void** table = nullptr;
    std::array<void*, 63> unused{};
};

struct Said {
    std::mutex mutex;
    std::string version;
    std::string git_sha;
    std::vector<const char*> missing;
};
Said& said_of_ttnn = *new Said;

/// Tells the recorder what a report has to say of TT-NN.
void register_ttnn() {
    std::vector<const char*> missing = said_of_ttnn.missing;
    missing.push_back(nullptr);
    tilemeter_emitter_info info{};
    info.name = "ttnn";
    info.version = said_of_ttnn.version.c_str();
    info.git_sha = said_of_ttnn.git_sha.c_str();
    info.missing = missing.data();
    info.normal[0] = TILEMETER_COMPLETE;
    info.normal[1] = info.normal[2] = knows_layouts() ? TILEMETER_COMPLETE : TILEMETER_NONE;
    info.no_dispatch[0] = info.no_dispatch[1] = info.no_dispatch[2] = TILEMETER_COMPLETE;
    emitter_number = emit->register_emitter(&info);
}

/// For the events of the self-test, which belong to no other capture.
std::uint8_t register_self_test() {
    tilemeter_emitter_info info{};
    info.name = "ttnn self-test";
    info.version = info.git_sha = "";
    return emit->register_emitter(&info);
}

struct Made {
    std::vector<void*> table;
    Object object;
};
Made* made_processor = nullptr;

}  // namespace

std::string make_processor(const tilemeter_emit_table& emit_table, std::string_view version) {
    emit.use(emit_table);
    auto* const processor = new Made;  // never destroyed: it stays on lists of threads
    processor->table.assign(api.base_table.begin(), api.base_table.end());
    std::vector<bool> claimed(processor->table.size(), false);
    claimed[0] = claimed[1] = true;
    const auto place = [&](const void* own) -> std::size_t {
        const auto found = std::find(api.processor_table.begin() + 2, api.processor_table.end(), own);
        if (found == api.processor_table.end()) return 0;
        const auto index = static_cast<std::size_t>(found - api.processor_table.begin());
        claimed[index] = true;
        return index;
    };
    const Api::Overrides& own = api.overrides;
    const std::pair<const void*, void*> wanted[] = {
        {own.allocate, reinterpret_cast<void*>(&on_allocate)},
        {own.deallocate, reinterpret_cast<void*>(&on_deallocate)},
        {own.allocate_circular_buffer,
         reinterpret_cast<void*>(
             &on_program_memory<TILEMETER_CIRCULAR_BUFFER, &Pending::circular_buffers_told>)},
        {own.allocate_dataflow_buffer,
         reinterpret_cast<void*>(
             &on_program_memory<TILEMETER_DATAFLOW_BUFFER, &Pending::dataflow_buffers_told>)},
        {own.allocate_scratchpad, reinterpret_cast<void*>(&on_scratchpad)},
        {own.deallocate_circular_buffers, reinterpret_cast<void*>(&on_deallocate_circular_buffers)},
        {own.program, reinterpret_cast<void*>(&on_program)},
        {own.function_start, reinterpret_cast<void*>(&on_function_start)},
        {own.function_end, reinterpret_cast<void*>(&on_function_end)},
        {own.function_end_with_output, reinterpret_cast<void*>(&on_function_end_with_output)},
    };
    for (const auto& [theirs, ours] : wanted) {
        const std::size_t index = place(theirs);
        if (index == 0) return "a function of its graph processor is not in that one's table";
        processor->table[index] = ours;
    }
    for (const void* each : {own.begin_capture, own.end_capture, own.destroy, own.destroy_and_free}) {
        if (place(each) == 0) return "a function of its graph processor is not in that one's table";
    }
    const auto unclaimed = std::count(claimed.begin(), claimed.end(), false);
    if (unclaimed != 1)
        return "its graph processor has " + std::to_string(unclaimed) + " unknown functions, expected 1";
    // The one without an exported name asks whether a processor stands for a capture.
    const auto query = std::find(claimed.begin(), claimed.end(), false) - claimed.begin();
    processor->table[static_cast<std::size_t>(query)] = reinterpret_cast<void*>(&on_query);
    processor->object.table = processor->table.data() + 2;

    const bool follows_launches = api.track_execution_jump != nullptr &&
                                  redirect(api.track_execution_jump, reinterpret_cast<void*>(&on_execution));
    if (!follows_launches)
        said_of_ttnn.missing.push_back("executions of programs: this version does not say when it launches");
    if (api.has_own_capture_jump == nullptr || api.tell_program_factory_jump == nullptr ||
        !redirect(api.has_own_capture_jump, reinterpret_cast<void*>(&on_has_capture)) ||
        !redirect(api.tell_program_factory_jump, reinterpret_cast<void*>(&on_program_selected)))
        said_of_ttnn.missing.push_back("program factories and cache hits: this version does not tell them");
    const auto deallocate =
        std::find(api.hook_table.begin(), api.hook_table.end(), reinterpret_cast<void*>(api.hook_deallocate));
    if (deallocate == api.hook_table.end() ||
        !redirect(const_cast<void**>(&*deallocate), reinterpret_cast<void*>(&on_hooked_deallocate)))
        return "a function of its hook is not in that one's table";
    const std::pair<void*, void*> of_devices[] = {
        {reinterpret_cast<void*>(api.close_device), reinterpret_cast<void*>(&on_device_closed)},
        {reinterpret_cast<void*>(api.destroy_device), reinterpret_cast<void*>(&on_device_destroyed)},
        {reinterpret_cast<void*>(api.destroy_and_free_device),
         reinterpret_cast<void*>(&on_device_destroyed_and_freed)},
    };
    for (const auto& [theirs, ours] : of_devices) {
        const auto slot = std::find(api.device_table.begin(), api.device_table.end(), theirs);
        if (slot == api.device_table.end() || !redirect(const_cast<void**>(&*slot), ours))
            return "a function of its devices is not in their table";
    }
    use_layouts_of(version);
    if (!knows_layouts())
        said_of_ttnn.missing.push_back(
            "dataflow buffers and scratchpads outside of NO_DISPATCH: not known of this version");
    said_of_ttnn.version = version;
    register_ttnn();
    if (emitter_number == 0) return "the recorder has no room for another emitter";
    made_processor = processor;
    return {};
}

namespace {
bool is_ours(const std::shared_ptr<void>& processor) {
    return processor.get() == &made_processor->object;
}

bool has_ours(const Processors& list) {
    return std::any_of(list.begin(), list.end(), is_ours);
}

/// Gives the calling thread another list of processors.
void set_list(const Processors& list) {
    void* const tracker = api.tracker();
    while (!api.processors(tracker).empty())
        api.pop_processor(tracker);
    for (const std::shared_ptr<void>& each : list)
        api.push_processor(tracker, each);
}

/// Puts the processor below the others of the calling thread's list, or takes it out.
void change_list(bool with_ours) {
    guarded([&] {
        Processors list = api.processors(api.tracker());
        if (has_ours(list) == with_ours) return;
        if (with_ours)
            list.insert(list.begin(),
                        std::shared_ptr<void>(std::shared_ptr<void>(), &made_processor->object));
        else
            std::erase_if(list, is_ours);
        set_list(list);
    });
}
}  // namespace

void join_thread() {
    if (made_processor == nullptr || state().joined) return;
    change_list(true);
    state().joined = true;
}

void leave_thread() {
    if (made_processor == nullptr || any_buffer_lost()) return;
    change_list(false);
    state().joined = false;
}

void answer_active(bool active) {
    active_answer.store(active, std::memory_order_relaxed);
}

void set_options(const ProcessorOptions& options) {
    argument_texts.store(options.argument_texts, std::memory_order_relaxed);
}

std::uint8_t emitter() {
    return emitter_number;
}

const tilemeter_emit_table& table() {
    return emit.table();
}

void use_recorder(const tilemeter_emit_table& emit_table) {
    emit.use(emit_table);
    register_ttnn();
    recorders.fetch_add(1);
    forget_open_functions();
}

std::uint64_t recorder() {
    return recorders.load();
}

std::uint8_t begin_self_test() {
    guarded([&] {
        state().put_aside = api.processors(api.tracker());
        set_list({});
    });
    state().joined = false;
    forget_open_functions();
    emitter_number = register_self_test();
    return emitter_number;
}

void end_self_test() {
    guarded([&] {
        set_list(state().put_aside);
        state().put_aside.clear();
    });
    state().joined = has_ours(api.processors(api.tracker()));
    register_ttnn();
    forget_open_functions();
}

Scope begin_scope(std::uint32_t name, std::uint32_t stack) {
    ThreadState& here = state();
    Scope made;
    made.kept_outside = here.kept;
    if (here.just_opened != name) {
        emit->function_begin(emitter_number, name, 0, stack);
        ++here.open;
        made.opened = true;
    }
    here.just_opened = 0;
    made.open_inside = here.kept = here.open;
    return made;
}

namespace {
void close_inside(const Scope& scope, std::uint32_t reason) {
    close_functions_down_to(scope.open_inside, reason);
    ThreadState& here = state();
    here.kept = std::min(scope.kept_outside, here.open);
}
}  // namespace

void end_scope(const Scope& scope) {
    guarded([&] {
        if (!scope.opened) {
            ThreadState& here = state();
            here.kept = std::min(scope.kept_outside, here.open);
            return;
        }
        close_inside(scope, 0);
        end_function(state(), false, 0);
    });
}

void abort_scope(const Scope& scope, std::uint32_t type, std::uint32_t message, std::uint32_t operation) {
    guarded([&] {
        close_inside(scope, message);
        if (ThreadState& here = state(); here.open != 0)
            emit->error(emitter_number, type, message, operation);
        if (scope.opened) return end_function(state(), true, message);
        state().failed = state().open;
        state().failed_reason = message;
    });
}

void close_functions_down_to(std::size_t count, std::uint32_t reason) {
    guarded([&] {
        ThreadState& here = state();
        while (here.open > count)
            end_function(here, true, reason);
    });
}

void forget_open_functions() {
    generation.fetch_add(1, std::memory_order_relaxed);
}

void set_git_sha(std::string sha) {
    const std::scoped_lock lock(said_of_ttnn.mutex);
    said_of_ttnn.git_sha = std::move(sha);
    register_ttnn();
}

std::vector<const char*> missing_of_ttnn() {
    const std::scoped_lock lock(said_of_ttnn.mutex);
    return said_of_ttnn.missing;
}

Counts counts() {
    return {failed_callbacks.load(std::memory_order_relaxed), programs_seen.load(std::memory_order_relaxed),
            programs_unlisted.load(std::memory_order_relaxed)};
}

}  // namespace tilemeter::attach::ttnn
