// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/capture/naive_graph.hpp"

#include <array>
#include <string>

#include <nlohmann/json.hpp>

#include "capture/record/emit.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"

namespace tilemeter::test {

namespace {

using nlohmann::json;
using Kind = Step::Kind;

constexpr record::DeviceId kDevice{600};  // never announced: it stands for itself
constexpr std::uint64_t kBufferBytes = 4096;
constexpr auto kObserved = record::Origin::kObserved;

std::string name_of(std::uint64_t number) {
    return "function " + std::to_string(number);
}

record::BufferRecord buffer_of(std::uint64_t number) {
    return {static_cast<record::BufferId>(number + 1),
            kDevice,
            record::MemoryType::kL1,
            record::BufferLayout::kInterleaved,
            0,
            1000 + number,
            kBufferBytes,
            64,
            32};
}

record::TensorRecord tensor_of(std::uint64_t number, bool is_view) {
    record::TensorInfo info;
    info.shape = {number, 32};
    info.on_device = true;
    info.size_bytes = number;
    info.buffer_size_bytes = kBufferBytes;
    info.memory = record::MemoryType::kL1;
    return {static_cast<record::TensorId>(number + 1), record::intern(info), kDevice,
            static_cast<record::BufferId>(number + 1), 1000 + number,        is_view};
}

class NaiveGraph {
public:
    json build(const std::vector<Steps>& stretches) {
        add("capture_start", nullptr, 0);
        for (const Steps& stretch : stretches) {
            open_.clear();
            for (const Step& step : stretch)
                take(step);
        }
        open_.clear();
        add("capture_end", nullptr, 0);
        link_latest_end();
        if (!linked_) connect(0, last());
        return nodes_;
    }

private:
    struct Open {
        std::size_t start;
        Steps outputs;
    };

    std::size_t last() const { return nodes_.size() - 1; }

    void add(const char* type, json params, std::size_t level) {
        nodes_.push_back({{"arguments", json::array()},
                          {"connections", json::array()},
                          {"counter", nodes_.size()},
                          {"input_tensors", json::array()},
                          {"node_type", type},
                          {"params", std::move(params)},
                          {"stacking_level", level}});
    }

    void connect(std::size_t from, std::size_t to) { nodes_[from]["connections"].push_back(to); }

    std::size_t parent() const { return open_.empty() ? 0 : open_.back().start; }

    void add_child(const char* type, json params) {
        add(type, std::move(params), open_.size());
        connect(parent(), last());
    }

    /// The last end in the list that does not lead to a start yet, if no start came after it.
    void link_latest_end() {
        linked_ = false;
        for (std::size_t i = last(); i-- > 0;) {
            if (nodes_[i]["node_type"] == "function_start") return;
            if (nodes_[i]["node_type"] == "function_end") {
                linked_ = true;
                return connect(i, last());
            }
        }
    }

    void take(const Step& step) {
        switch (step.kind) {
            case Kind::kBegin:
                add("function_start", {{"inputs", "2"}, {"name", name_of(step.number)}}, open_.size() + 1);
                connect(parent(), last());
                link_latest_end();
                return open_.push_back({last(), {}});
            case Kind::kEnd:
                return end({{"name", ""}});
            case Kind::kAbort:
                return end({{"name", ""}, {"aborted", "true"}, {"abort_reason", "reason"}});
            case Kind::kArgument:
                if (!open_.empty()) nodes_[parent()]["arguments"].push_back(std::to_string(step.number));
                return;
            case Kind::kInput:
            case Kind::kView:
                if (!open_.empty()) {
                    const std::size_t tensor = add_tensor(step, open_.size());
                    connect(tensor, parent());
                    nodes_[parent()]["input_tensors"].push_back(tensor);
                    link_to_buffer(step, tensor);
                }
                return;
            case Kind::kOutput:
                if (!open_.empty()) open_.back().outputs.push_back(step);
                return;
            default:
                return take_leaf(step);
        }
    }

    void take_leaf(const Step& step) {
        const json device = {{"device_id", static_cast<std::uint16_t>(kDevice)}};
        switch (step.kind) {
            case Kind::kAllocate:
                return add_buffer_event("buffer_allocate", step.number);
            case Kind::kFree:
                return add_buffer_event("buffer_deallocate", step.number);
            case Kind::kProgram:
                add_child("circular_buffer_deallocate_all", device);
                return connect(last(), parent());
            case Kind::kCircularBuffer: {
                json params = device;
                params.update({{"address", step.number}, {"core_range_set", "cores"}, {"size", 64}});
                params["globally_allocated"] = "0";
                return add_child("circular_buffer_allocate", params);
            }
            case Kind::kError:
                return add_child("error", {{"error_type", "type"},
                                           {"error_message", "message"},
                                           {"error_operation", name_of(step.number)}});
            case Kind::kManager:
                for (const json& node : nodes_) {
                    if (node["node_type"] == "sub_device_manager" &&
                        node["params"]["sub_device_manager_id"] == step.number)
                        return;
                }
                return add_child("sub_device_manager", {{"device_id", static_cast<std::uint16_t>(kDevice)},
                                                        {"sub_device_manager_id", step.number},
                                                        {"sub_devices", "[]"}});
            default:
                return;
        }
    }

    void end(json params) {
        if (open_.empty()) return;
        const Open ended = open_.back();
        params["name"] = nodes_[ended.start]["params"]["name"];
        add("function_end", std::move(params), open_.size());
        const std::size_t node = last();
        connect(ended.start, node);
        const std::size_t level = open_.size();
        open_.pop_back();
        for (const Step& output : ended.outputs) {
            const std::size_t tensor = add_tensor(output, level);
            connect(node, tensor);
            link_to_buffer(output, tensor);
        }
    }

    std::size_t add_tensor(const Step& step, std::size_t level) {
        const std::uint64_t number = step.number;
        const std::string device = std::to_string(static_cast<std::uint16_t>(kDevice));
        const std::string chips = R"([{"address":)" + std::to_string(1000 + number) + R"(,"device_id":)" +
                                  device + R"(,"mesh_device_id":)" + device + "}]";
        json params = {{"buffer_type", 1},
                       {"device_tensors", chips},
                       {"dtype", ""},
                       {"layout", ""},
                       {"memory_config", ""},
                       {"shape", "Shape([" + std::to_string(number) + ", 32])"},
                       {"size", number},
                       {"storage_type", "DEVICE"},
                       {"tensor_id", number + 1}};
        if (step.kind != Kind::kView) {
            params["address"] = 1000 + number;
            params["device_id"] = static_cast<std::uint16_t>(kDevice);
        }
        add("tensor", params, level);
        return last();
    }

    void link_to_buffer(const Step& step, std::size_t tensor) {
        if (step.kind != Kind::kView) connect(buffer_node(step.number), tensor);
    }

    std::size_t buffer_node(std::uint64_t number) {
        for (const auto& [known, node] : buffers_) {
            if (known == number) return node;
        }
        add_child("buffer", {{"buffer_type", 1},
                             {"device_id", static_cast<std::uint16_t>(kDevice)},
                             {"layout", "INTERLEAVED"},
                             {"size", kBufferBytes},
                             {"type", "L1"}});
        buffers_.emplace_back(number, last());
        return last();
    }

    void add_buffer_event(const char* type, std::uint64_t number) {
        const std::size_t buffer = buffer_node(number);
        add_child(type, {{"address", 1000 + number},
                         {"buffer_type", 1},
                         {"device_id", static_cast<std::uint16_t>(kDevice)},
                         {"layout", "INTERLEAVED"},
                         {"max_size_per_bank", 64},
                         {"num_cores", 0},
                         {"page_size", 32},
                         {"size", kBufferBytes},
                         {"type", "L1"}});
        connect(last(), buffer);
    }

    json nodes_ = json::array();
    std::vector<Open> open_;
    std::vector<std::pair<std::uint64_t, std::size_t>> buffers_;
    bool linked_ = false;
};

}  // namespace

void emit(const Step& step) {
    using namespace record;
    const TextId name = intern(name_of(step.number));
    switch (step.kind) {
        case Kind::kBegin:
            return emit_function_begin(name, 2);
        case Kind::kEnd:
            return emit_function_end();
        case Kind::kAbort:
            return emit_function_aborted(intern("reason"));
        case Kind::kArgument:
            return emit_argument(ArgumentType::kInteger, static_cast<std::int64_t>(step.number));
        case Kind::kInput:
            return emit_input_tensor(tensor_of(step.number, false));
        case Kind::kView:
            return emit_input_tensor(tensor_of(step.number, true));
        case Kind::kOutput:
            return emit_output_tensor(tensor_of(step.number, false));
        case Kind::kAllocate:
            return emit_buffer_allocate(buffer_of(step.number), kObserved);
        case Kind::kFree:
            return emit_buffer_free(buffer_of(step.number), kObserved);
        case Kind::kProgram:
            return emit_program_begin(kDevice, step.number, kObserved);
        case Kind::kCircularBuffer:
            return emit_program_memory(EventKind::kCircularBuffer,
                                       {0, kDevice, intern("cores"), step.number, 64, BufferId::kNone},
                                       kObserved);
        case Kind::kError:
            return emit_error(intern("type"), intern("message"), name);
        case Kind::kManager:
            return emit_sub_device_manager(kDevice, step.number, intern("[]"));
        case Kind::kCount:
            return;
    }
}

json naive_graph(const std::vector<Steps>& stretches) {
    return NaiveGraph().build(stretches);
}

std::ostream& operator<<(std::ostream& out, const Step& step) {
    constexpr std::array kNames = {"begin",  "end",      "abort", "argument", "input",           "view",
                                   "output", "allocate", "free",  "program",  "circular buffer", "error",
                                   "manager"};
    static_assert(kNames.size() == static_cast<std::size_t>(Kind::kCount));
    return out << kNames[static_cast<std::size_t>(step.kind)] << ' ' << step.number;
}

}  // namespace tilemeter::test
