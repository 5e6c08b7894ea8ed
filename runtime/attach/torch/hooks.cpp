// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Where PyTorch tells what it does: begins and ends of functions (at::RecordFunction), the trace of the caching allocator of
// CUDA, and the allocator of the host, which gets one before it that passes everything on. All three go on beside
// torch.profiler, which has its own.
//
// Compiled with the headers of the user's PyTorch (tools/python/tilemeter/_src/live/library.py), with TILEMETER_TORCH_CUDA
// where it has CUDA. The library is never unloaded: what it was asked to free may be freed at any time.

#include "runtime/attach/torch/hooks.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/core/DeviceType.h>
#include <pthread.h>
#ifdef TILEMETER_TORCH_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#endif

#include "runtime/attach/torch/program.hpp"

#define TILEMETER_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using tilemeter::attach::torch::OlderBlock;
using tilemeter::attach::torch::Program;

std::atomic<bool> watches{false};  // false in a forked process, for good
std::atomic<bool> forked{false};
Program* program = nullptr;  // made once, never destroyed
bool wants_cuda = false;
int starts = 0;
at::CallbackHandle callback = at::INVALID_CALLBACK_HANDLE;
bool watches_cuda = false;

bool watching() {
    return watches.load(std::memory_order_relaxed);
}

std::uint64_t this_thread() {
    return at::RecordFunction::currentThreadId();
}

template <typename Body>
const char* answer(Body body) {
    static thread_local std::string said;
    try {
        said = body();
    } catch (const std::exception& error) {
        said = error.what();
        said.resize(std::min(said.size(), said.find('\n')));
    }
    return said.empty() ? nullptr : said.c_str();
}

// ---- functions

std::unique_ptr<at::ObserverContext> begins(const at::RecordFunction& function) {
    if (watching()) program->begin_function(this_thread(), function.name(), function.seqNr());
    return nullptr;
}

/// A function that is asynchronous ends in whatever thread.
void ends(const at::RecordFunction& function, at::ObserverContext* /*context*/) {
    if (watching()) program->end_function(function.threadId());
}

// ---- memory of the host

/// In the place of PyTorch's allocator: passes on, and tells. What it handed out it takes back, whenever that is.
class HostAllocator final : public c10::Allocator {
public:
    static HostAllocator& instance() {
        static auto& the_allocator = *new HostAllocator;
        return the_allocator;
    }

    void install() {
        c10::Allocator* const now = c10::GetAllocator(c10::DeviceType::CPU);
        if (now == this) return;
        const c10::DeleterFnPtr deleter = now->raw_deleter();
        // Blocks without a deleter that is always the same are left alone, as are those of a second allocator.
        if (deleter == nullptr || (inner_ != nullptr && now != inner_)) return;
        inner_ = now;
        inner_deleter_ = deleter;
        set(this);
    }

    void remove() {
        if (c10::GetAllocator(c10::DeviceType::CPU) == this) set(inner_);
    }

    c10::DataPtr allocate(std::size_t bytes) override {
        c10::DataPtr made = inner_->allocate(bytes);
        if (bytes == 0 || !watching() || made.get() == nullptr || made.get() != made.get_context())
            return made;
        if (made.compare_exchange_deleter(inner_deleter_, &HostAllocator::release))
            program->allocate(this_thread(), tilemeter::attach::torch::kHost,
                              reinterpret_cast<std::uint64_t>(made.get()), bytes);
        return made;
    }

    bool is_simple_data_ptr(const c10::DataPtr& data) const override {
        return inner_->is_simple_data_ptr(data);
    }
    /// Of a block that was handed out before, PyTorch's own deleter is called, as it has it; this one takes any.
    c10::DeleterFnPtr raw_deleter() const override { return &HostAllocator::release; }
    void copy_data(void* to, const void* from, std::size_t bytes) const override {
        inner_->copy_data(to, from, bytes);
    }

private:
    static void release(void* block) {
        // Told before: the address may be handed out again as soon as it is free.
        if (watching())
            program->free(this_thread(), tilemeter::attach::torch::kHost,
                          reinterpret_cast<std::uint64_t>(block));
        instance().inner_deleter_(block);
    }

    static void set(c10::Allocator* allocator) {
        constexpr std::uint8_t kUsual = 0;
        constexpr std::uint8_t kHighest = 255;
        c10::SetAllocator(c10::DeviceType::CPU, allocator, kUsual);
        if (c10::GetAllocator(c10::DeviceType::CPU) != allocator)
            c10::SetAllocator(c10::DeviceType::CPU, allocator, kHighest);
    }

    c10::Allocator* inner_ = nullptr;
    c10::DeleterFnPtr inner_deleter_ = nullptr;
};

// ---- memory of CUDA's devices

#ifdef TILEMETER_TORCH_CUDA
namespace caching = c10::cuda::CUDACachingAllocator;

/// Called under the allocator's lock, of which there is one for each device.
void tell(const caching::TraceEntry& entry) {
    if (!watching() || !wants_cuda) return;
    using Entry = caching::TraceEntry;
    const auto device = static_cast<std::uint16_t>(entry.device_);
    const auto address = static_cast<std::uint64_t>(entry.addr_);
    switch (entry.action_) {
        case Entry::ALLOC:
            return program->allocate(this_thread(), device, address, entry.size_);
        case Entry::FREE_COMPLETED:
            return program->free(this_thread(), device, address);
        case Entry::OOM:
            return program->refuse(this_thread(), device, entry.size_, address);
        default:
            return;
    }
}

std::vector<OlderBlock> cuda_blocks() {
    std::vector<OlderBlock> found;
    for (const auto& segment : caching::snapshot().segments) {
        std::uint64_t address = segment.address;
        for (const auto& block : segment.blocks) {
            if (block.active)
                found.push_back({static_cast<std::uint16_t>(segment.device), address, block.requested_size});
            address += block.size;
        }
    }
    return found;
}
#endif

}  // namespace

TILEMETER_EXPORT const char* tilemeter_torch_load(const tilemeter_emit_table* table, std::uint8_t emitter) {
    return answer([&]() -> std::string {
        if (program != nullptr) return {};
        if (table == nullptr || table->version != TILEMETER_EMIT_TABLE_VERSION ||
            table->size < sizeof(tilemeter_emit_table))
            return "the recorder's table is of another version";
        tilemeter_log* const log = table->make_log();
        if (log == nullptr) return "no memory for a log";
        program = new Program(*table, emitter, log);
        // The child of a fork is not captured. Its copy of the lock may be another thread's.
        pthread_atfork(nullptr, nullptr, [] {
            watches.store(false);
            forked.store(true);
        });
        return {};
    });
}

TILEMETER_EXPORT const char* tilemeter_torch_start(std::uint16_t host, std::uint8_t cuda) {
    return answer([&]() -> std::string {
        if (program == nullptr) return "nothing is loaded";
        if (forked) return "this process was forked from one that is captured";
        if (starts++ > 0) return {};
        wants_cuda = cuda != 0;
        program->restart({host, cuda == 0});
        HostAllocator::instance().install();
        watches.store(true);
        callback =
            at::addGlobalCallback(at::RecordFunctionCallback(begins, ends)
                                      .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION,
                                               at::RecordScope::TORCHSCRIPT_FUNCTION,
                                               at::RecordScope::CUSTOM_CLASS, at::RecordScope::USER_SCOPE}));
        std::vector<OlderBlock> older;
#ifdef TILEMETER_TORCH_CUDA
        if (watches_cuda && wants_cuda) older = cuda_blocks();
#endif
        program->add_older(older);
        return {};
    });
}

TILEMETER_EXPORT void tilemeter_torch_stop() {
    if (forked || starts == 0 || --starts > 0) return;
    watches.store(false);
    at::removeCallback(callback);
    HostAllocator::instance().remove();
}

TILEMETER_EXPORT const char* tilemeter_torch_watch_cuda() {
    return answer([]() -> std::string {
#ifdef TILEMETER_TORCH_CUDA
        if (watches_cuda || program == nullptr) return {};
        caching::attachAllocatorTraceTracker(tell);
        watches_cuda = true;
        if (watching() && wants_cuda) program->add_older(cuda_blocks());
        return {};
#else
        return "this library was built without CUDA";
#endif
    });
}

TILEMETER_EXPORT void tilemeter_torch_fail(const char* type, const char* message) {
    if (watching()) program->fail(this_thread(), type, message);
}

TILEMETER_EXPORT void tilemeter_torch_begin_function(const char* name) {
    if (watching()) program->begin_function(this_thread(), name, -1);
}

TILEMETER_EXPORT void tilemeter_torch_end_function() {
    if (watching()) program->end_function(this_thread());
}

TILEMETER_EXPORT std::uint64_t tilemeter_torch_functions_parted() {
    return program == nullptr ? 0 : program->functions_parted();
}
