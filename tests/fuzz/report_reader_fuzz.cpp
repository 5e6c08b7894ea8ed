// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/python_io.hpp"
#include "report/python_text.hpp"
#include "report/report_reader.hpp"
#include "tests/fuzz/fuzzed_file.hpp"

namespace {

using namespace tilemeter::report;

// Looks at all there is.
class Looker final : public ReportHandler {
public:
    Status on_metadata(const JsonValue& value) override { return look(value); }
    Status on_devices(const JsonValue& value) override { return look(value); }
    Status on_graph_begin(GraphAccess& graph) override {
        graph_ = &graph;
        return {};
    }
    Status on_node(const Node& node) override {
        for (auto target = node.connections.children(); target.valid(); target.next()) {
            const auto counter = target.value().integer();
            if (!counter || *counter < 0 || static_cast<std::size_t>(*counter) >= graph_->index().size())
                continue;
            const auto place = static_cast<std::size_t>(*counter);
            (void)graph_->index().tensor_id(place);
            (void)graph_->node_at(place);
        }
        return look(node.json);
    }

private:
    Status look(const JsonValue& value) {
        text_.clear();
        append_python_str(text_, value);
        return append_json_dumps(text_, value);
    }
    GraphAccess* graph_ = nullptr;
    std::string text_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tilemeter::FuzzedFile file(data, size);
    Looker looker;
    if (const Status read = read_report(file.path(), looker); !read) (void)read.error().message();
    if (auto io = PythonIo::open(file.path()); io && io->size() > 0) (void)io->record({0});
    return 0;
}
