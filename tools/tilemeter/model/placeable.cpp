// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/model/placeable.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <typeindex>
#include <utility>
#include <variant>
#include <vector>

#include "capture/ir/attributes.hpp"
#include "runtime/operation_list.hpp"
#include "runtime/operations/argument_types.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/types/runtime_error.hpp"
#include "tools/compat/src/call.hpp"
#include "tools/compiled/call.hpp"
#include "tools/compiled/values.hpp"

namespace tilemeter::cli {
namespace {

using query::PlaceableCall;
using query::PlaceableProgram;

/// Which of a call's operands an argument is.
struct Operand {
    std::size_t index = 0;
};
struct OperandList {
    std::vector<std::size_t> indices;
};
struct TheDevice {};

struct NamedArgument {
    std::string name;
    std::variant<compat::Argument, Operand, OperandList, TheDevice> value;
};

/// A call by the names of its parameters, over operands by their numbers.
struct NamedCall {
    std::string function;
    std::vector<NamedArgument> arguments;
    std::shared_ptr<Device> device{};

    std::vector<Tensor> operator()(std::span<const Tensor> operands, const MemoryConfig* put) const {
        std::vector<compat::Named> named;
        bool is_put = put == nullptr;
        for (const NamedArgument& each : arguments) {
            compat::Named& argument = named.emplace_back(compat::Named{each.name, {}});
            if (put != nullptr && each.name == "memory_config") {
                argument.argument = *put;
                is_put = true;
            } else if (const auto* value = std::get_if<compat::Argument>(&each.value)) {
                argument.argument = *value;
            } else if (const auto* one = std::get_if<Operand>(&each.value)) {
                argument.argument = operands[one->index];
            } else if (const auto* several = std::get_if<OperandList>(&each.value)) {
                std::vector<Tensor> tensors;
                for (const std::size_t index : several->indices)
                    tensors.push_back(operands[index]);
                argument.argument = std::move(tensors);
            } else {
                argument.argument = device;
            }
        }
        if (!is_put) named.push_back({"memory_config", *put});
        const compat::Result result = compat::call_unwrapped(function, named);
        std::vector<Tensor> tensors;
        for (const OptionalTensor& each : result.tensors)
            if (each) tensors.push_back(*each);
        return tensors;
    }
};

// ---- graphs of TT-NN's calls

constexpr std::string_view kPrefix = "ttnn.";

template <typename T>
inline constexpr bool kHasTensor = std::is_same_v<T, Tensor>;
template <typename T>
inline constexpr bool kHasTensor<std::optional<T>> = kHasTensor<T>;
template <typename T>
inline constexpr bool kHasTensor<std::vector<T>> = kHasTensor<T>;
template <typename... Ts>
inline constexpr bool kHasTensor<std::variant<Ts...>> = (kHasTensor<Ts> || ...);
template <typename T>
inline constexpr bool kIsTensorList = false;
template <typename T>
inline constexpr bool kIsTensorList<std::vector<T>> = kHasTensor<T>;
template <typename T>
inline constexpr bool kIsTensorList<std::optional<T>> = kIsTensorList<T>;

enum class Holds : std::uint8_t { kNone, kOne, kList };

Holds holds(const ListedParameter& parameter) {
    static const auto kTypes = made_by_type(ArgumentTypes(), []<typename T>(std::type_identity<T> /*type*/) {
        if (kIsTensorList<T>) return Holds::kList;
        return kHasTensor<T> ? Holds::kOne : Holds::kNone;
    });
    return kTypes.at(*parameter.type);
}

bool is_activation(const ListedParameter& parameter) {
    return *parameter.type == typeid(UnaryWithParam) ||
           *parameter.type == typeid(std::optional<UnaryWithParam>);
}

std::optional<MemoryConfig> interleaved_in(std::string_view text) {
    for (const MemoryConfig& each : {DRAM_MEMORY_CONFIG, L1_MEMORY_CONFIG, L1_SMALL_MEMORY_CONFIG})
        if (text == tilemeter::name_of(each.buffer_type) || text == each.to_string()) return each;
    return std::nullopt;
}

template <typename Enum, std::size_t Count>
std::optional<Enum> named(std::string_view text, std::string_view prefix, const Enum (&values)[Count]) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    for (const Enum each : values)
        if (text == name_of(each)) return each;
    return std::nullopt;
}

constexpr DataType kDataTypes[] = {DataType::BFLOAT16,  DataType::FLOAT32,  DataType::UINT32,
                                   DataType::INT32,     DataType::UINT16,   DataType::UINT8,
                                   DataType::BFLOAT8_B, DataType::BFLOAT4_B};
constexpr Layout kLayouts[] = {Layout::TILE, Layout::ROW_MAJOR};

compat::Argument argument_of(const std::string& operation, const ir::Attributes::Entry& attribute,
                             const ListedParameter& parameter) {
    const auto refuse = [&](const std::string& found) -> RuntimeError {
        return RuntimeError(operation + ": " + attribute.name +
                            ": expected an argument that a graph says whole, found " + found);
    };
    const auto of_text = [&](const std::string& text) -> compat::Argument {
        const std::type_info& type = *parameter.type;
        if (text == "given") throw refuse("the mention of one");
        if (type == typeid(MemoryConfig) || type == typeid(OptionalMemoryConfig)) {
            if (const auto config = interleaved_in(text)) return *config;
            throw refuse("shards");
        }
        if (type == typeid(DataType) || type == typeid(OptionalDataType)) {
            if (const auto dtype = named(text, "DataType::", kDataTypes)) return *dtype;
            throw refuse(text);
        }
        if (type == typeid(Layout) || type == typeid(std::optional<Layout>)) {
            if (const auto layout = named(text, "Layout::", kLayouts)) return *layout;
            throw refuse(text);
        }
        if (is_activation(parameter)) return string_to_unary_with_param(text);
        if (type == typeid(std::string) || type == typeid(std::optional<std::string>)) return text;
        throw refuse(text.substr(0, 60));
    };
    return std::visit(
        [&](const auto& value) -> compat::Argument {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::string>) {
                return of_text(value);
            } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::int64_t> ||
                                 std::is_same_v<T, double> || std::is_same_v<T, ir::Integers> ||
                                 std::is_same_v<T, ir::Floats>) {
                return value;
            } else if constexpr (std::is_same_v<T, ir::Strings>) {
                std::vector<UnaryWithParam> functions;
                if (*parameter.type != typeid(std::vector<UnaryWithParam>) &&
                    *parameter.type != typeid(std::optional<std::vector<UnaryWithParam>>))
                    throw refuse("texts");
                for (const std::string& each : value)
                    functions.push_back(string_to_unary_with_param(each));
                return functions;
            } else {
                throw refuse("a list");
            }
        },
        attribute.value);
}

const ListedParameter* find_parameter(const ListedOperation& operation, std::string_view name) {
    const auto found = std::ranges::find_if(
        operation.parameters, [name](const ListedParameter& each) { return name == each.name; });
    return found == operation.parameters.end() ? nullptr : &*found;
}

/// The overload that has all attributes among its parameters, and room for so many tensors.
const ListedOperation* find_listed(std::string_view name, const ir::Equation& equation) {
    const auto fits = [&](const ListedOperation& operation) {
        std::size_t room = 0;
        for (const ListedParameter& each : operation.parameters) {
            if (holds(each) == Holds::kList) room += equation.operands().size();
            if (holds(each) == Holds::kOne && equation.attributes().find(each.name) == nullptr) ++room;
        }
        return room >= equation.operands().size() &&
               std::ranges::all_of(equation.attributes().entries(), [&](const auto& each) {
                   return each.name == "operands" || each.name == "pass" || each.name == "captured" ||
                          each.name == "fused_activation" || find_parameter(operation, each.name) != nullptr;
               });
    };
    for (const ListedOperation& each : all_operations())
        if (each.name == name && fits(each)) return &each;
    return nullptr;
}

/// The parameter of each operand: in their order, or as "operands" says.
std::vector<const ListedParameter*> parameters_of(const ListedOperation& operation,
                                                  const ir::Equation& equation) {
    std::vector<const ListedParameter*> parameters;
    if (const ir::Attribute* names = equation.attributes().find("operands")) {
        for (const std::string& each : std::get<ir::Strings>(*names))
            parameters.push_back(find_parameter(operation, each));
    } else {
        for (const ListedParameter& each : operation.parameters) {
            const Holds what = holds(each);
            if (what == Holds::kNone || equation.attributes().find(each.name) != nullptr) continue;
            do {
                if (parameters.size() < equation.operands().size()) parameters.push_back(&each);
            } while (what == Holds::kList && parameters.size() < equation.operands().size());
        }
    }
    if (parameters.size() != equation.operands().size() ||
        std::ranges::find(parameters, nullptr) != parameters.end())
        throw RuntimeError(equation.operation() + ": expected operands for its parameters, found " +
                           std::to_string(equation.operands().size()));
    return parameters;
}

NamedCall call_of(const ListedOperation& operation, const ir::Equation& equation) {
    NamedCall call;
    call.function = operation.name;
    if (const std::size_t dot = call.function.find('.'); dot != std::string::npos)
        call.function.replace(dot, 1, "::");
    const auto parameters = parameters_of(operation, equation);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string_view name = parameters[i]->name;
        if (holds(*parameters[i]) == Holds::kOne) {
            call.arguments.push_back({std::string(name), Operand{i}});
        } else if (call.arguments.empty() || call.arguments.back().name != name) {
            call.arguments.push_back({std::string(name), OperandList{{i}}});
        } else {
            std::get<OperandList>(call.arguments.back().value).indices.push_back(i);
        }
    }
    for (const ir::Attributes::Entry& each : equation.attributes().entries())
        if (const ListedParameter* parameter = find_parameter(operation, each.name))
            call.arguments.push_back({each.name, argument_of(equation.operation(), each, *parameter)});
    return call;
}

TensorSpec spec_of(const ir::TensorType& type, const std::string& what) {
    if (!type.place) throw RuntimeError(what + ": expected a tensor on a device, found one on the host");
    TensorSpec spec;
    std::vector<std::uint32_t> sizes;
    for (const auto& each : type.shape)
        sizes.push_back(static_cast<std::uint32_t>(each));
    spec.shape = Shape(sizes);
    const auto layout = named(type.place->layout, "Layout::", kLayouts);
    const auto memory = interleaved_in(type.place->memory_config);
    if (!layout || !memory)
        throw RuntimeError(what + ": expected an interleaved tensor, found " + type.place->memory_config);
    spec.layout = *layout;
    spec.memory_config = *memory;
    static const std::map<ir::ElementType, DataType> kElements = {
        {ir::ElementType::kBF16, DataType::BFLOAT16},      {ir::ElementType::kF32, DataType::FLOAT32},
        {ir::ElementType::kU32, DataType::UINT32},         {ir::ElementType::kI32, DataType::INT32},
        {ir::ElementType::kU16, DataType::UINT16},         {ir::ElementType::kU8, DataType::UINT8},
        {ir::ElementType::kBfloat8B, DataType::BFLOAT8_B}, {ir::ElementType::kBfloat4B, DataType::BFLOAT4_B}};
    const auto element = kElements.find(type.element);
    if (element == kElements.end())
        throw RuntimeError(what + ": expected elements that a device has, found " + ir::text_of(type));
    spec.dtype = element->second;
    return spec;
}

std::string source_text(const ir::Location& location) {
    if (location.file.empty()) return {};
    const std::string file = location.file.substr(location.file.rfind('/') + 1);
    return location.line == 0 ? file : file + ":" + std::to_string(location.line);
}

// ---- compiled programs

class Flattened {
public:
    Flattened(const foreign::CompiledProgram& program, std::shared_ptr<Device> device,
              std::map<std::string, std::size_t>& unknown)
        : program_(program), device_(std::move(device)), unknown_(unknown) {}

    PlaceableProgram of(const foreign::ProgramFunction& function) {
        std::vector<std::size_t> arguments;
        for (const foreign::ValueId argument : function.arguments)
            arguments.push_back(add_input(function, argument));
        add_constants(function);
        next_ = made_.inputs.size();
        made_.results = run(function, arguments);
        return std::move(made_);
    }

private:
    std::size_t add_input(const foreign::ProgramFunction& function, foreign::ValueId value) {
        const foreign::TensorType& type = program_.type_of(function, value);
        if (!type.layout || !compiled::memory_of(type))
            throw RuntimeError("value " + function.values[value].name +
                               ": expected a tensor on the device, found one on the host");
        made_.inputs.push_back({compiled::spec_of(type)});
        return made_.inputs.size() - 1;
    }

    /// What is evaluated once lies there before.
    void add_constants(const foreign::ProgramFunction& function) {
        for (const foreign::ProgramOperation& each : function.operations) {
            if (each.callee.empty()) continue;
            if (each.name != "ttcore.load_cached") {
                if (const foreign::ProgramFunction* callee = program_.find(each.callee))
                    add_constants(*callee);
                continue;
            }
            std::vector<std::size_t>& kept = constants_[std::string(each.callee)];
            if (!kept.empty()) continue;
            for (const foreign::ValueId result : each.results)
                kept.push_back(add_input(function, result));
        }
    }

    std::vector<std::size_t> run(const foreign::ProgramFunction& function,
                                 const std::vector<std::size_t>& arguments) {
        std::map<foreign::ValueId, std::size_t> numbers;
        for (std::size_t i = 0; i < function.arguments.size(); ++i)
            numbers[function.arguments[i]] = arguments.at(i);
        const auto number_of = [&](foreign::ValueId value) {
            const auto found = numbers.find(value);
            if (found == numbers.end())
                throw RuntimeError("value " + function.values[value].name +
                                   ": expected one that is made before, found none");
            return found->second;
        };
        for (const foreign::ProgramOperation& operation : function.operations) {
            if (operation.name == "ttnn.deallocate" || operation.name == "ttnn.get_device") continue;
            if (is_on_host(function, operation.results)) {
                // What the host reads counts nothing.
                for (const foreign::ValueId result : operation.results)
                    if (operation.name == "ttnn.from_device")
                        numbers[result] = number_of(operation.operands[0]);
                continue;
            }
            std::vector<std::size_t> results;
            if (operation.name == "ttcore.load_cached") {
                results = constants_.at(std::string(operation.callee));
            } else if (has_host_operand(function, operation)) {
                results = add_upload(function, operation);
            } else if (const auto* callee =
                           operation.callee.empty() ? nullptr : program_.find(operation.callee)) {
                std::vector<std::size_t> operands;
                for (const foreign::ValueId value : program_.tensors_among(function, operation.operands))
                    operands.push_back(number_of(value));
                results = run(*callee, operands);
            } else {
                results = add_call(function, operation, number_of);
            }
            for (std::size_t i = 0; i < operation.results.size() && i < results.size(); ++i)
                numbers[operation.results[i]] = results[i];
        }
        std::vector<std::size_t> results;
        for (const foreign::ValueId value : program_.tensors_among(function, function.results))
            results.push_back(number_of(value));
        return results;
    }

    bool is_on_host(const foreign::ProgramFunction& function,
                    const std::vector<foreign::ValueId>& values) const {
        return !values.empty() && std::ranges::all_of(values, [&](foreign::ValueId value) {
            const foreign::TensorType& type = program_.type_of(function, value);
            return type.is_tensor && type.layout && !compiled::memory_of(type);
        });
    }

    bool has_host_operand(const foreign::ProgramFunction& function,
                          const foreign::ProgramOperation& operation) const {
        return std::ranges::any_of(program_.tensors_among(function, operation.operands),
                                   [&](foreign::ValueId value) { return is_on_host(function, {value}); });
    }

    PlaceableCall& add_call(const foreign::ProgramOperation& operation) {
        PlaceableCall& call = made_.calls.emplace_back();
        call.name = operation.name;
        const foreign::UserPlace& place = program_.places[operation.place];
        if (!place.file.empty())
            call.source = place.file.substr(place.file.rfind('/') + 1) +
                          (place.line == 0 ? "" : ":" + std::to_string(place.line));
        for (std::size_t i = 0; i < operation.results.size(); ++i)
            call.results.push_back(next_++);
        return call;
    }

    /// What the host sends: memory, and no program.
    std::vector<std::size_t> add_upload(const foreign::ProgramFunction& function,
                                        const foreign::ProgramOperation& operation) {
        PlaceableCall& call = add_call(operation);
        call.function = results_as_said(function, operation);
        call.takes_memory_config = true;
        for (const foreign::ValueId result : operation.results) {
            const auto memory = compiled::memory_of(program_.type_of(function, result));
            call.takes_memory_config = call.takes_memory_config && memory && !memory->is_sharded();
        }
        return call.results;
    }

    template <typename NumberOf>
    std::vector<std::size_t> add_call(const foreign::ProgramFunction& function,
                                      const foreign::ProgramOperation& operation, const NumberOf& number_of) {
        PlaceableCall& call = add_call(operation);
        const compiled::CallRule* rule = compiled::find_rule(operation.name);
        if (rule == nullptr || !operation.is_understood) {
            ++unknown_[std::string(operation.name)];
            for (const foreign::ValueId value : program_.tensors_among(function, operation.operands))
                call.operands.push_back(number_of(value));
            call.function = results_as_said(function, operation);
            return call.results;
        }
        const compiled::FunctionCall made = compiled::call_of(*rule, program_, function, operation);
        NamedCall named{std::string(made.function), {}, device_};
        const auto operand = [&](foreign::ValueId of) {
            call.operands.push_back(number_of(of));
            return call.operands.size() - 1;
        };
        for (const compiled::CallArgument& each : made.arguments) {
            NamedArgument& argument = named.arguments.emplace_back();
            argument.name = each.parameter;
            if (const auto* value = std::get_if<compat::Argument>(&each.value)) {
                argument.value = *value;
                if (each.parameter != "memory_config") continue;
                const auto* config = std::get_if<MemoryConfig>(value);
                call.takes_memory_config = config == nullptr || !config->is_sharded();
            } else if (const auto* one = std::get_if<compiled::TensorValue>(&each.value)) {
                argument.value = Operand{operand(one->value)};
            } else if (const auto* several = std::get_if<compiled::TensorValues>(&each.value)) {
                OperandList list;
                for (const foreign::ValueId member : several->values)
                    list.indices.push_back(operand(member));
                argument.value = std::move(list);
            } else {
                argument.value = TheDevice{};
            }
        }
        call.function = std::move(named);
        return call.results;
    }

    /// Results as the program says, or elsewhere.
    query::PlaceableFunction results_as_said(const foreign::ProgramFunction& function,
                                             const foreign::ProgramOperation& operation) {
        std::vector<TensorSpec> specs;
        for (const foreign::ValueId result : operation.results)
            specs.push_back(compiled::spec_of(program_.type_of(function, result)));
        return [specs, device = device_](std::span<const Tensor> /*operands*/, const MemoryConfig* put) {
            std::vector<Tensor> tensors;
            for (TensorSpec each : specs) {
                if (put != nullptr) each.memory_config = *put;
                tensors.push_back(create_device_tensor(each, device));
            }
            return tensors;
        };
    }

    const foreign::CompiledProgram& program_;
    std::shared_ptr<Device> device_;
    std::map<std::string, std::size_t>& unknown_;
    PlaceableProgram made_;
    std::map<std::string, std::vector<std::size_t>> constants_;
    std::size_t next_ = 0;
};

}  // namespace

std::string board_of(const ir::Graph& graph) {
    if (graph.operation_set() != "ttnn")
        throw RuntimeError("expected a graph of TT-NN's calls, found one of the operation set '" +
                           graph.operation_set() + "'");
    for (const ir::ValueId value : graph.params())
        if (const auto& place = graph.type(value).place)
            return place->device.substr(0, place->device.find(':'));
    throw RuntimeError("expected a graph whose tensors lie on a device, found none on one");
}

PlaceableProgram placeable_of(const ir::Graph& graph) {
    PlaceableProgram program;
    std::map<ir::ValueId, std::size_t> numbers;
    for (const ir::ValueId value : graph.params()) {
        numbers[value] = program.inputs.size();
        program.inputs.push_back(
            {spec_of(graph.type(value), "parameter " + std::string(graph.name_of(value)))});
    }
    for (const ir::Equation equation : graph.equations()) {
        const std::string& name = equation.operation();
        const ListedOperation* operation =
            name.starts_with(kPrefix) ? find_listed(std::string_view(name).substr(kPrefix.size()), equation)
                                      : nullptr;
        if (operation == nullptr)
            throw RuntimeError(name + ": expected a call of an operation with these arguments, found none");
        PlaceableCall& call = program.calls.emplace_back();
        call.name = name;
        call.source = source_text(equation.location());
        for (const ir::ValueId operand : equation.operands()) {
            const auto known = numbers.find(operand);
            if (known == numbers.end())
                throw RuntimeError(name + ": expected tensors on a device, found a constant of the host");
            call.operands.push_back(known->second);
        }
        for (std::size_t i = 0; i < equation.results().size(); ++i) {
            const std::size_t number = numbers.size();
            numbers[equation.results()[i]] = number;
            call.results.push_back(number);
        }
        const auto parameters = parameters_of(*operation, equation);
        const bool has_output =
            std::ranges::any_of(parameters, [](const auto* each) { return each->is_output; });
        const bool is_in_place = name.ends_with('_');
        const bool is_sharded = std::ranges::any_of(equation.result_types(), [](const ir::TensorType& type) {
            return type.place && !interleaved_in(type.place->memory_config);
        });
        call.takes_memory_config = find_parameter(*operation, "memory_config") != nullptr && !has_output &&
                                   !is_in_place && !is_sharded;
        call.function = call_of(*operation, equation);
    }
    for (const ir::ValueId value : graph.results()) {
        const auto known = numbers.find(value);
        if (known == numbers.end())
            throw RuntimeError("result: expected a tensor on a device, found a constant of the host");
        program.results.push_back(known->second);
    }
    return program;
}

PlaceableProgram placeable_of(const foreign::CompiledProgram& program,
                              const foreign::ProgramFunction& function, const std::shared_ptr<Device>& device,
                              std::map<std::string, std::size_t>& unknown) {
    return Flattened(program, device, unknown).of(function);
}

}  // namespace tilemeter::cli
