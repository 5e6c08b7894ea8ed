// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/graph/graph_drawing.hpp"

#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/analysis/nodes/load.hpp"
#include "report/json_node.hpp"
#include "report/pending_file.hpp"
#include "report/python_text.hpp"
#include "report/render/svg_graph.hpp"
#include "report/report_reader.hpp"

extern char** environ;

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;
using report::Error;
using report::NodeType;
using report::PendingFile;
using report::Status;

// By depth, the outermost first.
constexpr std::array<std::string_view, 6> kColours{"#0000ff80", "#ee00ee80", "#ff000080",
                                                   "#eeee0080", "#00ff0080", "#00eeee80"};

std::string dot_quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n') {
            result += "\\n";
        } else {
            result += c;
        }
    }
    return result + '"';
}

class DotWriter final : public report::ReportHandler {
public:
    DotWriter() {
        dot_ =
            "digraph {\n\tgraph [ordering=in rankdir=TB]\n\tnode [border=1 fontname=\"Linux libertine\" "
            "fontsize=10 "
            "height=0.2 margin=0 ranksep=0.1 shape=box style=filled]\n\tedge [fontsize=10]\n";
    }
    Status on_node(const report::JsonNode& node) override {
        const std::string counter =
            std::to_string(node.counter.value_or(static_cast<std::int64_t>(node.index)));
        std::string detail;
        const bool is_tensor = node.type == NodeType::kTensor;
        const bool is_start = node.type == NodeType::kFunctionStart;
        const bool is_end = node.type == NodeType::kFunctionEnd;
        if (is_tensor || is_start || is_end)
            report::append_python_str(detail, node.params.at(is_tensor ? "tensor_id" : "name"));
        if (is_start) open_cluster(detail);
        std::string label(node.type_name);
        if (!detail.empty()) label.append("\n").append(detail);
        dot_.append("\tnode_").append(counter).append(" [label=").append(dot_quoted(label));
        dot_.append(" fillcolor=\"#DCDCDC\"]\n");
        if (is_end && depth_ > 0) {
            dot_ += "\t}\n";
            --depth_;
        }
        for (auto target = node.connections.children(); target.valid(); target.next())
            if (const auto number = target.value().integer())
                edges_.append("\tnode_")
                    .append(counter)
                    .append(" -> node_")
                    .append(std::to_string(*number)) += '\n';
        return {};
    }
    std::string take() {
        for (; depth_ > 0; --depth_)
            dot_ += "\t}\n";  // never ended
        dot_.append(edges_).append("}\n");
        return std::move(dot_);
    }

private:
    void open_cluster(std::string_view name) {
        ++depth_;
        dot_.append("\tsubgraph cluster_").append(std::to_string(cluster_count_++));
        dot_.append(" {\n\tfontcolor=black bgcolor=\"").append(kColours[depth_ % kColours.size()]);
        dot_.append("\" cluster=true label=").append(dot_quoted(name)).append(" rankdir=TB shape=hexagon\n");
    }

    std::string dot_;
    std::string edges_;
    std::size_t depth_ = 0;
    std::size_t cluster_count_ = 0;
};

// dot -Tsvg < source > picture
Status run_dot(PendingFile& source, PendingFile& picture) {
    ::lseek(source.descriptor(), 0, SEEK_SET);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, source.descriptor(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, picture.descriptor(), STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::array<char, 4> name{"dot"};
    std::array<char, 6> format{"-Tsvg"};
    const std::array<char*, 3> arguments{name.data(), format.data(), nullptr};
    pid_t child = 0;
    const int problem = ::posix_spawnp(&child, name.data(), &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (problem != 0)
        return Error{picture.final_path().string(), "", "the program dot (Graphviz)", std::strerror(problem)};
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return Error{picture.final_path().string(), "", "a picture from dot", "its failure"};
    return {};
}

}  // namespace

report::Result<std::string> graph_as_dot(const report::Input& report) {
    DotWriter writer;
    if (Status read = report::read_report(report, writer); !read) return read.error();
    return writer.take();
}

namespace {

Status draw_by_dot(const report::Input& report, const fs::path& picture_path) {
    auto dot = graph_as_dot(report);
    if (!dot) return dot.error();
    auto source = PendingFile::create(fs::path(picture_path).replace_extension());
    if (!source) return source.error();
    if (Status written = source->write(*dot); !written) return written;
    auto picture = PendingFile::create(picture_path);
    if (!picture) return picture.error();
    if (Status drawn = run_dot(*source, *picture); !drawn) return drawn;
    if (Status published = source->publish(); !published) return published;
    return picture->publish();
}

Status draw_calls(const report::Input& report, const std::string& title, const fs::path& picture_path) {
    auto list = analysis::load_node_list(report);
    if (!list) return list.error();
    auto picture = PendingFile::create(picture_path);
    if (!picture) return picture.error();
    const std::string text = analysis::svg_graph(*list, analysis::find_lifetimes(*list), 0, title);
    if (Status written = picture->write(text); !written) return written;
    return picture->publish();
}

}  // namespace

Status draw_graph(const report::Input& report, const fs::path& path, const fs::path& folder) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    const fs::path picture = folder / (report::report_stem(path) + ".svg");
    const std::string title = path == "-" ? report.name() : path.filename().string();
    return draw_by_dot(report, picture) ? Status() : draw_calls(report, title, picture);
}

}  // namespace tilemeter::visualizer_import
