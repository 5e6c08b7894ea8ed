// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/attach/ttnn/attach.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "capture/record/emit_table.h"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/answer_text.hpp"
#include "report/capture_table.h"
#include "runtime/attach/ttnn/devices.hpp"
#include "runtime/attach/ttnn/processor.hpp"
#include "runtime/attach/ttnn/python_scopes.hpp"
#include "runtime/attach/ttnn/ttnn_api.hpp"

#define TILEMETER_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace tilemeter::attach::ttnn;  // NOLINT(google-build-using-namespace)
using tilemeter::report::answer_text;

struct Capture {
    tilemeter_capture* window = nullptr;
    bool planned = false;
    bool alone = false;
};

struct State {
    std::mutex mutex;
    std::map<std::uint64_t, Capture> captures;
    std::uint64_t begun = 0;
    bool loaded = false;
    bool self_test = false;
    bool exits = false;
    const tilemeter_emit_table* emit = tilemeter_get_emit_table(TILEMETER_EMIT_TABLE_VERSION);
    const tilemeter_capture_table* recorder = tilemeter_get_capture_table(TILEMETER_CAPTURE_TABLE_VERSION);
};

State& state() {
    static auto& the_state = *new State;
    return the_state;
}

/// TT-NN's own hook class, built in place: its launch code asks for that very class whether programs that were only
/// planned may be kept.
struct Hook {
    void* const* table;
    std::uint64_t blocks;
    std::uint64_t unused[6];
};

void start_planning() {
    auto hook = std::make_shared<Hook>(Hook{api.hook_table.data() + 2, 0, {}});
    api.set_hook_blocks(hook.get(), true);
    api.add_hook(api.tracker(), hook);
}

/// Puts aside a capture whose window is gone.
void forget(State& all, std::map<std::uint64_t, Capture>::iterator place) {
    const bool planned = place->second.planned;
    all.captures.erase(place);
    bool any_alone = false;
    bool any_planned = false;
    for (const auto& [number, each] : all.captures) {
        any_alone = any_alone || each.alone;
        any_planned = any_planned || each.planned;
    }
    answer_active(any_alone);
    if (all.exits) return;
    if (planned && !any_planned) api.clear_hook(api.tracker());
    if (all.captures.empty()) leave_thread();
}

/// True if another copy of the library has attached itself in this process; from here on this one has. The environment
/// is what copies have in common.
bool is_attached_elsewhere() {
    constexpr const char* kVariable = "TILEMETER_ATTACHED_PROCESS";
    const std::string process = std::to_string(getpid());
    const char* const attached = std::getenv(kVariable);
    if (attached != nullptr && process == attached) return true;
    setenv(kVariable, process.c_str(), 1);
    return false;
}

}  // namespace

TILEMETER_EXPORT const char* tilemeter_attach_load(const char* metal_library, const char* ttnn_library,
                                                   const char* version) {
    return answer_text([&]() -> std::string {
        State& all = state();
        const std::scoped_lock lock(all.mutex);
        if (all.loaded) return {};
        if (is_attached_elsewhere()) return "another copy of this library is attached in this process";
        if (std::string missing = load(metal_library, ttnn_library); !missing.empty()) return missing;
        if (std::string wrong = make_processor(*all.emit, version); !wrong.empty()) return wrong;
        all.loaded = true;
        return {};
    });
}

TILEMETER_EXPORT const char* tilemeter_attach_share(const tilemeter_emit_table* emit,
                                                    const tilemeter_capture_table* recorder) {
    return answer_text([&]() -> std::string {
        State& all = state();
        const std::scoped_lock lock(all.mutex);
        if (emit == nullptr || emit->version != TILEMETER_EMIT_TABLE_VERSION ||
            emit->size < sizeof(tilemeter_emit_table) || recorder == nullptr ||
            recorder->version != TILEMETER_CAPTURE_TABLE_VERSION ||
            recorder->size < sizeof(tilemeter_capture_table))
            return "the other recorder's tables are of another version";
        if (!all.captures.empty()) return "a capture is open";
        all.emit = emit;
        all.recorder = recorder;
        if (all.loaded) use_recorder(*emit);
        return {};
    });
}

TILEMETER_EXPORT void tilemeter_attach_self_test(int begins) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    if (!all.loaded || all.self_test == (begins != 0)) return;
    all.self_test = begins != 0;
    ignore_new_devices(all.self_test);
    if (all.self_test) {
        begin_self_test();
    } else {
        end_self_test();
    }
}

TILEMETER_EXPORT const char* tilemeter_attach_begin(int no_dispatch, const char* recording, unsigned flags,
                                                    int alone, std::uint64_t* capture) {
    return answer_text([&]() -> std::string {
        State& all = state();
        const std::scoped_lock lock(all.mutex);
        if (!all.loaded) return "nothing is attached";
        tilemeter_capture_options options{};
        options.no_dispatch = no_dispatch != 0 ? 1 : 0;
        options.emitters = static_cast<std::uint8_t>(1U << emitter());
        options.recording = recording;
        options.stacks = (flags & TILEMETER_ATTACH_STACKS) != 0 ? 1 : 0;
        options.pages = (flags & TILEMETER_ATTACH_PAGES) != 0 ? 1 : 0;
        if (all.captures.empty()) {
            set_options({.argument_texts = (flags & TILEMETER_ATTACH_TEXTS) != 0});
            record_python_stacks(options.stacks != 0);
            forget_open_functions();
        }
        Capture made;
        if (const char* wrong = all.recorder->begin(&options, &made.window); wrong != nullptr) return wrong;
        made.planned = no_dispatch == 1;
        made.alone = alone != 0;
        join_thread();
        if (made.planned) start_planning();
        if (made.alone) answer_active(true);
        *capture = ++all.begun;
        all.captures.emplace(*capture, std::move(made));
        if (!all.self_test) emit_buffers_alive();
        return {};
    });
}

TILEMETER_EXPORT void tilemeter_attach_describe_in_passing() {
    describe_devices_in_passing();
}

TILEMETER_EXPORT const char* tilemeter_attach_summary(const char* report) {
    return answer_text([&]() -> std::string {
        auto list = tilemeter::analysis::load_node_list(report);
        if (!list) return {};  // which end() said
        const tilemeter::analysis::PeakAnswer answer = tilemeter::analysis::find_peak(*list);
        const std::size_t count = tilemeter::analysis::operation_count(*list);
        std::string line = std::string(report) + ": " + tilemeter::analysis::grouped(count) +
                           (count == 1 ? " operation" : " operations");
        const char* between = ", peak ";
        const auto add = [&](const tilemeter::analysis::MemoryPeak* peak, const char* of) {
            if (peak == nullptr || peak->bytes == 0) return;
            line += between + std::string(tilemeter::analysis::prefix_of(peak->bound)) +
                    tilemeter::analysis::bytes_text(peak->bytes) + of;
            if (!peak->operation.empty()) line += " in " + peak->operation;
            between = ", ";
        };
        add(answer.l1(), " of L1 per core");
        add(answer.dram(), " of DRAM per bank");
        return line;
    });
}

TILEMETER_EXPORT void tilemeter_attach_exit() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    all.exits = true;
}

TILEMETER_EXPORT const char* tilemeter_attach_end(std::uint64_t capture, const char* report) {
    return answer_text([&]() -> std::string {
        State& all = state();
        const std::scoped_lock lock(all.mutex);
        const auto place = all.captures.find(capture);
        if (place == all.captures.end()) return "this capture has ended before";
        if (report == nullptr) {
            all.recorder->drop(place->second.window);
        } else if (const char* wrong = all.recorder->end_to_file(place->second.window, report);
                   wrong != nullptr) {
            return wrong;
        }
        forget(all, place);
        return {};
    });
}

TILEMETER_EXPORT const char* tilemeter_attach_end_to_text(std::uint64_t capture, char** nodes) {
    return answer_text([&]() -> std::string {
        State& all = state();
        const std::scoped_lock lock(all.mutex);
        const auto place = all.captures.find(capture);
        if (place == all.captures.end()) return "this capture has ended before";
        const char* const wrong = all.recorder->end_to_text(place->second.window, nodes);
        forget(all, place);
        return wrong == nullptr ? std::string() : std::string(wrong);
    });
}

TILEMETER_EXPORT void tilemeter_attach_free(char* nodes) {
    std::free(nodes);
}

TILEMETER_EXPORT const char* tilemeter_attach_describe(const char* ttnn_report) {
    return answer_text([&]() -> std::string {
        std::ifstream file(ttnn_report);
        const nlohmann::json report = nlohmann::json::parse(file, nullptr, false);
        if (!report.is_object()) return std::string(ttnn_report) + ": no report of TT-NN";
        const std::string descriptor = report.value("cluster_descriptor", std::string());
        for (const nlohmann::json& device : report.value("devices", nlohmann::json::array())) {
            const auto number = [&](const char* key) { return device.value(key, std::uint64_t{0}); };
            const std::string arch = device.value("arch", std::string());
            const auto id = static_cast<std::uint16_t>(number("device_id"));
            const std::vector<std::uint16_t> chips = chips_of_device(id);
            tilemeter_device made{};
            made.arch = arch.c_str();
            made.cluster_descriptor = descriptor.c_str();
            made.chips = chips.data();
            made.num_chips = chips.size();
            made.num_y_cores = number("num_y_cores");
            made.num_x_cores = number("num_x_cores");
            made.num_y_compute_cores = number("num_y_compute_cores");
            made.num_x_compute_cores = number("num_x_compute_cores");
            made.worker_l1_size = number("worker_l1_size");
            made.l1_num_banks = number("l1_num_banks");
            made.l1_bank_size = number("l1_bank_size");
            made.address_at_first_l1_bank = number("address_at_first_l1_bank");
            made.address_at_first_l1_cb_buffer = number("address_at_first_l1_cb_buffer");
            made.num_banks_per_storage_core = number("num_banks_per_storage_core");
            made.num_compute_cores = number("num_compute_cores");
            made.num_storage_cores = number("num_storage_cores");
            made.total_l1_memory = number("total_l1_memory");
            made.total_l1_for_tensors = number("total_l1_for_tensors");
            made.total_l1_for_interleaved_buffers = number("total_l1_for_interleaved_buffers");
            made.total_l1_for_sharded_buffers = number("total_l1_for_sharded_buffers");
            made.cb_limit = number("cb_limit");
            made.num_dram_channels = number("num_dram_channels");
            made.dram_size_per_channel = number("dram_size_per_channel");
            table().announce_device(emitter(), id, &made);
        }
        const nlohmann::json metadata = report.value("metadata", nlohmann::json::object());
        set_git_sha(metadata.value("git_sha", std::string()));
        return {};
    });
}

TILEMETER_EXPORT std::size_t tilemeter_attach_describe_devices() {
    return describe_devices_in_ttnn();
}

TILEMETER_EXPORT void tilemeter_attach_join() {
    join_thread();
}

TILEMETER_EXPORT void tilemeter_attach_leave() {
    leave_thread();
}

TILEMETER_EXPORT void tilemeter_attach_hide(int change) {
    hide_from_queries += change;
}

TILEMETER_EXPORT void tilemeter_attach_forget_device(int number) {
    forget_device(number);
}

TILEMETER_EXPORT void* tilemeter_attach_wrap(void* function, const char* name) {
    return wrap_in_scope(function, name);
}

TILEMETER_EXPORT const char* tilemeter_attach_missing() {
    return answer_text([] {
        std::string lines;
        for (const char* each : missing_of_ttnn())
            (lines += lines.empty() ? "" : "\n") += each;
        return lines;
    });
}

TILEMETER_EXPORT void tilemeter_attach_counts(std::uint64_t* failed, std::uint64_t* programs,
                                              std::uint64_t* unlisted) {
    const Counts now = counts();
    *failed = now.failed;
    *programs = now.programs;
    *unlisted = now.unlisted_programs;
}
