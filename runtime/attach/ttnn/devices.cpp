// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/attach/ttnn/devices.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>

#include <sys/uio.h>
#include <unistd.h>

#include "runtime/attach/ttnn/attach.h"
#include "runtime/attach/ttnn/program_memory.hpp"
#include "runtime/attach/ttnn/thread_state.hpp"

namespace tilemeter::attach::ttnn {

namespace {

/// Devices that buffers were seen on, for their lists of buffers and of chips.
struct KnownDevices {
    std::mutex mutex;
    std::atomic<std::uint64_t> left{0};
    bool described_in_passing = false;
    std::atomic<bool> description_due{false};
    bool self_test = false;
    std::map<std::uint16_t, const Device*> devices;
    std::map<const Device*, std::uint16_t> asked;  // for their buffers, in a capture or when one began
    std::vector<const Device*> to_ask;
    std::atomic<const Device*> latest{nullptr};
};
KnownDevices& known_devices() {
    static auto& the_devices = *new KnownDevices;
    return the_devices;
}

/// Buffers whose objects are gone while allocators list them.
struct LostBuffers {
    std::mutex mutex;
    std::unordered_set<const Buffer*> objects;
    std::vector<tilemeter_buffer> memory;
    std::atomic<bool> any{false};
};
LostBuffers& lost_buffers() {
    static auto& the_buffers = *new LostBuffers;
    return the_buffers;
}

/// The appearance of a buffer object from outside. What allocators list may be gone since before attaching, and its
/// memory anything; getters must not be called of that.
class Appearance {
public:
    /// Learnt, or tried often enough.
    bool is_settled() const {
        constexpr unsigned kMostTries = 16;
        return path_.load(std::memory_order_relaxed) != kUnknown ||
               tries_.load(std::memory_order_relaxed) >= kMostTries;
    }

    /// `buffer` is one, and lives. It points to what it consists of, which points to its device: where?
    void learn(const Buffer* buffer, const Device* device) {
        tries_.fetch_add(1, std::memory_order_relaxed);
        const std::optional<Words> outer = words_at(buffer);
        if (outer && is_held(buffer, *outer)) holds_itself_.store(true, std::memory_order_relaxed);
        for (unsigned i = 0; outer && i < kWords; ++i) {
            const std::optional<Words> inner = words_at(reinterpret_cast<const void*>((*outer)[i]));
            for (unsigned j = 0; inner && j < kWords; ++j) {
                if ((*inner)[j] == device) return path_.store(i * kWords + j, std::memory_order_relaxed);
            }
        }
    }

    /// True if it may be one, on one of `devices`. Where that was not learnt, it may.
    bool fits(const Buffer* buffer, std::span<const Device* const> devices) const {
        const std::optional<Words> outer = words_at(buffer);
        if (!outer) return false;
        if (holds_itself_.load(std::memory_order_relaxed) && !is_held(buffer, *outer)) return false;
        const unsigned path = path_.load(std::memory_order_relaxed);
        if (path == kUnknown) return true;
        const std::optional<Words> inner = words_at((*outer)[path / kWords]);
        return inner && std::find(devices.begin(), devices.end(), (*inner)[path % kWords]) != devices.end();
    }

private:
    static constexpr unsigned kWords = 4;
    static constexpr unsigned kUnknown = kWords * kWords;
    using Words = std::array<const void*, kWords>;

    /// None where there is no memory, or the system does not let itself be asked.
    static std::optional<Words> words_at(const void* place) {
        Words words{};
        iovec here{words.data(), sizeof words};
        iovec there{const_cast<void*>(place), sizeof words};
        if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != sizeof words) return std::nullopt;
        return words;
    }

    /// It begins with a pointer to itself and one to the count of those that hold it, as std::enable_shared_from_this
    /// of libstdc++ has them. They are still there when it is gone; the count is not.
    static bool is_held(const Buffer* buffer, const Words& words) {
        constexpr std::uintptr_t kMostHolders = 1U << 20;
        const std::optional<Words> counts = words[0] == buffer ? words_at(words[1]) : std::nullopt;
        if (!counts) return false;
        const std::uintptr_t holders = reinterpret_cast<std::uintptr_t>((*counts)[1]) & 0xffff'ffff;
        return holders != 0 && holders <= kMostHolders;
    }

    std::atomic<bool> holds_itself_{false};
    std::atomic<unsigned> path_{kUnknown};
    std::atomic<unsigned> tries_{0};
};
Appearance& appearance() {
    static auto& the_appearance = *new Appearance;
    return the_appearance;
}

struct Look {
    std::mutex mutex;
    std::atomic<bool> lasts{false};
};
Look& look_at_buffers() {
    static auto& the_look = *new Look;
    return the_look;
}

/// While it lasts no other thread looks at buffers, or frees one.
class Looking {
public:
    Looking() : lock_(look_at_buffers().mutex) { set(true); }
    ~Looking() { set(false); }
    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;

private:
    static void set(bool lasts) {
        look_at_buffers().lasts.store(lasts);
        state().looks = lasts;
    }
    std::scoped_lock<std::mutex> lock_;
};

/// Emits the buffers of the devices that are to be asked. What a buffer mentions may be a further one.
void ask_devices(const Buffer* allocated) {
    KnownDevices& known = known_devices();
    LostBuffers& lost = lost_buffers();
    while (true) {
        std::vector<const Device*> devices;
        std::vector<const Device*> all;
        {
            const std::scoped_lock lock(known.mutex);
            devices.swap(known.to_ask);
            for (const auto& [device, number] : known.asked)
                all.push_back(device);
        }
        if (devices.empty()) return;
        const std::scoped_lock lock(lost.mutex);
        for (const Device* each : devices) {
            for (const Buffer* buffer : api.allocated_buffers(api.device_allocator(each))) {
                guarded([&] {
                    if (buffer != allocated && !lost.objects.contains(buffer) &&
                        appearance().fits(buffer, all))
                        emit_buffer(TILEMETER_ALIVE, facts_of(buffer, false));
                });
            }
        }
    }
}

}  // namespace

void meet(const Device* device, std::uint16_t number, const Buffer* allocated) {
    KnownDevices& all = known_devices();
    if (all.latest.load(std::memory_order_relaxed) == device) return;
    bool is_new = false;
    {
        const std::scoped_lock lock(all.mutex);
        if (all.devices.insert_or_assign(number, device).second && all.described_in_passing)
            all.description_due.store(true, std::memory_order_relaxed);
        is_new = !all.self_test && listening() && all.asked.emplace(device, number).second;
        if (is_new) all.to_ask.push_back(device);
        if (!all.self_test) all.latest.store(device, std::memory_order_relaxed);
    }
    if (!is_new || state().looks) return;
    guarded([&] {
        const Looking looking;
        ask_devices(allocated);
    });
}

void emit_buffers_alive() {
    guarded([&] {
        const Looking looking;
        {
            KnownDevices& all = known_devices();
            const std::scoped_lock lock(all.mutex);
            all.to_ask.clear();
            for (const auto& [number, device] : all.devices) {
                all.to_ask.push_back(device);
                all.asked.emplace(device, number);
            }
        }
        ask_devices(nullptr);
        LostBuffers& lost = lost_buffers();
        const std::scoped_lock lock(lost.mutex);
        for (const tilemeter_buffer& each : lost.memory)
            emit_buffer(TILEMETER_ALIVE, each);
    });
}

void ignore_new_devices(bool ignored) {
    const std::scoped_lock lock(known_devices().mutex);
    known_devices().self_test = ignored;
}

void note_lost(const Buffer* buffer, const tilemeter_buffer& facts) {
    LostBuffers& lost = lost_buffers();
    const std::scoped_lock lock(lost.mutex);
    lost.objects.insert(buffer);
    lost.memory.push_back(facts);
    lost.any.store(true);
}

bool any_buffer_lost() {
    return lost_buffers().any.load(std::memory_order_relaxed);
}

void note_alive(const Buffer* buffer) {
    if (!appearance().is_settled()) guarded([&] { appearance().learn(buffer, api.buffer_device(buffer)); });
}

void note_allocated(const Buffer* buffer) {
    note_alive(buffer);
    LostBuffers& lost = lost_buffers();
    if (!lost.any.load(std::memory_order_relaxed)) return;
    const std::scoped_lock lock(lost.mutex);
    lost.objects.erase(buffer);
}

void wait_for_look_at_buffers() {
    Look& look = look_at_buffers();
    if (look.lasts.load(std::memory_order_relaxed)) const std::scoped_lock wait(look.mutex);
}

std::uint64_t devices_left() {
    return known_devices().left.load(std::memory_order_relaxed);
}

std::vector<std::uint16_t> chips_of_device(std::uint16_t number) {
    std::vector<std::uint16_t> chips;
    guarded([&] {
        const Device* device = nullptr;
        {
            const std::scoped_lock lock(known_devices().mutex);
            const auto found = known_devices().devices.find(number);
            if (found != known_devices().devices.end()) device = found->second;
        }
        if (device == nullptr) return;
        for (const int each : api.mesh_chips(device))
            chips.push_back(static_cast<std::uint16_t>(each));
    });
    if (chips.empty()) chips.push_back(number);
    return chips;
}

void forget_device(int number) {
    {
        KnownDevices& all = known_devices();
        const std::scoped_lock lock(all.mutex);
        all.devices.erase(static_cast<std::uint16_t>(number));
        std::erase_if(all.asked, [&](const auto& each) {
            if (each.second != number) return false;
            std::erase(all.to_ask, each.first);
            return true;
        });
        all.latest.store(nullptr, std::memory_order_relaxed);
        all.left.fetch_add(1, std::memory_order_relaxed);
    }
    LostBuffers& lost = lost_buffers();
    const std::scoped_lock lock(lost.mutex);
    std::erase_if(lost.memory, [&](const tilemeter_buffer& each) { return each.device == number; });
}

void describe_devices_in_passing() {
    KnownDevices& all = known_devices();
    const std::scoped_lock lock(all.mutex);
    all.described_in_passing = true;
}

namespace {
/// From TT-NN's own report of nothing, which the calling thread captures.
void describe_from_report() {
    guarded([] {
        const std::filesystem::path report =
            std::filesystem::temp_directory_path() / ("tilemeter_" + std::to_string(getpid()) + ".json");
        api.begin_own_capture(0);
        describe_devices_in_ttnn();
        constexpr std::size_t kRoom = 64;
        auto* const nodes =
            new std::array<std::uint64_t, kRoom / sizeof(std::uint64_t)>;  // never freed: TT-NN's kind
        api.end_own_capture(nodes->data(), report);
        tilemeter_attach_describe(report.c_str());
        std::filesystem::remove(report);
    });
}
}  // namespace

void describe_if_due() {
    if (!known_devices().description_due.load(std::memory_order_relaxed)) return;
    if (!known_devices().description_due.exchange(false) || api.begin_own_capture == nullptr) return;
    describe_from_report();
}

void leave_device(const Device* device) {
    int number = 0;
    {
        KnownDevices& all = known_devices();
        const std::scoped_lock lock(all.mutex);
        const auto found = std::find_if(all.devices.begin(), all.devices.end(),
                                        [&](const auto& each) { return each.second == device; });
        if (found == all.devices.end()) return;
        number = found->first;
    }
    if (listening() && api.begin_own_capture != nullptr && api.device_is_open(device)) describe_from_report();
    forget_device(number);
}

std::size_t describe_devices_in_ttnn() {
    std::size_t described = 0;
    guarded([&] {
        const Processors& processors = api.processors(api.tracker());
        if (processors.empty()) return;
        void* const innermost = processors.back().get();
        if (*static_cast<void* const* const*>(innermost) != api.processor_table.data() + 2) return;
        const std::scoped_lock lock(known_devices().mutex);
        for (const auto& [number, device] : known_devices().devices) {
            api.track_device(innermost, device);
            ++described;
        }
    });
    return described;
}
}  // namespace tilemeter::attach::ttnn
