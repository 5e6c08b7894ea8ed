// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/binary_program.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/foreign/flat_table.hpp"
#include "report/foreign/mlir_program.hpp"

namespace tilemeter::foreign {
namespace {

using flat::Bytes;
using flat::Table;
using flat::Vector;

constexpr std::string_view kContainer = "TTSERv00";
constexpr std::string_view kFlatbuffer = "TTNN";

// Where a flatbuffer's identifier stands: behind the root's offset, and in front of that its size where it has one.
constexpr std::size_t kIdentifier = 4, kIdentifierBehindSize = 8;

bool is_at(std::string_view bytes, std::size_t place, std::string_view text) {
    return bytes.size() >= place && bytes.substr(place).starts_with(text);
}

bool has_operations(std::string_view text) {
    return text.find("ttnn.") != std::string_view::npos;
}

// The tables of tt-mlir's schemas (include/ttmlir/Target): places of the fields that are read here.
namespace binary {
constexpr std::size_t kSystem = 3, kModule = 4, kPrograms = 5;
}
namespace module_text {
constexpr std::size_t kSource = 1;
}
namespace system_fields {
constexpr std::size_t kChips = 1, kIndices = 2;
}
namespace chip {
constexpr std::size_t kArchitecture = 0, kGrid = 1, kL1Size = 3, kDramChannels = 4, kDramChannelSize = 5,
                      kL1Base = 9;
}
namespace program_fields {
constexpr std::size_t kName = 0, kInputs = 1, kOutputs = 2, kOperations = 3, kDebug = 5, kIsPrivate = 6,
                      kMesh = 7;
}
namespace debug {
constexpr std::size_t kStages = 1;
}
namespace operation_fields {
constexpr std::size_t kKind = 0, kFields = 1, kText = 2;
}
namespace tensor_fields {
constexpr std::size_t kNumber = 0, kDescription = 1;
}
namespace description {
constexpr std::size_t kShape = 0, kLayout = 2, kMemory = 1;
}
namespace memory {
constexpr std::size_t kTile = 1, kElement = 2, kConfig = 3;
}
namespace config {
constexpr std::size_t kArrangement = 0, kBuffer = 1, kShards = 2;
}
namespace shards {
constexpr std::size_t kCores = 0, kShape = 1;
}

std::string joined(const std::vector<std::int64_t>& sizes) {
    std::string text;
    for (const std::int64_t size : sizes)
        text += std::to_string(size) + 'x';
    return text;
}

std::vector<std::int64_t> integers(const Vector& list) {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < list.size(); ++i)
        numbers.push_back(list.value<std::int32_t>(4 * i));
    return numbers;
}

// Of whatever a file says: what is too large wraps around.
std::int64_t product(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::int64_t parts(std::int64_t size, std::int64_t of) {
    return of <= 0 ? size : size / of + (size % of > 0 ? 1 : 0);
}

// A tensor's type in the dialect's words.
std::string type_text(const Table& tensor) {
    static constexpr std::array kElements = {"f32",    "f16",     "bf16",   "bfp_f8",  "bfp_bf8",
                                             "bfp_f4", "bfp_bf4", "bfp_f2", "bfp_bf2", "ui32",
                                             "ui16",   "ui8",     "si32"};
    static constexpr std::array kBuffers = {"dram", "l1", "system_memory", "l1_small", "trace"};
    static constexpr std::array kArrangements = {"interleaved", "height_sharded", "width_sharded",
                                                 "block_sharded"};
    const auto described = tensor.table(tensor_fields::kDescription);
    if (!described) return "none";
    const std::vector<std::int64_t> shape = integers(described->vector(description::kShape));
    const auto layout = described->table(description::kLayout);
    const auto placed = layout ? layout->table(description::kMemory) : std::nullopt;
    const std::string element = [&] {
        const auto number = placed ? placed->value<std::uint16_t>(memory::kElement) : std::uint16_t{0};
        return number < kElements.size() ? std::string(kElements.at(number))
                                         : "element" + std::to_string(number);
    }();
    std::string text = "tensor<" + joined(shape) + element;
    const auto how = placed ? placed->table(memory::kConfig) : std::nullopt;
    if (placed) {
        const auto tile = placed->pair(memory::kTile);
        const bool is_tiled = tile && tile->first > 1;
        std::vector<std::int64_t> shard = {1, 1};
        if (!shape.empty()) shard[1] = shape.back();
        for (std::size_t i = 0; i + 1 < shape.size(); ++i)
            shard[0] = product(shard[0], shape[i]);
        std::string cores;
        const auto arrangement = how ? how->value<std::uint16_t>(config::kArrangement) : std::uint16_t{0};
        if (const auto spec = how ? how->table(config::kShards) : std::nullopt) {
            if (auto sizes = integers(spec->vector(shards::kShape)); sizes.size() == 2)
                shard = std::move(sizes);
            if (const auto set = spec->table(shards::kCores)) {
                const Vector ranges = set->vector(0, 32);
                for (std::size_t i = 0; i < ranges.size(); ++i) {
                    cores += cores.empty() ? "" : ", ";
                    cores += "#ttnn.core_range<";
                    for (std::size_t corner = 0; corner < 2; ++corner)
                        cores += (corner == 0 ? "(" : ", (") +
                                 std::to_string(ranges.value<std::uint64_t>(32 * i + 16 * corner)) + "," +
                                 std::to_string(ranges.value<std::uint64_t>(32 * i + 16 * corner + 8)) + ")";
                    cores += ">";
                }
            }
        }
        const auto buffer = how ? how->value<std::uint16_t>(config::kBuffer) : std::uint16_t{2};
        std::string held = element;
        if (is_tiled) {
            shard = {parts(shard[0], tile->first), parts(shard[1], tile->second)};
            held = "!ttcore.tile<" + std::to_string(tile->first) + "x" + std::to_string(tile->second) + ", " +
                   element + ">";
        }
        text += ", #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<" + joined(shard) + held +
                ", #ttnn.buffer_type<" + (buffer < kBuffers.size() ? kBuffers.at(buffer) : "unknown") + ">>";
        if (how) {
            text += std::string(", <") +
                    (arrangement < kArrangements.size() ? kArrangements.at(arrangement) : "unknown") + ">";
            if (!cores.empty()) text += ", core_ranges = <[" + cores + "]>";
        }
        text += ">";
    }
    return text + ">";
}

std::string system_text(const Table& root) {
    static constexpr std::array kArchitectures = {"wormhole_b0", "blackhole", "quasar"};
    const auto system = root.table(binary::kSystem);
    const Vector chips = system ? system->vector(system_fields::kChips) : Vector();
    if (chips.size() == 0) return {};
    const Table one = chips.table(0);
    const auto architecture = one.value<std::uint32_t>(chip::kArchitecture);
    const auto grid = one.pair(chip::kGrid);
    std::string text = "ttcore.system_desc = #ttcore.system_desc<[{role = host}], [{arch = <";
    text += architecture < kArchitectures.size() ? kArchitectures.at(architecture) : "unknown";
    text += ">";
    if (grid) text += ", grid = " + std::to_string(grid->first) + "x" + std::to_string(grid->second);
    text += ", l1_size = " + std::to_string(one.value<std::uint64_t>(chip::kL1Size)) +
            ", num_dram_channels = " + std::to_string(one.value<std::uint32_t>(chip::kDramChannels)) +
            ", dram_channel_size = " + std::to_string(one.value<std::uint64_t>(chip::kDramChannelSize)) +
            ", l1_unreserved_base = " + std::to_string(one.value<std::uint32_t>(chip::kL1Base)) + "}], [";
    const std::size_t count = std::max<std::size_t>(system->vector(system_fields::kIndices).size(), 1);
    for (std::size_t i = 0; i < count; ++i)
        text += i == 0 ? "0" : ", 0";
    return text + "]>";
}

// The first value that an operation's text names: what it gives, or what it frees.
std::string_view first_value(std::string_view text) {
    const std::size_t begin = text.find('%');
    if (begin == std::string_view::npos) return {};
    const std::size_t end = text.find_first_of(" ,):#=", begin);
    return text.substr(begin, end - begin);
}

// ---- Operations without a text.
//
// What kinds of operations there are, and their numbers, changes with each that is added: sixty times in a year. What does not is
// how a tensor is told of: by its number, shape and layout. So an operation takes the tensors in its fields that are there already,
// and gives those that are not.

struct TensorUse {
    std::uint32_t number = 0;
    std::string type;
};

// REQUIRES: `found` may be any table.
std::optional<TensorUse> tensor_in(const std::optional<Table>& found) {
    const auto described = found ? found->table(tensor_fields::kDescription) : std::nullopt;
    const auto layout = described ? described->table(description::kLayout) : std::nullopt;
    if (!layout || !layout->table(description::kMemory)) return std::nullopt;
    for (const std::int64_t size : integers(described->vector(description::kShape)))
        if (size < 0) return std::nullopt;
    return TensorUse{found->value<std::uint32_t>(tensor_fields::kNumber), type_text(*found)};
}

// A number may look like the place of a table, and is none: whatever cannot be read is no tensor.
template <typename Read>
void if_it_can_be_read(const Read& read) {
    try {
        read();
    } catch (const FormatError&) {
    }
}

// Those of one operation, each once.
std::vector<TensorUse> tensors_in(const Table& operation) {
    constexpr std::size_t kMostFields = 64, kMostTensors = 1024;
    std::vector<TensorUse> found;
    const auto fields = operation.table(operation_fields::kFields);
    if (!fields) return found;
    const auto add = [&found](std::optional<TensorUse> tensor) {
        if (tensor && std::ranges::find(found, tensor->number, &TensorUse::number) == found.end())
            found.push_back(*std::move(tensor));
        return found.size() < kMostTensors;
    };
    for (std::size_t i = 0; i < std::min(fields->field_count(), kMostFields); ++i) {
        if_it_can_be_read([&] { add(tensor_in(fields->table(i))); });
        if_it_can_be_read([&] {
            const Vector list = fields->vector(i);
            for (std::size_t k = 0; k < std::min(list.size(), kMostTensors); ++k)
                if (auto tensor = tensor_in(list.table(k)); !tensor || !add(std::move(tensor))) break;
        });
    }
    return found;
}

// The operations of a function, of their tensors alone. What takes the last use of one tensor and gives nothing is its free.
class OperationsOfTables {
public:
    explicit OperationsOfTables(const Table& program) : inputs_(program.vector(program_fields::kInputs)) {
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            names_.try_emplace(inputs_.table(i).value<std::uint32_t>(tensor_fields::kNumber),
                               "%arg" + std::to_string(i));
        const Vector operations = program.vector(program_fields::kOperations);
        for (std::size_t i = 0; i < operations.size(); ++i)
            for (const TensorUse& tensor : tensors_in(operations.table(i)))
                last_use_[tensor.number] = i;
        const Vector outputs = program.vector(program_fields::kOutputs);
        for (std::size_t i = 0; i < outputs.size(); ++i)
            last_use_[outputs.table(i).value<std::uint32_t>(tensor_fields::kNumber)] = operations.size();
    }

    /// REQUIRES: called for one operation after the other.
    std::string text(const Table& operation, std::size_t index) {
        std::vector<TensorUse> taken, given;
        for (TensorUse& tensor : tensors_in(operation))
            (names_.contains(tensor.number) ? taken : given).push_back(std::move(tensor));
        std::string name =
            "ttnn.operation_" + std::to_string(operation.value<std::uint8_t>(operation_fields::kKind));
        if (given.empty() && taken.size() == 1 && last_use_.at(taken[0].number) == index)
            name = "ttnn.deallocate";
        const std::string result = "%r" + std::to_string(index);
        std::string operands, operand_types, result_types;
        for (const TensorUse& tensor : taken) {
            operands += (operands.empty() ? "" : ", ") + names_.at(tensor.number);
            operand_types += (operand_types.empty() ? "" : ", ") + tensor.type;
        }
        for (std::size_t i = 0; i < given.size(); ++i) {
            names_[given[i].number] = given.size() == 1 ? result : result + "#" + std::to_string(i);
            result_types += (i == 0 ? "" : ", ") + given[i].type;
        }
        std::string gives;
        if (!given.empty())
            gives = result + (given.size() == 1 ? "" : ":" + std::to_string(given.size())) + " = ";
        return gives + '"' + name + "\"(" + operands + ") : (" + operand_types + ") -> (" + result_types +
               ")";
    }

    /// Those that are made, in their order.
    std::vector<std::string> results(const Table& program) const {
        std::vector<std::string> found;
        const Vector outputs = program.vector(program_fields::kOutputs);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const auto name = names_.find(outputs.table(i).value<std::uint32_t>(tensor_fields::kNumber));
            if (name != names_.end()) found.push_back(name->second);
        }
        return found;
    }

private:
    Vector inputs_;
    std::map<std::uint32_t, std::string> names_;
    std::map<std::uint32_t, std::size_t> last_use_;
};

// As the dialect prints it, in either form.
bool is_operation(std::string_view text) {
    return text.find('(') != std::string_view::npos;
}

bool has_texts(const Vector& operations) {
    for (std::size_t i = 0; i < operations.size(); ++i)
        if (!is_operation(operations.table(i).text(operation_fields::kText))) return false;
    return true;
}

// Tables may be named many times: the text of a sound file is longer than the file by no more than that.
constexpr std::size_t kLongest = 64;

// A module of the texts of operations, for files that were written without the module's own.
std::string module_of(const Bytes& bytes, const Table& root) {
    std::string body, mesh;
    const auto check_length = [&] {
        if (body.size() / kLongest > bytes.size() + (std::size_t{1} << 14))
            bytes.fail(0, "tables that are named once each");
    };
    const Vector programs = root.vector(binary::kPrograms);
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const Table program = programs.table(i);
        check_length();
        if (const auto shape = program.pair(program_fields::kMesh); shape && shape->first > 0)
            mesh = std::to_string(shape->first) + "x" + std::to_string(shape->second);
        body += "func.func ";
        if (program.value<std::uint8_t>(program_fields::kIsPrivate) != 0) body += "private ";
        body += "@" + std::string(program.text(program_fields::kName)) + "(";
        const Vector inputs = program.vector(program_fields::kInputs);
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            body += (k == 0 ? "%arg" : ", %arg") + std::to_string(k) + ": " + type_text(inputs.table(k));
            check_length();
        }
        body += ") {\n";
        const Vector operations = program.vector(program_fields::kOperations);
        std::vector<std::string> results;
        if (has_texts(operations)) {
            std::vector<std::string_view> made;
            for (std::size_t k = 0; k < operations.size(); ++k) {
                check_length();
                const std::string_view text = operations.table(k).text(operation_fields::kText);
                body += std::string(text) + "\n";
                const std::string_view value = first_value(text);
                if (text.starts_with("\"ttnn.deallocate\""))
                    std::erase(made, value);
                else if (text.starts_with('%') && text.find("load_cached") == std::string_view::npos &&
                         text.find("get_device") == std::string_view::npos)
                    made.push_back(value);
            }
            // What is made and not freed is what the function gives: as many as it says, the last ones.
            const std::size_t count = std::min(program.vector(program_fields::kOutputs).size(), made.size());
            results.assign(made.end() - static_cast<std::ptrdiff_t>(count), made.end());
        } else {
            OperationsOfTables of_tables(program);
            for (std::size_t k = 0; k < operations.size(); ++k) {
                check_length();
                body += of_tables.text(operations.table(k), k) + "\n";
            }
            results = of_tables.results(program);
        }
        body += "return";
        for (std::size_t k = 0; k < results.size(); ++k)
            body += (k == 0 ? " " : ", ") + results[k];
        body += "\n}\n";
    }
    std::string attributes = system_text(root);
    if (!mesh.empty())
        attributes += (attributes.empty() ? "" : ", ") +
                      ("ttcore.meshes = #ttcore.meshes<[<\"mesh\" = " + mesh + ">]>");
    return "module attributes {" + attributes + "} {\n" + body + "}\n";
}

// The text of the module that a flatbuffer was made of.
std::string text_of(const Bytes& bytes) {
    const Table root = bytes.root();
    if (const auto whole = root.table(binary::kModule))
        if (const std::string_view text = whole->text(module_text::kSource); has_operations(text))
            return std::string(text);
    const Vector programs = root.vector(binary::kPrograms);
    if (programs.size() > 0)
        if (const auto kept = programs.table(0).table(program_fields::kDebug)) {
            const Vector stages = kept->vector(debug::kStages);
            for (std::size_t i = stages.size(); i-- > 0;)
                if (const std::string_view text = stages.table(i).text(module_text::kSource);
                    has_operations(text))
                    return std::string(text);
        }
    return module_of(bytes, root);
}

Bytes flatbuffer_in(std::string_view bytes, std::size_t offset) {
    if (is_at(bytes, kIdentifier, kFlatbuffer)) return Bytes(bytes, offset);
    const auto size = Bytes(bytes, offset).at<std::uint32_t>(0, "the size of a flatbuffer");
    if (size > bytes.size() - 4)
        throw FormatError{byte_position(offset), "a flatbuffer of " + std::to_string(size) + " bytes",
                          std::to_string(bytes.size() - 4)};
    return Bytes(bytes.substr(4, size), offset + 4);
}

// Three sections, each an offset behind the header and a size: modules of earlier stages, the last module, the flatbuffer.
std::string text_in_container(std::string_view bytes, std::size_t begin) {
    constexpr std::size_t kSections = 3, kHeader = 8 + kSections * 16;
    const Bytes whole(bytes.substr(begin), begin);
    std::string text;
    std::optional<std::string> of_flatbuffer;
    for (std::size_t i = 0; i < kSections; ++i) {
        const auto offset = whole.at<std::uint64_t>(8 + 16 * i, "the header of the container");
        const auto size = whole.at<std::uint64_t>(16 + 16 * i, "the header of the container");
        if (offset > whole.size() || size > whole.size())
            throw FormatError{byte_position(begin + 8 + 16 * i),
                              "a section within the file's " + std::to_string(bytes.size()) + " bytes",
                              "one of " + std::to_string(size) + " bytes at " + std::to_string(offset)};
        const std::string_view section =
            whole.text(kHeader + offset, size, "a section of the size that the header says");
        if (is_at(section, kIdentifier, kFlatbuffer) || is_at(section, kIdentifierBehindSize, kFlatbuffer)) {
            if (text.empty()) of_flatbuffer = text_of(flatbuffer_in(section, begin + kHeader + offset));
        } else if (has_operations(section)) {
            text = section;
        }
    }
    if (!text.empty()) return text;
    if (of_flatbuffer) return *of_flatbuffer;
    throw FormatError{byte_position(begin), "a container with a module of the TTNN dialect", "none"};
}

}  // namespace

bool is_binary_program(std::string_view head) {
    return is_at(head, kIdentifier, kFlatbuffer) || is_at(head, kIdentifierBehindSize, kFlatbuffer) ||
           head.find(kContainer) != std::string_view::npos;
}

report::Result<CompiledProgram> read_binary_program(const std::string& file, std::string_view bytes) {
    try {
        const std::size_t container = bytes.find(kContainer);
        const bool is_flatbuffer =
            is_at(bytes, kIdentifier, kFlatbuffer) || is_at(bytes, kIdentifierBehindSize, kFlatbuffer);
        std::string text = is_flatbuffer || container == std::string_view::npos
                               ? text_of(flatbuffer_in(bytes, 0))
                               : text_in_container(bytes, container);
        return read_mlir_program(file, std::make_shared<const std::string>(std::move(text)));
    } catch (const FormatError& error) {
        return error.in(file);
    }
}

}  // namespace tilemeter::foreign
