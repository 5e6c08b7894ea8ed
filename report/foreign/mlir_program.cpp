// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/mlir_program.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "report/foreign/mlir/location.hpp"
#include "report/foreign/mlir/module.hpp"

namespace tilemeter::foreign {
namespace {

using mlir::Item;
using mlir::SyntaxError;
using mlir::Value;

std::vector<std::int64_t> integers(const Value& list) {
    std::vector<std::int64_t> found;
    for (const Item& item : list.items)
        if (const auto number = item.value.integer()) found.push_back(*number);
    return found;
}

/// The whole numbers in a text such as "(0,7)".
void add_numbers(std::string_view text, std::vector<std::int64_t>& into) {
    for (std::size_t begin = 0; (begin = text.find_first_of("0123456789")) != std::string_view::npos;) {
        text.remove_prefix(begin);
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{}) return;
        into.push_back(number);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
}

/// "10x13", or nothing.
std::vector<std::int64_t> sizes_of(const Value* value) {
    return value == nullptr ? std::vector<std::int64_t>() : mlir::dimensions(value->text).sizes;
}

std::int64_t integer_or(const Value* value, std::int64_t otherwise) {
    return value == nullptr ? otherwise : value->integer().value_or(otherwise);
}

/// A tensor's layout of 2024, before the dialect had its own.
constexpr std::string_view kOldLayout = "#tt.layout";

/// Of a chip that is not described.
constexpr std::int64_t kColumns = 8;

/// Where shards lie that only a grid is known of: a block's as the grid is, others row by row of a chip's cores.
std::vector<Cores> cores_of(const TensorLayout& layout, std::int64_t chip_columns) {
    constexpr std::int64_t kMost = 1 << 10;
    if (layout.grid.size() != 2 || !layout.arrangement.ends_with("_sharded")) return {};
    const std::int64_t rows = layout.grid[0], columns = layout.grid[1];
    if (rows < 1 || columns < 1 || rows > kMost || columns > kMost) return {};
    if (layout.arrangement == "block_sharded") return {{0, 0, columns - 1, rows - 1}};
    const std::int64_t whole = rows * columns / chip_columns, rest = rows * columns % chip_columns;
    std::vector<Cores> cores;
    if (whole > 0) cores.push_back({0, 0, chip_columns - 1, whole - 1});
    if (rest > 0) cores.push_back({0, whole, rest - 1, whole});
    return cores;
}

/// The one bracket around all: `<{...}>` is what stands in it.
const Value& inner(const Value& value) {
    const Value* found = &value;
    while (found->text.empty() && found->items.size() == 1 && found->items[0].key.empty() &&
           found->items[0].value.kind == Value::Kind::kFields && found->items[0].value.text.empty())
        found = &found->items[0].value;
    return *found;
}

class ProgramReader {
public:
    ProgramReader(const mlir::Module& module, std::string_view text, CompiledProgram& program)
        : module_(module), text_(text), program_(program), locations_(module.aliases) {
        program_.places.emplace_back();
    }
    void read() {
        read_block_of(module_.operation);
        const std::int64_t columns = program_.system.grid_columns;
        for (TensorType& type : program_.types)
            if (type.layout && type.layout->cores.empty())
                type.layout->cores = cores_of(*type.layout, columns > 0 ? columns : kColumns);
    }

private:
    void read_block_of(const mlir::Operation& parent);
    void read_system(std::string_view attributes);
    void read_function(const mlir::Operation& function);
    void read_operation(const mlir::Operation& operation, ProgramFunction& into);
    ValueId new_value(ProgramFunction& into, std::string_view name, std::string_view type);
    ValueId value(std::string_view name, const mlir::Operation& user) const;
    std::uint32_t type_of(std::string_view text);
    TensorType read_type(std::string_view text) const;
    std::optional<TensorLayout> read_layout(const Value& value) const;
    std::uint32_t place_of(std::string_view location);
    /// What an alias stands for, in turn; the text itself where it is none.
    std::string_view resolved(std::string_view text) const;
    /// Attributes with what the aliases in them stand for, but those of memories, which are known by their names.
    std::string_view written_out(std::string_view attributes);
    std::uint32_t line(std::size_t byte);

    const mlir::Module& module_;
    std::string_view text_;
    CompiledProgram& program_;
    mlir::Locations locations_;
    std::unordered_map<std::string_view, std::uint32_t> types_, places_;
    std::unordered_map<std::string, ValueId> names_;
    std::size_t line_at_ = 0, lines_before_ = 1;
};

std::uint32_t ProgramReader::line(std::size_t byte) {
    if (byte < line_at_) line_at_ = 0, lines_before_ = 1;
    lines_before_ +=
        static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(line_at_),
                                            text_.begin() + static_cast<std::ptrdiff_t>(byte), '\n'));
    line_at_ = byte;
    return static_cast<std::uint32_t>(lines_before_);
}

std::string_view ProgramReader::resolved(std::string_view text) const {
    for (int i = 0; i < 32; ++i) {
        const auto found = module_.aliases.find(text);
        if (found == module_.aliases.end()) break;
        text = found->second;
    }
    return text;
}

bool names_memory(std::string_view meaning) {
    const std::string_view name = meaning.substr(0, meaning.find('<'));
    return name.ends_with("buffer_type") || name.ends_with("memory_space");
}

std::string_view ProgramReader::written_out(std::string_view attributes) {
    constexpr std::size_t kLongestAttributes = 1 << 16;
    int left = 64;  // aliases that name each other have no end
    std::string made;
    std::string_view text = attributes;
    for (std::size_t at = 0; (at = text.find('#', at)) != std::string_view::npos;) {
        std::size_t end = at + 1;
        while (end < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
            ++end;
        const auto alias = module_.aliases.find(text.substr(at, end - at));
        const bool is_written_out = alias != module_.aliases.end() && !names_memory(alias->second) &&
                                    !alias->second.starts_with("loc") &&
                                    text.size() + alias->second.size() <= kLongestAttributes && left-- > 0;
        if (!is_written_out) {
            at = end;
            continue;
        }
        made = std::string(text.substr(0, at)).append(alias->second).append(text.substr(end));
        text = made;
    }
    if (made.empty()) return attributes;
    if (!program_.written_out) program_.written_out = std::make_shared<std::deque<std::string>>();
    return program_.written_out->emplace_back(std::move(made));
}

std::optional<TensorLayout> ProgramReader::read_layout(const Value& given) const {
    Value own;
    const Value* layout = &given;
    if (given.kind == Value::Kind::kWord) {
        const std::string_view text = resolved(given.text);
        if (text == given.text) return std::nullopt;
        own = mlir::parse_value(text);
        layout = &own;
    }
    if (!layout->text.ends_with("ttnn_layout") && layout->text != kOldLayout) return std::nullopt;
    TensorLayout found;
    for (const Item& item : layout->items) {
        const Value& part = item.value;
        if (item.key == "core_ranges" || item.key == "core_range_set") {
            const auto add = [&](const auto& self, const Value& ranges) -> void {
                if (ranges.text.ends_with("core_range") && ranges.items.size() == 2) {
                    std::vector<std::int64_t> at;
                    for (const Item& corner : ranges.items)
                        add_numbers(corner.value.text, at);
                    at.resize(4);
                    found.cores.push_back({at[0], at[1], at[2], at[3]});
                } else {
                    for (const Item& each : ranges.items)
                        self(self, each.value);
                }
            };
            add(add, part);
        } else if (part.text == "memref") {
            for (const Item& each : part.items) {
                const Value& of = each.value;
                if (of.kind == Value::Kind::kFields && of.items.size() == 1 &&
                    of.items[0].value.text.ends_with("tile")) {
                    found.shard = mlir::dimensions(of.text).sizes;
                    found.is_tiled = true;
                    if (const Value* element = of.items[0].value.at(1)) found.element = element->text;
                    const auto tile =
                        mlir::dimensions(of.items[0].value.at(0) == nullptr ? std::string_view()
                                                                            : of.items[0].value.at(0)->text);
                    if (tile.sizes.size() == 2)
                        found.tile_height = tile.sizes[0], found.tile_width = tile.sizes[1];
                } else if (of.text.starts_with('#')) {
                    const Value memory =
                        of.kind == Value::Kind::kWord ? mlir::parse_value(resolved(of.text)) : of;
                    if (const Value* name = memory.at(0))
                        found.memory = name->text == "system" ? "system_memory" : name->text;
                } else if (!of.text.empty()) {
                    auto sizes = mlir::dimensions(of.text);
                    found.shard = std::move(sizes.sizes);
                    found.element = sizes.rest;
                }
            }
        } else if (layout->text == kOldLayout && part.kind == Value::Kind::kWord && part.text != "undef") {
            found.arrangement = part.text;
        } else if (part.kind == Value::Kind::kFields && part.text.empty() && !part.items.empty()) {
            const Value& word = part.items[0].value;  // behind a grid may be where it is on the chip
            if (word.text == "interleaved" || word.text.ends_with("_sharded"))
                found.arrangement = word.text;
            else if (const auto grid = mlir::dimensions(word.text); !grid.sizes.empty() && grid.rest.empty())
                found.grid = grid.sizes;
        }
    }
    return found;
}

TensorType ProgramReader::read_type(std::string_view text) const {
    text = resolved(text);
    TensorType found;
    const Value type = mlir::parse_value(text);
    if (type.text != "tensor" || type.items.empty()) {
        found.is_tensor = false;
        found.element = text;
        return found;
    }
    const Value& shape = type.items[0].value;
    auto dimensions = mlir::dimensions(shape.text);
    found.shape = std::move(dimensions.sizes);
    found.element = dimensions.rest;
    if (type.items.size() > 1) {
        found.layout = read_layout(type.items[1].value);
        if (found.layout && !found.layout->element.empty()) found.element = found.layout->element;
        found.is_tensor = type.items[1].value.text != "#ttnn.trace_id";  // a number of a trace
    }
    return found;
}

std::uint32_t ProgramReader::type_of(std::string_view text) {
    const auto [at, is_new] = types_.try_emplace(text, static_cast<std::uint32_t>(program_.types.size()));
    if (is_new) program_.types.push_back(read_type(text));
    return at->second;
}

std::uint32_t ProgramReader::place_of(std::string_view location) {
    if (location.empty()) return 0;
    const auto [at, is_new] =
        places_.try_emplace(location, static_cast<std::uint32_t>(program_.places.size()));
    if (is_new) program_.places.push_back(locations_.place(location));
    return at->second;
}

ValueId ProgramReader::new_value(ProgramFunction& into, std::string_view name, std::string_view type) {
    const auto id = static_cast<ValueId>(into.values.size());
    into.values.push_back({type_of(type), {}});
    names_[std::string(name)] = id;
    return id;
}

ValueId ProgramReader::value(std::string_view name, const mlir::Operation& user) const {
    const auto found = names_.find(std::string(name));
    if (found == names_.end())
        throw SyntaxError(user.byte, "a value that is defined before it is used",
                          "'" + std::string(name) + "'");
    return found->second;
}

void ProgramReader::read_operation(const mlir::Operation& operation, ProgramFunction& into) {
    ProgramOperation found;
    found.name = operation.name;
    found.callee = operation.symbol;
    found.is_understood = operation.is_understood;
    found.attributes =
        written_out(operation.properties.empty() ? operation.attributes : operation.properties);
    found.line = line(operation.byte);
    found.place = place_of(operation.location);
    for (const std::string_view name : operation.operands)
        if (operation.is_understood || names_.contains(std::string(name)))
            found.operands.push_back(value(name, operation));
    if (operation.name == "func.return") {
        into.results = found.operands;
        return;
    }
    std::size_t result = 0;
    for (const mlir::Results& each : operation.results)
        for (unsigned i = 0; i < each.count; ++i, ++result) {
            const std::string name =
                each.count == 1 ? std::string(each.name) : std::string(each.name) + '#' + std::to_string(i);
            const std::string_view type = result < operation.result_types.size()
                                              ? operation.result_types[result]
                                              : std::string_view("none");
            found.results.push_back(new_value(into, name, type));
            // The first of several is also what the name alone means.
            if (each.count > 1 && i == 0) names_[std::string(each.name)] = found.results.back();
        }
    if (operation.is_understood && result != operation.result_types.size())
        throw SyntaxError(operation.byte,
                          std::to_string(operation.result_types.size()) + " results, as the type has",
                          std::to_string(result));
    if (!found.attributes.empty() && found.attributes.find("operandSegmentSizes") != std::string_view::npos) {
        const Value attributes = mlir::parse_value(found.attributes);
        if (const Value* sizes = inner(attributes).find("operandSegmentSizes"))
            for (const std::int64_t size : integers(*sizes))
                found.segments.push_back(static_cast<std::uint32_t>(size));
    }
    into.operations.push_back(std::move(found));
}

void ProgramReader::read_function(const mlir::Operation& operation) {
    ProgramFunction found;
    found.name = operation.symbol;
    found.is_private = operation.is_private;
    names_.clear();
    const Value attributes = operation.attributes.empty() ? Value() : mlir::parse_value(operation.attributes);
    const Value properties = operation.properties.empty() ? Value() : mlir::parse_value(operation.properties);
    for (const Value* each : {&inner(attributes), &inner(properties)}) {
        if (const Value* kind = each->find("tt.function_type")) found.kind = kind->text;
        if (const Value* name = each->find("sym_name")) found.name = name->text;
        if (const Value* visibility = each->find("sym_visibility"))
            found.is_private = visibility->text == "private";
    }
    std::vector<std::string_view> own_attributes;
    if (!operation.regions.empty()) {
        // The generic form keeps what arguments are in a list beside the function.
        const Value* listed = inner(properties).find("arg_attrs");
        std::size_t index = 0;
        for (const mlir::Argument& argument : operation.regions.front().arguments) {
            const ValueId id = new_value(found, argument.name, argument.type);
            found.arguments.push_back(id);
            const std::uint32_t place = place_of(argument.location);
            found.values[id].name = program_.places[place].name;
            Value own;
            const Value* of =
                listed == nullptr || index >= listed->items.size() ? nullptr : &listed->items[index].value;
            if (!argument.attributes.empty()) {
                own = mlir::parse_value(argument.attributes);
                of = &own;
            }
            const Value* kind = of == nullptr ? nullptr : of->find("ttcore.argument_type");
            found.argument_kinds.emplace_back(kind == nullptr || kind->at(0) == nullptr ? std::string_view()
                                                                                        : kind->at(0)->text);
            if (const Value* name = of == nullptr ? nullptr : of->find("ttir.name"))
                found.values[id].name = name->text;
            ++index;
        }
        for (const mlir::Operation& each : operation.regions.front().operations)
            read_operation(each, found);
    }
    program_.functions.push_back(std::move(found));
}

void ProgramReader::read_system(std::string_view text) {
    if (text.find("system_desc") == std::string_view::npos && text.find("meshes") == std::string_view::npos)
        return;
    const Value attributes = mlir::parse_value(text);
    for (const Item& item : inner(attributes).items) {
        if (item.key == "ttcore.meshes" || item.key == "tt.meshes") {
            const auto find_shape = [&](const auto& self, const Value& value) -> void {
                for (const Item& each : value.items) {
                    if (const auto sizes = mlir::dimensions(each.value.text);
                        !each.key.empty() && sizes.rest.empty() && !sizes.sizes.empty())
                        program_.system.mesh_shape = sizes.sizes;
                    self(self, each.value);
                }
            };
            find_shape(find_shape, item.value);
        }
        if (item.key != "ttcore.system_desc" && item.key != "tt.system_desc") continue;
        const Value description =
            item.value.kind == Value::Kind::kWord ? mlir::parse_value(resolved(item.value.text)) : item.value;
        // Hosts, then the kinds of chips, then which chip is of which kind.
        const auto find_chip = [&](const auto& self, const Value& value) -> void {
            if (const Value* architecture = value.find("arch");
                architecture != nullptr && program_.system.architecture.empty()) {
                TargetSystem& system = program_.system;
                system.architecture =
                    architecture->at(0) == nullptr ? architecture->text : architecture->at(0)->text;
                const auto grid = sizes_of(value.find("grid"));
                if (grid.size() == 2) system.grid_rows = grid[0], system.grid_columns = grid[1];
                system.l1_size = integer_or(value.find("l1_size"), 0);
                system.l1_base = integer_or(value.find("l1_unreserved_base"), 0);
                system.dram_channels = integer_or(value.find("num_dram_channels"), 0);
                system.dram_channel_size = integer_or(value.find("dram_channel_size"), 0);
            }
            for (const Item& each : value.items)
                self(self, each.value);
        };
        // Behind the list of kinds; before that of hosts came, it was the first.
        for (std::size_t i = 0; i < description.items.size() && program_.system.architecture.empty(); ++i) {
            find_chip(find_chip, description.items[i].value);
            if (program_.system.architecture.empty() || i + 1 == description.items.size()) continue;
            if (const Value& which = description.items[i + 1].value; which.kind == Value::Kind::kList)
                program_.system.chip_count = std::max<std::size_t>(1, which.items.size());
        }
    }
}

void ProgramReader::read_block_of(const mlir::Operation& parent) {
    read_system(parent.attributes);
    read_system(parent.properties);
    if (parent.name == "builtin.module" && program_.name.empty()) program_.name = parent.symbol;
    for (const mlir::Block& block : parent.regions)
        for (const mlir::Operation& operation : block.operations)
            if (operation.name == "func.func")
                read_function(operation);
            else
                read_block_of(operation);
}

bool has_ttnn(const mlir::Operation& operation) {
    if (operation.name.starts_with("ttnn.")) return true;
    return std::ranges::any_of(operation.regions, [](const mlir::Block& block) {
        return std::ranges::any_of(block.operations, has_ttnn);
    });
}

}  // namespace

mlir::Value ProgramOperation::read_attributes() const {
    if (attributes.empty()) return {};
    const mlir::Value whole = mlir::parse_value(attributes);
    return inner(whole);
}

const ProgramFunction* CompiledProgram::find(std::string_view function) const {
    const auto found = std::ranges::find(functions, function, &ProgramFunction::name);
    return found == functions.end() ? nullptr : &*found;
}

std::vector<ValueId> CompiledProgram::tensors_among(const ProgramFunction& function,
                                                    const std::vector<ValueId>& values) const {
    std::vector<ValueId> tensors;
    std::ranges::copy_if(values, std::back_inserter(tensors), [&](ValueId value) {
        return value != kNoValue && type_of(function, value).is_tensor;
    });
    return tensors;
}

report::Result<CompiledProgram> read_mlir_program(const std::string& file,
                                                  std::shared_ptr<const std::string> text) {
    try {
        const std::vector<mlir::Module> modules = mlir::modules_of(*text);
        const auto last = std::find_if(modules.rbegin(), modules.rend(),
                                       [](const mlir::Module& each) { return has_ttnn(each.operation); });
        if (last == modules.rend())
            return report::Error{.file = file,
                                 .position = {},
                                 .expected = "a module with operations of the TTNN dialect",
                                 .found = modules.empty()
                                              ? "no module"
                                              : std::to_string(modules.size()) + " modules without one"};
        CompiledProgram program;
        program.text = text;
        program.stage_count = modules.size();
        ProgramReader(*last, *text, program).read();
        return program;
    } catch (const SyntaxError& error) {
        return report::Error{.file = file,
                             .position = "line " + std::to_string(mlir::line_of(*text, error.byte)),
                             .expected = error.expected,
                             .found = error.found};
    }
}

}  // namespace tilemeter::foreign
