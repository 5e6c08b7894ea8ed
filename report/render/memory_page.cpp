// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/memory_page.hpp"

#include <initializer_list>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/render/html_page.hpp"

namespace tilemeter::analysis {

namespace {

/// The kinds of an object's members. "?" after it: or null; "*": a list of such.
using MemoryMembers = std::initializer_list<std::pair<const char*, std::string_view>>;

/// Looks at one document; the first thing that is not as expected is the error.
class MemoryForm {
public:
    MemoryForm(std::size_t equations, std::size_t buffers) : equations_(equations), buffers_(buffers) {}

    void object(const nlohmann::json& json, const std::string& where, MemoryMembers members) {
        if (!json.is_object()) return refuse(where, "an object", json);
        for (const auto& [name, type] : members) {
            const auto found = json.find(name);
            const std::string path = where.empty() ? name : where + "." + name;
            if (found == json.end()) return fail(path, describe(type), "nothing");
            value(*found, path, type);
        }
    }
    void list(const nlohmann::json& json, const std::string& where, MemoryMembers members) {
        if (!json.is_array()) return refuse(where, "a list", json);
        for (std::size_t i = 0; i < json.size() && status_; ++i)
            object(json[i], where + "[" + std::to_string(i) + "]", members);
    }
    /// The same of a member that need not be there.
    [[nodiscard]] const nlohmann::json* part(const nlohmann::json& json, const char* name,
                                             std::string_view schema) {
        const auto found = json.find(name);
        if (found == json.end() || !status_) return nullptr;
        if (!found->is_object() || found->value("schema", nlohmann::json()) != schema)
            fail(name, std::string(schema), "something else");
        return status_ ? &*found : nullptr;
    }
    [[nodiscard]] const report::Status& status() const { return status_; }

private:
    void refuse(const std::string& where, std::string expected, const nlohmann::json& found) {
        fail(where, std::move(expected),
             found.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).substr(0, 80));
    }
    void fail(const std::string& where, std::string expected, std::string found) {
        if (status_) status_ = report::Error{"", where, std::move(expected), std::move(found)};
    }
    std::string describe(std::string_view type) const {
        std::string text(type.substr(0, type.find_first_of("?*")));
        if (text == "equation") text = "an equation below " + std::to_string(equations_);
        if (text == "buffer") text = "a buffer below " + std::to_string(buffers_);
        if (text == "number") text = "a number from 0";
        if (text == "text") text = "a text";
        if (text == "amounts") text = "numbers by name";
        if (type.ends_with('?')) text += ", or null";
        if (type.ends_with('*')) text = "a list of: " + text;
        return text;
    }
    void value(const nlohmann::json& json, const std::string& where, std::string_view type) {
        if (type.ends_with('?')) {
            if (!json.is_null()) value(json, where, type.substr(0, type.size() - 1), type);
        } else if (type.ends_with('*')) {
            if (!json.is_array()) return refuse(where, describe(type), json);
            for (std::size_t i = 0; i < json.size(); ++i)
                value(json[i], where + "[" + std::to_string(i) + "]", type.substr(0, type.size() - 1),
                      type.substr(0, type.size() - 1));
        } else {
            value(json, where, type, type);
        }
    }
    void value(const nlohmann::json& json, const std::string& where, std::string_view type,
               std::string_view said) {
        const auto is_below = [&](std::size_t end) {
            return json.is_number_unsigned() && json.get<std::uint64_t>() < end;
        };
        bool fits = true;
        if (type == "text") fits = json.is_string();
        if (type == "number") fits = json.is_number_unsigned();
        if (type == "equation") fits = is_below(equations_);
        if (type == "buffer") fits = is_below(buffers_);
        if (type == "amounts") {
            fits = json.is_object();
            for (const nlohmann::json& each : json)
                fits = fits && each.is_number_unsigned();
        }
        if (!fits) refuse(where, describe(said), json);
    }

    const std::size_t equations_, buffers_;
    report::Status status_;
};

}  // namespace

report::Status check_memory(const nlohmann::json& memory) {
    constexpr std::string_view kSchema = "tilemeter.memory/1";
    if (!memory.is_object() || !memory.contains("schema") || memory["schema"] != kSchema)
        return report::Error{"", "schema", std::string(kSchema),
                             memory.is_object() && memory.contains("schema")
                                 ? memory["schema"]
                                       .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
                                       .substr(0, 80)
                                 : "nothing"};
    const auto size_of = [&](const char* name) { return memory.contains(name) ? memory[name].size() : 0; };
    MemoryForm form(size_of("equations"), size_of("buffers"));
    form.object(memory, "",
                {{"name", "text"},
                 {"device", "text"},
                 {"compute_grid", "number*"},
                 {"l1_per_core", ""},
                 {"dram_per_bank", ""},
                 {"saved", ""},
                 {"equations", ""},
                 {"buffers", ""},
                 {"programs", ""}});
    if (!form.status()) return form.status();
    for (const char* const each : {"l1_per_core", "dram_per_bank"})
        form.object(memory[each], each,
                    {{"bytes", "number"},
                     {"equation", "equation?"},
                     {"program_bytes", "number"},
                     {"by_role", "amounts"},
                     {"alive", "buffer*"}});
    form.list(memory["equations"], "equations",
              {{"operation", "text"}, {"pass", "text"}, {"source", "text?"}, {"node", "number?"}});
    form.list(memory["buffers"], "buffers",
              {{"role", "text"},
               {"reason", "text"},
               {"pass", "text?"},
               {"name", "text?"},
               {"shape", "text?"},
               {"birth", "equation?"},
               {"death", "equation?"},
               {"memory", "text"},
               {"address", "number"},
               {"bytes_per_bank", "number"},
               {"cores", "text?"},
               {"bytes", "number"},
               {"readers", "equation*"},
               {"writers", "equation*"}});
    form.list(memory["saved"], "saved",
              {{"buffer", "buffer"},
               {"bytes", "number"},
               {"held_equations", "number"},
               {"byte_equations", "number"},
               {"shape", "text?"},
               {"made_by", ""},
               {"needed_by", ""}});
    if (!form.status()) return form.status();
    for (std::size_t i = 0; i < memory["saved"].size(); ++i) {
        const std::string where = "saved[" + std::to_string(i) + "]";
        form.object(memory["saved"][i]["made_by"], where + ".made_by", {{"equation", "equation"}});
        form.list(memory["saved"][i]["needed_by"], where + ".needed_by", {{"equation", "equation"}});
    }
    form.list(memory["programs"], "programs", {{"equation", "equation?"}, {"pieces", ""}});
    if (!form.status()) return form.status();
    for (std::size_t i = 0; i < memory["programs"].size(); ++i)
        form.list(memory["programs"][i]["pieces"], "programs[" + std::to_string(i) + "].pieces",
                  {{"kind", "text"}, {"address", "number"}, {"bytes_per_core", "number"}, {"cores", "text"}});
    if (const nlohmann::json* const sizes = form.part(memory, "sizes", "tilemeter.sizes/1")) {
        form.object(*sizes, "sizes",
                    {{"size", "text"},
                     {"smallest", "number"},
                     {"largest", "number"},
                     {"computed", ""},
                     {"interpolated", ""}});
        form.list(sizes->value("computed", nlohmann::json()), "sizes.computed",
                  {{"size", "number"},
                   {"verdict", "text"},
                   {"l1_bytes_per_core", "number"},
                   {"dram_bytes_per_bank", "number"},
                   {"operation", "text"}});
        form.list(sizes->value("interpolated", nlohmann::json()), "sizes.interpolated",
                  {{"begin", "number"}, {"end", "number"}});
    }
    if (const nlohmann::json* const curve = form.part(memory, "recompute", "tilemeter.recompute/1")) {
        form.object(*curve, "recompute", {{"points", ""}, {"cost_of_run", "number"}});
        form.list(curve->value("points", nlohmann::json()), "recompute.points",
                  {{"l1_bytes_per_core", "number"},
                   {"dram_bytes_per_bank", "number"},
                   {"cost", "number"},
                   {"recomputed", ""}});
    }
    return form.status();
}

report::Result<std::string> memory_page(const nlohmann::json& memory) {
    constexpr const char* kReport = "report";
    const auto report = memory.find(kReport);
    if (report == memory.end())
        return report::Error{"", kReport, "the report of the plan, which save_memory() writes", "nothing"};
    const report::Result<NodeList> list = load_node_list(report::Input::of_text(kReport, report->dump()));
    if (!list) return list.error();
    const MemoryLifetimes lifetimes = find_lifetimes(list.value());
    if (lifetimes.buffers.size() != memory["buffers"].size())
        return report::Error{"", kReport, std::to_string(memory["buffers"].size()) + " buffers",
                             std::to_string(lifetimes.buffers.size())};
    nlohmann::json training = memory;
    training.erase(kReport);
    training.erase("programs");  // the report has them
    const std::string name = memory["name"].get<std::string>() + " on " + memory["device"].get<std::string>();
    return html_page({list.value(), lifetimes, name}, training);
}

}  // namespace tilemeter::analysis
