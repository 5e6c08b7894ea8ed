// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Processors, which see what a thread's calls do while they run, and hooks, which may take it over. A thread has its own.
//
//     tt::tt_metal::GraphTracker::instance().push_processor(std::make_shared<MyProcessor>());
//     ttnn::add(a, b);                                     // MyProcessor's track_* functions are called
//     tt::tt_metal::GraphTracker::instance().pop_processor();
//
// Arguments are there during the call. Buffers have the same address from their allocation to their free. What a processor
// throws leaves the operation; what it throws at a free leaves the function that is open, or goes to the log where none is:
// memory is freed in destructors.

#pragma once

#include <any>
#include <array>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "capture/record/run_mode.hpp"
#include "tilemeter_ttnn/core_coord.hpp"
#include "tilemeter_ttnn/mesh_device.hpp"
#include "tilemeter_ttnn/program.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace tt::tt_metal {

namespace distributed {
class MeshBuffer;
}

/// An argument of a function: a std::reference_wrapper of its value, and what makes a text of that.
struct TrackedArgument {
    std::any value;
    std::string (*to_string_fn)(const std::any&);
};

namespace internal {
/// The text of a type that has none.
std::string untold_text(const std::type_info& type);
// Texts as captures have them.
std::string told_text(const ttnn::Tensor& tensor);
std::string told_text(const std::vector<std::reference_wrapper<const ttnn::Tensor>>& tensors);
std::string told_text(const std::vector<std::int64_t>& integers);
std::string told_text(const DataType& dtype);
std::string told_text(const Layout& layout);
}  // namespace internal

/// The text of a std::reference_wrapper<T>.
template <typename T>
std::string serialize_tracked_arg(const std::any& value) {
    const T& told = std::any_cast<std::reference_wrapper<T>>(value).get();
    if constexpr (requires { internal::told_text(told); }) {
        return internal::told_text(told);
    } else if constexpr (requires(std::ostream & out) { out << told; }) {
        std::ostringstream text;
        text << told;
        return text.str();
    } else {
        return internal::untold_text(value.type());
    }
}

class IGraphProcessor {
public:
    using RunMode = tilemeter::record::RunMode;

    IGraphProcessor() = default;
    /// One that is still pushed in this thread is pushed no longer.
    virtual ~IGraphProcessor();
    IGraphProcessor(const IGraphProcessor&) = default;
    IGraphProcessor& operator=(const IGraphProcessor&) = default;

    /// False for one that alone does not make GraphTracker::is_enabled() true.
    virtual bool is_capture_processor() const { return true; }

    virtual void track_allocate(const Buffer* /*buffer*/) {}
    virtual void track_deallocate(Buffer* /*buffer*/) {}
    /// Program memory: told where the program runs, not where it is planned (NO_DISPATCH).
    virtual void track_allocate_cb(const CoreRangeSet& /*cores*/, std::uint64_t /*address*/,
                                   std::uint64_t /*size*/, bool /*is_globally_allocated*/,
                                   const IDevice* /*device*/) {}
    virtual void track_allocate_dataflow_buffer(const CoreRangeSet& /*cores*/, std::uint64_t /*address*/,
                                                std::uint64_t /*size*/, bool /*borrows_memory*/,
                                                const IDevice* /*device*/) {}
    virtual void track_allocate_scratchpad(const CoreRangeSet& /*cores*/, std::uint64_t /*address*/,
                                           std::uint64_t /*size*/, const IDevice* /*device*/) {}
    virtual void track_deallocate_cb(const IDevice* /*device*/) {}
    /// A program is about to run, or planned: the memory of the one before is free.
    virtual void track_program(Program* /*program*/, const IDevice* /*device*/) {}
    virtual void track_function_start(std::string_view /*name*/, std::span<TrackedArgument> /*arguments*/) {}
    virtual void track_function_end() {}
    /// `output`: a std::reference_wrapper of ttnn::Tensor or std::vector<ttnn::Tensor>; or an internal::GraphFunctionAbort
    /// where an exception ended it.
    virtual void track_function_end(const std::any& /*output*/) {}
    virtual void begin_capture(RunMode /*mode*/) {}
    virtual nlohmann::json end_capture();
};

namespace internal {
/// In place of an output: the function was left by an exception.
struct GraphFunctionAbort {
    std::string reason;
    bool unwind_all = false;  ///< all functions that are open
};
}  // namespace internal

/// True: the hook has done it, and the device is left alone. A buffer of a hooked allocation has address 0.
class IGraphHooks {
public:
    IGraphHooks() = default;
    virtual ~IGraphHooks() = default;
    IGraphHooks(const IGraphHooks&) = default;
    IGraphHooks& operator=(const IGraphHooks&) = default;

    virtual bool hook_allocate(const Buffer* buffer) = 0;
    virtual bool hook_deallocate(Buffer* buffer) = 0;
    virtual bool hook_program(Program* program) = 0;
    virtual bool hook_write_to_device(const Buffer* buffer) = 0;
    virtual bool hook_read_from_device(Buffer* buffer) = 0;
    virtual bool hook_read_from_device(const distributed::MeshBuffer* mesh_buffer) = 0;
    virtual bool hook_write_to_device(const distributed::MeshBuffer* mesh_buffer) = 0;
};

/// What a client tells of its own goes to the thread's processors, and to all captures.
class GraphTracker {
public:
    GraphTracker(const GraphTracker&) = delete;
    GraphTracker& operator=(const GraphTracker&) = delete;

    static GraphTracker& instance();

    /// True where the thread has a processor that captures.
    bool is_enabled() const;

    void push_processor(const std::shared_ptr<IGraphProcessor>& processor);
    /// Throws std::runtime_error without one.
    void pop_processor();
    const std::vector<std::shared_ptr<IGraphProcessor>>& get_processors() const;

    /// False where the thread has a hook; open captures have one.
    bool add_hook(const std::shared_ptr<IGraphHooks>& hook);
    const std::shared_ptr<IGraphHooks>& get_hook() const;

    void track_allocate(const Buffer* buffer);
    void track_deallocate(Buffer* buffer);
    void track_allocate_cb(const CoreRangeSet& cores, std::uint64_t address, std::uint64_t size,
                           bool is_globally_allocated, const IDevice* device);
    void track_allocate_dataflow_buffer(const CoreRangeSet& cores, std::uint64_t address, std::uint64_t size,
                                        bool borrows_memory, const IDevice* device);
    void track_allocate_scratchpad(const CoreRangeSet& cores, std::uint64_t address, std::uint64_t size,
                                   const IDevice* device);
    void track_deallocate_cb(const IDevice* device);
    void track_program(Program* program, const IDevice* device);

    template <typename... Args>
    void track_function_start(std::string_view name,
                              Args&&... args) {  // NOLINT: references to what the caller has
        if (!is_heard()) return;
        std::array<TrackedArgument, sizeof...(Args)> arguments{TrackedArgument{
            std::any(std::ref(args)), &serialize_tracked_arg<std::remove_reference_t<Args>>}...};
        begin_function(name, arguments);
    }
    void track_function_end();
    template <typename Output>
    void track_function_end(Output& output) {
        if (is_heard()) end_function(get_processors(), std::any(std::ref(output)));
    }

    // False without a hook. These throw std::runtime_error for a buffer that is hooked twice, and for the free of one that
    // was not.
    bool hook_allocate(const Buffer* buffer);
    bool hook_deallocate(Buffer* buffer);
    bool hook_write_to_device(const Buffer* buffer);
    bool hook_write_to_device(const distributed::MeshBuffer* mesh_buffer);
    bool hook_read_from_device(Buffer* buffer);
    bool hook_read_from_device(const distributed::MeshBuffer* mesh_buffer);
    bool hook_program(Program* program);

    /// Captures of the thread that are open end, and what they saw is dropped.
    void clear();
    void clear_hook();

    /// True if any function is told to somebody.
    bool is_heard() const;
    /// Ends the innermost function of `processors`, and of all captures.
    void end_function(const std::vector<std::shared_ptr<IGraphProcessor>>& processors,
                      const std::any& output);

private:
    GraphTracker() = default;
    ~GraphTracker() = default;
    void begin_function(std::string_view name, std::span<TrackedArgument> arguments);
};

namespace internal {

/// A function of a client's own from its construction to end(), abort(), or the end of the scope: one that is left by an
/// exception is aborted. Processors that are pushed in between see nothing of it.
class [[nodiscard]] ScopedTrackedFunction {
public:
    template <typename... Args>
    explicit ScopedTrackedFunction(std::string_view name, Args&&... args)
        : started_(GraphTracker::instance().get_processors()) {
        GraphTracker::instance().track_function_start(name, std::forward<Args>(args)...);
    }
    ~ScopedTrackedFunction();
    ScopedTrackedFunction(const ScopedTrackedFunction&) = delete;
    ScopedTrackedFunction& operator=(const ScopedTrackedFunction&) = delete;

    template <typename Output>
    void end(Output& output) {
        finish(std::any(std::ref(output)));
    }
    void end() { finish({}); }
    void abort(std::string_view reason) { finish(GraphFunctionAbort{std::string(reason), false}); }

private:
    void finish(const std::any& output);

    std::vector<std::shared_ptr<IGraphProcessor>> started_;
    int exceptions_ = std::uncaught_exceptions();
    bool has_ended_ = false;
};

/// Ends all functions that clients have begun in this thread, as aborted.
void unwind_open_functions(std::string_view reason);

}  // namespace internal

}  // namespace tt::tt_metal
