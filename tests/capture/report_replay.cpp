// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/capture/report_replay.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "capture/record/device_info.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"

namespace tilemeter::test {

namespace {

using nlohmann::json;
using record::BufferId;
using record::DeviceId;

std::uint64_t number(const json& object, const char* key) {
    return object.at(key).get<std::uint64_t>();
}

record::TextId text(const json& object, const char* key) {
    return object.contains(key) ? record::intern(object[key].get<std::string>()) : record::TextId::kNone;
}

DeviceId device(const json& object) {
    return static_cast<DeviceId>(number(object, "device_id"));
}

record::BufferLayout layout(const json& object) {
    const std::map<std::string, record::BufferLayout> names = {
        {"INTERLEAVED", record::BufferLayout::kInterleaved},
        {"HEIGHT_SHARDED", record::BufferLayout::kHeightSharded},
        {"WIDTH_SHARDED", record::BufferLayout::kWidthSharded},
        {"BLOCK_SHARDED", record::BufferLayout::kBlockSharded}};
    return names.at(object.at("layout"));
}

std::vector<std::uint64_t> shape(const std::string& text) {
    const std::size_t open = text.find('[');
    return json::parse(text.substr(open, text.find(']') - open + 1));
}

class Replay {
public:
    explicit Replay(const json& graph) : graph_(graph) {
        for (const json& node : graph) {
            for (const json& input : node["input_tensors"])
                inputs_.insert(input.get<std::size_t>());
            if (node["node_type"] != "buffer") continue;
            const BufferId id = record::next_buffer_id();
            buffers_[node["counter"].get<std::size_t>()] = id;
            for (const json& tensor : node["connections"])
                buffer_of_tensor_[tensor.get<std::size_t>()] = node["counter"].get<std::size_t>();
        }
        announce_devices();
    }

    void run() {
        for (const json& node : graph_)
            emit(node);
    }

private:
    void announce_devices() {
        std::map<std::uint64_t, record::DeviceInfo> devices = {{0, {}}, {1, {}}};
        for (const json& node : graph_) {
            if (node["node_type"] != "tensor" || !node["params"].contains("address")) continue;
            const json chips = json::parse(node["params"]["device_tensors"].get<std::string>());
            std::vector<std::uint16_t>& known = devices[number(node["params"], "device_id")].chips;
            known.clear();
            for (const json& chip : chips)
                known.push_back(chip["device_id"]);
        }
        for (auto& [id, info] : devices)
            record::announce_device(static_cast<DeviceId>(id), std::move(info));
    }

    void emit(const json& node) {
        const std::string type = node["node_type"];
        const json& params = node["params"];
        if (type == "function_start") {
            emit_start(node, params);
        } else if (type == "function_end") {
            emit_end(node, params);
        } else if (type == "tensor") {
            if (inputs_.contains(node["counter"].get<std::size_t>()))
                record::emit_input_tensor(tensor_record(node));
        } else if (type == "buffer_allocate") {
            record::emit_buffer_allocate(buffer_record(node), record::Origin::kObserved);
        } else if (type == "buffer_deallocate") {
            record::emit_buffer_free(buffer_record(node), record::Origin::kObserved);
        } else {
            emit_program_node(type, params);
        }
    }

    void emit_start(const json& node, const json& params) {
        record::emit_function_begin(text(params, "name"), std::stoull(params["inputs"].get<std::string>()));
        for (const json& argument : node["arguments"])
            record::emit_argument(record::intern(argument.get<std::string>()));
        if (params.contains("program_cache_hit")) {
            record::emit_program_selected(text(params, "program_factory_type"),
                                          number(params, "program_factory_index"),
                                          params["program_cache_hit"]);
        }
    }

    void emit_end(const json& node, const json& params) {
        for (const json& target : node["connections"]) {
            if (graph_[target.get<std::size_t>()]["node_type"] == "tensor")
                record::emit_output_tensor(tensor_record(graph_[target.get<std::size_t>()]));
        }
        if (params.contains("aborted")) {
            record::emit_function_aborted(text(params, "abort_reason"));
        } else {
            record::emit_function_end();
        }
    }

    void emit_program_node(const std::string& type, const json& params) {
        if (type == "circular_buffer_deallocate_all") {
            record::emit_program_begin(device(params), 0, record::Origin::kObserved);
        } else if (type == "circular_buffer_allocate") {
            emit_program_memory(record::EventKind::kCircularBuffer, params, "globally_allocated");
        } else if (type == "dataflow_buffer_allocate") {
            emit_program_memory(record::EventKind::kDataflowBuffer, params, "borrows_memory");
        } else if (type == "scratchpad_allocate") {
            emit_program_memory(record::EventKind::kScratchpad, params, "");
        } else if (type == "sub_device_manager") {
            record::emit_sub_device_manager(device(params), number(params, "sub_device_manager_id"),
                                            text(params, "sub_devices"));
        } else if (type == "program_execution") {
            const bool placed = params.contains("sub_device_id");
            record::emit_program_execution(
                device(params), 0,
                {number(params, "runtime_id"), number(params, "global_call_count"),
                 params["sub_device_manager_id"].get<std::uint32_t>(),
                 params["physical_device_id"].get<std::uint16_t>(),
                 placed ? params["sub_device_id"].get<std::uint16_t>() : std::uint16_t{0}},
                text(params, "worker_core_ranges"), params["command_queue_id"].get<std::uint16_t>());
        }
    }

    static void emit_program_memory(record::EventKind kind, const json& params,
                                    const std::string& shared_key) {
        const bool shared = params.value(shared_key, "0") == "1";
        record::emit_program_memory(
            kind,
            {0, device(params), text(params, "core_range_set"), number(params, "address"),
             number(params, "size"), shared ? BufferId{1} : BufferId::kNone},
            record::Origin::kObserved);
    }

    record::BufferRecord buffer_record(const json& node) const {
        const json& params = node["params"];
        return {buffers_.at(node["connections"][0].get<std::size_t>()),
                device(params),
                static_cast<record::MemoryType>(number(params, "buffer_type")),
                layout(params),
                params["num_cores"].get<std::uint32_t>(),
                number(params, "address"),
                number(params, "size"),
                number(params, "max_size_per_bank"),
                number(params, "page_size")};
    }

    record::TensorRecord tensor_record(const json& node) const {
        const json& params = node["params"];
        record::TensorInfo info;
        info.shape = shape(params["shape"]);
        info.dtype = text(params, "dtype");
        info.layout = text(params, "layout");
        info.on_device = params["storage_type"] == "DEVICE";
        info.size_bytes = number(params, "size");
        info.memory_config = text(params, "memory_config");
        record::TensorRecord tensor{
            static_cast<record::TensorId>(number(params, "tensor_id")), {}, {}, BufferId::kNone, 0, false};
        if (info.on_device) info.memory = static_cast<record::MemoryType>(number(params, "buffer_type"));
        if (const auto buffer = buffer_of_tensor_.find(node["counter"].get<std::size_t>());
            buffer != buffer_of_tensor_.end()) {
            const json& of_buffer = graph_[buffer->second]["params"];
            info.buffer_size_bytes = number(of_buffer, "size");
            info.buffer_layout = layout(of_buffer);
            tensor.buffer = buffers_.at(buffer->second);
            tensor.device = device(params);
            tensor.address = number(params, "address");
        } else if (info.on_device) {
            const json first = json::parse(params["device_tensors"].get<std::string>())[0];
            tensor.device = static_cast<DeviceId>(number(first, "mesh_device_id"));
            tensor.address = number(first, "address");
            tensor.is_view = true;
        }
        tensor.spec = record::intern(info);
        return tensor;
    }

    const json& graph_;
    std::set<std::size_t> inputs_;
    std::map<std::size_t, BufferId> buffers_;              // by counter of the buffer node
    std::map<std::size_t, std::size_t> buffer_of_tensor_;  // counter of the tensor node -> of the buffer node
};

}  // namespace

void emit_events_of(const json& graph) {
    Replay(graph).run();
}

json comparable(json graph) {
    for (json& node : graph) {
        node.erase("duration_ns");
        if (node["node_type"] == "tensor" && !node["params"].contains("address"))
            node["params"].erase("device_tensors");
    }
    return graph;
}

}  // namespace tilemeter::test
