// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <any>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include <cxxabi.h>
#include <nlohmann/json.hpp>

#include "capture/record/emit.hpp"
#include "capture/record/listener.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "runtime/operations/core/attribute_text.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tilemeter_ttnn/graph/graph.hpp"
#include "tilemeter_ttnn/storage.hpp"
#include "tools/compat/src/graph/thread_tracker.hpp"
#include "tools/compat/src/model.hpp"
#include "tt_stl/indestructible.hpp"

namespace tt::tt_metal {

using tilemeter::compat::thread_tracker;
using tilemeter::compat::ThreadTracker;
namespace record = tilemeter::record;

namespace {

using Processors = std::vector<std::shared_ptr<IGraphProcessor>>;

// What a client tells goes into open captures; processors are told by themselves.
template <typename Emit>
void emit_untold(const Emit& emit) {
    const record::ScopedSilence silence;
    if (record::recording()) emit();
}

// The tensors that a reference of a client's refers to.
std::vector<const ttnn::Tensor*> tensors_in(const std::any& told) {
    std::vector<const ttnn::Tensor*> tensors;
    const auto add = [&]<typename T>(std::type_identity<T> /*type*/, const auto& take) {
        if (const auto* value = std::any_cast<std::reference_wrapper<T>>(&told)) take(value->get());
        if (const auto* value = std::any_cast<std::reference_wrapper<const T>>(&told)) take(value->get());
    };
    const auto one = [&](const ttnn::Tensor& tensor) {
        if (tensor.is_allocated()) tensors.push_back(&tensor);
    };
    const auto if_any = [&](const auto& tensor) {
        if (tensor) one(*tensor);
    };
    add(std::type_identity<ttnn::Tensor>(), one);
    add(std::type_identity<std::optional<ttnn::Tensor>>(), if_any);
    add(std::type_identity<std::optional<const ttnn::Tensor>>(), if_any);
    add(std::type_identity<std::vector<ttnn::Tensor>>(),
        [&](const auto& all) { std::ranges::for_each(all, one); });
    add(std::type_identity<std::vector<std::optional<ttnn::Tensor>>>(),
        [&](const auto& all) { std::ranges::for_each(all, if_any); });
    add(std::type_identity<std::vector<std::reference_wrapper<const ttnn::Tensor>>>(),
        [&](const auto& all) { std::ranges::for_each(all, one); });
    return tensors;
}

record::BufferRecord record_of(const Buffer& buffer) {
    return {.buffer = static_cast<record::BufferId>(buffer.unique_id()),
            .device = static_cast<record::DeviceId>(buffer.device() == nullptr ? 0 : buffer.device()->id()),
            .memory = static_cast<record::MemoryType>(buffer.buffer_type()),
            .layout = static_cast<record::BufferLayout>(buffer.buffer_layout()),
            .num_cores = buffer.num_cores().value_or(0),
            .address = buffer.address(),
            .size_bytes = buffer.size(),
            .size_per_bank_bytes = buffer.aligned_size_per_bank(),
            .page_size_bytes = buffer.page_size()};
}

record::DeviceId id_of(const IDevice* device) {
    return static_cast<record::DeviceId>(device == nullptr ? 0 : device->id());
}

void emit_memory(record::EventKind kind, const CoreRangeSet& cores, std::uint64_t address, std::uint64_t size,
                 bool is_shared, const IDevice* device) {
    emit_untold([&] {
        const std::string text = tilemeter::compat::to_model(cores).to_string();
        record::emit_program_memory(kind,
                                    {0, id_of(device), record::intern(text), address, size,
                                     is_shared ? record::next_buffer_id() : record::BufferId::kNone},
                                    record::Origin::kObserved);
    });
}

// The buffers whose allocation hooks took, of all threads.
struct HookedBuffers {
    std::mutex mutex;
    std::unordered_set<const Buffer*> all;
};
HookedBuffers& hooked_buffers() {
    static ttsl::Indestructible<HookedBuffers> hooked;
    return hooked.get();
}

[[noreturn]] void refuse_hook(const char* condition, const char* text) {
    throw std::runtime_error(std::string("TT_FATAL @ graph_tracking: ") + condition + "\ninfo:\n" + text);
}

const std::shared_ptr<IGraphHooks>& no_hook() {
    static const std::shared_ptr<IGraphHooks> kNone;
    return kNone;
}

}  // namespace

std::string internal::untold_text(const std::type_info& type) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free);
    return std::string("[ unsupported type , ") + (name ? name.get() : type.name()) + "]";
}
std::string internal::told_text(const ttnn::Tensor& tensor) {
    if (!tensor.is_allocated()) return "Tensor()";
    return std::string(
        record::text_of(record::tensor_info_of(tensor.model().record_spec_id()).argument_text));
}
std::string internal::told_text(const std::vector<std::reference_wrapper<const ttnn::Tensor>>& tensors) {
    std::string text = "{";
    for (const ttnn::Tensor& each : tensors)
        text += (text.size() > 1 ? ", " : "") + told_text(each);
    return text + "}";
}
std::string internal::told_text(const std::vector<std::int64_t>& integers) {
    std::string text = "[";
    for (const std::int64_t each : integers)
        text += (text.size() > 1 ? ", " : "") + std::to_string(each);
    return text + "]";
}
std::string internal::told_text(const DataType& dtype) {
    return tilemeter::attribute_text(tilemeter::compat::to_model(dtype));
}
std::string internal::told_text(const Layout& layout) {
    return tilemeter::attribute_text(tilemeter::compat::to_model(layout));
}

IGraphProcessor::~IGraphProcessor() {
    ThreadTracker* const tracker = thread_tracker();
    if (tracker == nullptr || tracker->processors.empty()) return;
    if (std::erase_if(tracker->processors, [this](const auto& each) { return each.get() == this; }) != 0)
        tracker->adjust();
}

nlohmann::json IGraphProcessor::end_capture() {
    return nullptr;
}

GraphTracker& GraphTracker::instance() {
    static GraphTracker tracker;
    return tracker;
}

bool GraphTracker::is_enabled() const {
    return std::ranges::any_of(get_processors(),
                               [](const auto& each) { return each->is_capture_processor(); });
}

void GraphTracker::push_processor(const std::shared_ptr<IGraphProcessor>& processor) {
    ThreadTracker* const tracker = thread_tracker();
    if (tracker == nullptr) return;
    if (processor == nullptr) throw std::runtime_error("push_processor: expected a processor, found null");
    tracker->processors.push_back(processor);
    tracker->adjust();
    if (auto* const capture = dynamic_cast<ttnn::graph::GraphProcessor*>(processor.get())) capture->on_push();
}

void GraphTracker::pop_processor() {
    ThreadTracker* const tracker = thread_tracker();
    if (tracker == nullptr || tracker->processors.empty())
        throw std::runtime_error("pop_processor: expected a processor of this thread, found none");
    const std::shared_ptr<IGraphProcessor> popped = std::move(tracker->processors.back());
    tracker->processors.pop_back();
    tracker->adjust();
    if (auto* const capture = dynamic_cast<ttnn::graph::GraphProcessor*>(popped.get())) capture->on_pop();
}

const Processors& GraphTracker::get_processors() const {
    static const Processors kNone;
    const ThreadTracker* const tracker = thread_tracker();
    return tracker == nullptr ? kNone : tracker->processors;
}

bool GraphTracker::add_hook(const std::shared_ptr<IGraphHooks>& hook) {
    ThreadTracker* const tracker = thread_tracker();
    if (tracker == nullptr || tracker->hook != nullptr) return false;
    tracker->hook = hook;
    tracker->hook_is_of_capture = false;
    tracker->adjust();
    return true;
}

const std::shared_ptr<IGraphHooks>& GraphTracker::get_hook() const {
    const ThreadTracker* const tracker = thread_tracker();
    return tracker == nullptr ? no_hook() : tracker->hook;
}

void GraphTracker::clear_hook() {
    ThreadTracker* const tracker = thread_tracker();
    if (tracker == nullptr) return;
    {
        HookedBuffers& hooked = hooked_buffers();
        const std::scoped_lock lock(hooked.mutex);
        hooked.all.clear();
    }
    const std::shared_ptr<IGraphHooks> gone = std::exchange(tracker->hook, nullptr);
    tracker->hook_is_of_capture = false;
    tracker->adjust();
}

void GraphTracker::clear() {
    ThreadTracker* const tracker = thread_tracker();
    if (tracker == nullptr) return;
    const Processors gone = std::exchange(tracker->processors, {});
    tracker->open_functions = 0;
    tracker->adjust();
    for (const auto& each : gone)
        if (auto* const capture = dynamic_cast<ttnn::graph::GraphProcessor*>(each.get())) capture->on_pop();
    clear_hook();
}

bool GraphTracker::is_heard() const {
    return record::recording() || !get_processors().empty();
}

void GraphTracker::begin_function(std::string_view name, std::span<TrackedArgument> arguments) {
    ThreadTracker* const tracker = thread_tracker();
    if (tracker != nullptr) ++tracker->open_functions;
    emit_untold([&] {
        record::emit_function_begin(record::intern(name), arguments.size());
        for (const TrackedArgument& each : arguments) {
            const auto tensors = tensors_in(each.value);
            if (tensors.size() == 1)
                record::emit_argument(tensors.front()->model().id(),
                                      tensors.front()->model().record_spec_id());
            else
                record::emit_argument(record::intern(each.to_string_fn(each.value)));
        }
        for (const TrackedArgument& each : arguments)
            for (const ttnn::Tensor* tensor : tensors_in(each.value))
                record::emit_input_tensor(tensor->model().record());
    });
    if (tracker != nullptr)
        tracker->call_each([&](IGraphProcessor& each) { each.track_function_start(name, arguments); });
}

void GraphTracker::track_function_end() {
    if (is_heard()) end_function(get_processors(), {});
}

void GraphTracker::end_function(const Processors& processors, const std::any& output) {
    ThreadTracker* const tracker = thread_tracker();
    if (tracker != nullptr && tracker->open_functions > 0) --tracker->open_functions;
    emit_untold([&] {
        if (const auto* abort = std::any_cast<internal::GraphFunctionAbort>(&output)) {
            record::emit_function_aborted(record::intern(abort->reason));
        } else {
            for (const ttnn::Tensor* tensor : tensors_in(output))
                record::emit_output_tensor(tensor->model().record());
            record::emit_function_end();
        }
    });
    if (tracker == nullptr) return;
    tracker->call_each(Processors(processors), [&](IGraphProcessor& each) {
        if (output.has_value())
            each.track_function_end(output);
        else
            each.track_function_end();
    });
}

void GraphTracker::track_allocate(const Buffer* buffer) {
    if (buffer != nullptr)
        emit_untold([&] { record::emit_buffer_allocate(record_of(*buffer), record::Origin::kObserved); });
    if (ThreadTracker* const tracker = thread_tracker())
        tracker->call_each([&](IGraphProcessor& each) { each.track_allocate(buffer); });
}

void GraphTracker::track_deallocate(Buffer* buffer) {
    if (buffer != nullptr)
        emit_untold([&] { record::emit_buffer_free(record_of(*buffer), record::Origin::kObserved); });
    if (ThreadTracker* const tracker = thread_tracker())
        tracker->call_each([&](IGraphProcessor& each) { each.track_deallocate(buffer); });
}

void GraphTracker::track_allocate_cb(const CoreRangeSet& cores, std::uint64_t address, std::uint64_t size,
                                     bool is_globally_allocated, const IDevice* device) {
    emit_memory(record::EventKind::kCircularBuffer, cores, address, size, is_globally_allocated, device);
    if (ThreadTracker* const tracker = thread_tracker())
        tracker->call_each([&](IGraphProcessor& each) {
            each.track_allocate_cb(cores, address, size, is_globally_allocated, device);
        });
}

void GraphTracker::track_allocate_dataflow_buffer(const CoreRangeSet& cores, std::uint64_t address,
                                                  std::uint64_t size, bool borrows_memory,
                                                  const IDevice* device) {
    emit_memory(record::EventKind::kDataflowBuffer, cores, address, size, borrows_memory, device);
    if (ThreadTracker* const tracker = thread_tracker())
        tracker->call_each([&](IGraphProcessor& each) {
            each.track_allocate_dataflow_buffer(cores, address, size, borrows_memory, device);
        });
}

void GraphTracker::track_allocate_scratchpad(const CoreRangeSet& cores, std::uint64_t address,
                                             std::uint64_t size, const IDevice* device) {
    emit_memory(record::EventKind::kScratchpad, cores, address, size, false, device);
    if (ThreadTracker* const tracker = thread_tracker())
        tracker->call_each(
            [&](IGraphProcessor& each) { each.track_allocate_scratchpad(cores, address, size, device); });
}

void GraphTracker::track_deallocate_cb(const IDevice* device) {
    emit_untold([&] { record::emit_program_begin(id_of(device), 0, record::Origin::kObserved); });
    if (ThreadTracker* const tracker = thread_tracker())
        tracker->call_each([&](IGraphProcessor& each) { each.track_deallocate_cb(device); });
}

void GraphTracker::track_program(Program* program, const IDevice* device) {
    emit_untold([&] { record::emit_program_begin(id_of(device), 0, record::Origin::kObserved); });
    if (ThreadTracker* const tracker = thread_tracker())
        tracker->call_each([&](IGraphProcessor& each) { each.track_program(program, device); });
}

bool GraphTracker::hook_allocate(const Buffer* buffer) {
    const std::shared_ptr<IGraphHooks> hook = get_hook();
    if (hook == nullptr || !hook->hook_allocate(buffer)) return false;
    HookedBuffers& hooked = hooked_buffers();
    const std::scoped_lock lock(hooked.mutex);
    if (!hooked.all.insert(buffer).second)
        refuse_hook("inserted", "Can't hook allocation of a buffer which is already allocated");
    return true;
}

bool GraphTracker::hook_deallocate(Buffer* buffer) {
    const std::shared_ptr<IGraphHooks> hook = get_hook();
    if (hook == nullptr || !hook->hook_deallocate(buffer)) return false;
    HookedBuffers& hooked = hooked_buffers();
    const std::scoped_lock lock(hooked.mutex);
    if (hooked.all.erase(buffer) == 0)
        refuse_hook("buffer_it != hooked_buffers.end()",
                    "Can't hook deallocation of a buffer which allocation wasn't hooked");
    return true;
}

bool GraphTracker::hook_write_to_device(const Buffer* buffer) {
    const std::shared_ptr<IGraphHooks> hook = get_hook();
    return hook != nullptr && hook->hook_write_to_device(buffer);
}
bool GraphTracker::hook_write_to_device(const distributed::MeshBuffer* mesh_buffer) {
    const std::shared_ptr<IGraphHooks> hook = get_hook();
    return hook != nullptr && hook->hook_write_to_device(mesh_buffer);
}
bool GraphTracker::hook_read_from_device(Buffer* buffer) {
    const std::shared_ptr<IGraphHooks> hook = get_hook();
    return hook != nullptr && hook->hook_read_from_device(buffer);
}
bool GraphTracker::hook_read_from_device(const distributed::MeshBuffer* mesh_buffer) {
    const std::shared_ptr<IGraphHooks> hook = get_hook();
    return hook != nullptr && hook->hook_read_from_device(mesh_buffer);
}
bool GraphTracker::hook_program(Program* program) {
    const std::shared_ptr<IGraphHooks> hook = get_hook();
    return hook != nullptr && hook->hook_program(program);
}

internal::ScopedTrackedFunction::~ScopedTrackedFunction() {
    if (has_ended_) return;
    try {
        if (std::uncaught_exceptions() > exceptions_)
            finish(GraphFunctionAbort{});
        else
            finish({});
    } catch (...) {  // NOLINT(bugprone-empty-catch): nobody can be told here
    }
}

void internal::ScopedTrackedFunction::finish(const std::any& output) {
    GraphTracker& tracker = GraphTracker::instance();
    if (!std::exchange(has_ended_, true) && (tracker.is_heard() || !started_.empty()))
        tracker.end_function(started_, output);
}

void internal::unwind_open_functions(std::string_view reason) {
    ThreadTracker* const tracker = thread_tracker();
    if (tracker == nullptr) return;
    emit_untold([&] {
        for (; tracker->open_functions > 0; --tracker->open_functions)
            record::emit_function_aborted(record::intern(reason));
    });
    tracker->open_functions = 0;
    const std::any all = GraphFunctionAbort{std::string(reason), true};
    tracker->call_each([&](IGraphProcessor& each) { each.track_function_end(all); });
}

}  // namespace tt::tt_metal
