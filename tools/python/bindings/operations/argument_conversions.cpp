// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/python/bindings/operations/argument_conversions.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include "runtime/operations/argument_types.hpp"
#include "tools/python/bindings/base/operation.hpp"
#include "tools/python/bindings/base/scalar_caster.hpp"

namespace tilemeter::python {

namespace {

/// A grid of cores: a tuple or list of two, or a CoreCoord.
CoreCoord grid_of(nb::handle config) {
    const nb::object grid = config.attr("compute_with_storage_grid_size");
    if (!nb::isinstance<nb::tuple>(grid) && !nb::isinstance<nb::list>(grid)) return nb::cast<CoreCoord>(grid);
    return {nb::cast<std::uint32_t>(grid[0]), nb::cast<std::uint32_t>(grid[1])};
}

std::uint32_t tiles_of(nb::handle config, const char* name) {
    return nb::cast<std::uint32_t>(config.attr(name));
}

void read_config(nb::handle config, OptionalSoftmaxProgramConfig& value) {
    value = {grid_of(config), tiles_of(config, "subblock_w"), tiles_of(config, "block_h"),
             tiles_of(config, "block_w")};
}
void read_config(nb::handle config, OptionalLayerNormProgramConfig& value) {
    value = LayerNormShardedMultiCoreProgramConfig{grid_of(config),
                                                   tiles_of(config, "subblock_w"),
                                                   tiles_of(config, "block_h"),
                                                   tiles_of(config, "block_w"),
                                                   nb::cast<bool>(config.attr("inplace")),
                                                   nb::cast<bool>(config.attr("use_welford"))};
}

/// None and the default config, which has no blocks, are none.
template <typename Config>
bool read_optional_config(nb::handle config, Config& value) noexcept {
    value.reset();
    if (config.is_none() || !nb::hasattr(config, "block_h")) return true;
    try {
        read_config(config, value);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace

}  // namespace tilemeter::python

namespace nanobind::detail {

// These may be None, which nanobind adds to their type.
template <>
struct has_arg_defaults<tilemeter::Ignored> : std::true_type {};
template <>
struct has_arg_defaults<tilemeter::NotModelled> : std::true_type {};
template <>
struct has_arg_defaults<tilemeter::OnlyDefault> : std::true_type {};
template <>
struct has_arg_defaults<tilemeter::GivenSemaphores> : std::true_type {};

/// Takes any object.
template <>
struct type_caster<tilemeter::Ignored> {
    NB_TYPE_CASTER(tilemeter::Ignored, const_name("object"))

    bool from_python(handle, std::uint32_t, cleanup_list*) noexcept { return true; }
    static handle from_cpp(tilemeter::Ignored, rv_policy, cleanup_list*) noexcept { return none().release(); }
};

/// Takes any object; the argument only knows whether there is one.
template <typename Argument, bool Argument::*kGiven>
struct presence_caster {
    NB_TYPE_CASTER(Argument, const_name("object"))

    bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
        value.*kGiven = !source.is_none();
        return true;
    }
    static handle from_cpp(Argument, rv_policy, cleanup_list*) noexcept { return none().release(); }
};

/// call() refuses one.
template <>
struct type_caster<tilemeter::NotModelled>
    : presence_caster<tilemeter::NotModelled, &tilemeter::NotModelled::is_given> {};

template <>
struct type_caster<tilemeter::GivenSemaphores>
    : presence_caster<tilemeter::GivenSemaphores, &tilemeter::GivenSemaphores::are_given> {};

/// Takes any object; call() refuses others than the default.
template <>
struct type_caster<tilemeter::OnlyDefault> {
    NB_TYPE_CASTER(tilemeter::OnlyDefault, const_name("object"))

    bool from_python(handle source, std::uint32_t, cleanup_list*) {
        value.given.clear();
        if (source.is_none()) return true;
        if (isinstance<nanobind::list>(source) || isinstance<nanobind::tuple>(source)) {
            if (len(source) == 0) return true;
        } else if (hasattr(source, "tile_shape")) {
            const object shape = source.attr("tile_shape");
            if (nanobind::cast<std::uint32_t>(shape[0]) == tilemeter::kTileHeight &&
                nanobind::cast<std::uint32_t>(shape[1]) == tilemeter::kTileWidth)
                return true;
        }
        value.given = nanobind::cast<std::string>(repr(source));
        return true;
    }
    static handle from_cpp(const tilemeter::OnlyDefault& argument, rv_policy, cleanup_list*) {
        return argument.is_list ? nanobind::list().release() : none().release();
    }
};

template <>
struct has_arg_defaults<tilemeter::OutputTile> : std::true_type {};

/// Takes None or the package's Tile.
template <>
struct type_caster<tilemeter::OutputTile> {
    NB_TYPE_CASTER(tilemeter::OutputTile, const_name("object"))

    bool from_python(handle source, std::uint32_t, cleanup_list*) {
        value.tile.reset();
        if (source.is_none()) return true;
        if (!hasattr(source, "tile_shape")) return false;
        const auto shape = nanobind::cast<std::array<std::uint32_t, 2>>(source.attr("tile_shape"));
        value.tile = tilemeter::Tile{shape[0], shape[1]};
        return true;
    }
    static handle from_cpp(const tilemeter::OutputTile&, rv_policy, cleanup_list*) noexcept {
        return none().release();
    }
};

// In signatures the configs are objects that may be None; nanobind names an optional type by its value's.
template <>
struct type_caster<tilemeter::SoftmaxShardedMultiCoreProgramConfig> {
    static constexpr auto Name = const_name("object");
};
template <>
struct type_caster<tilemeter::OptionalLayerNormProgramConfig::value_type> {
    static constexpr auto Name = const_name("object");
};

template <>
struct type_caster<tilemeter::OptionalSoftmaxProgramConfig> {
    NB_TYPE_CASTER(tilemeter::OptionalSoftmaxProgramConfig, const_name("object | None"))

    bool from_python(handle config, std::uint32_t, cleanup_list*) noexcept {
        return tilemeter::python::read_optional_config(config, value);
    }
    static handle from_cpp(const tilemeter::OptionalSoftmaxProgramConfig&, rv_policy,
                           cleanup_list*) noexcept {
        return none().release();
    }
};

template <>
struct type_caster<tilemeter::OptionalLayerNormProgramConfig> {
    NB_TYPE_CASTER(tilemeter::OptionalLayerNormProgramConfig, const_name("object | None"))

    bool from_python(handle config, std::uint32_t, cleanup_list*) noexcept {
        if (!hasattr(config, "block_h") && hasattr(config, "use_welford")) {
            const object welford = config.attr("use_welford");
            value = tilemeter::LayerNormDefaultProgramConfig{welford.is(handle(Py_True))};
            return true;
        }
        return tilemeter::python::read_optional_config(config, value);
    }
    static handle from_cpp(const tilemeter::OptionalLayerNormProgramConfig&, rv_policy,
                           cleanup_list*) noexcept {
        return none().release();
    }
};

/// From two or four numbers.
template <>
struct type_caster<tilemeter::WindowPadding> {
    using Pair = std::array<std::uint32_t, 2>;
    using Sides = std::array<std::uint32_t, 4>;
    NB_TYPE_CASTER(tilemeter::WindowPadding, (make_caster<std::variant<Pair, Sides>>::Name))

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        make_caster<Pair> both;
        make_caster<Sides> sides;
        if (both.from_python(source, flags, cleanup)) {
            value = tilemeter::WindowPadding(both.value);
            return true;
        }
        if (!sides.from_python(source, flags, cleanup)) return false;
        value = tilemeter::WindowPadding(sides.value);
        return true;
    }
    static handle from_cpp(const tilemeter::WindowPadding& padding, rv_policy policy,
                           cleanup_list* cleanup) noexcept {
        const Pair both{padding[0], padding[2]};
        if (padding == tilemeter::WindowPadding(both))
            return make_caster<Pair>::from_cpp(both, policy, cleanup);
        const Sides& sides = padding;
        return make_caster<Sides>::from_cpp(sides, policy, cleanup);
    }
};

/// The values, or with indices both.
template <>
struct type_caster<tilemeter::MaxPool2dResult> {
    using Tensor = tilemeter::Tensor;
    using Results = std::variant<Tensor, std::tuple<Tensor, Tensor>>;
    NB_TYPE_CASTER(tilemeter::MaxPool2dResult, make_caster<Results>::Name)

    static handle from_cpp(const tilemeter::MaxPool2dResult& result, rv_policy policy,
                           cleanup_list* cleanup) noexcept {
        if (!result.indices) return make_caster<Tensor>::from_cpp(result.values, policy, cleanup);
        const std::tuple both(result.values, *result.indices);
        return make_caster<std::tuple<Tensor, Tensor>>::from_cpp(both, policy, cleanup);
    }
};

/// None is the default.
template <>
struct type_caster<tilemeter::Conv2dConfigOrDefault> {
    using Given = make_caster<std::optional<tilemeter::Conv2dConfig>>;
    NB_TYPE_CASTER(tilemeter::Conv2dConfigOrDefault, make_caster<tilemeter::Conv2dConfig>::Name)

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        Given given;
        if (!given.from_python(source, flags, cleanup)) return false;
        value = given.value.value_or(tilemeter::Conv2dConfig());
        return true;
    }
    static handle from_cpp(const tilemeter::Conv2dConfigOrDefault&, rv_policy, cleanup_list*) noexcept {
        return none().release();
    }
};
template <>
struct has_arg_defaults<tilemeter::Conv2dConfigOrDefault> : std::true_type {};

/// With the output's size and the prepared weights, where they were asked for.
template <typename Size>
struct type_caster<tilemeter::ConvolutionResult<Size>> {
    using Tensor = tilemeter::Tensor;
    using Prepared = std::tuple<Tensor, std::optional<Tensor>>;
    using Results = std::variant<Tensor, std::tuple<Tensor, Size>, std::tuple<Tensor, Prepared>,
                                 std::tuple<Tensor, Size, Prepared>>;
    NB_TYPE_CASTER(tilemeter::ConvolutionResult<Size>, make_caster<Results>::Name)

    static handle from_cpp(const tilemeter::ConvolutionResult<Size>& result, rv_policy policy,
                           cleanup_list* cleanup) noexcept {
        const auto results = [&]() -> Results {
            const auto& [output, size, weight, bias] = result;
            if (!weight && !size) return output;
            if (!weight) return std::tuple{output, *size};
            const Prepared prepared{*weight, bias};
            if (!size) return std::tuple{output, prepared};
            return std::tuple{output, *size, prepared};
        };
        return make_caster<Results>::from_cpp(results(), policy, cleanup);
    }
};

}  // namespace nanobind::detail

namespace tilemeter::python {

namespace {

template <typename T>
constexpr TypeDescription description_of() {
    using Described = nb::remove_opt_mono_t<nb::detail::intrinsic_t<T>>;
    constexpr const auto& kName = nb::detail::make_caster<Described>::Name;
    return {.text = kName.text, .type_count = kName.type_count(), .put_types = [](const std::type_info** to) {
                nb::detail::make_caster<Described>::Name.put_types(to);
            }};
}

template <typename T>
bool from_python(nb::handle source, std::uint32_t flags, nb::detail::cleanup_list* cleanup, void* member) {
    nb::detail::make_caster<T> caster;
    if (!caster.from_python(source, flags, cleanup)) return false;
    *static_cast<T*>(member) = caster.operator nb::detail::cast_t<T>();
    return true;
}

template <typename T>
constexpr ArgumentConversion conversion_of() {
    constexpr std::uint32_t kNoneIsTaken =
        nb::detail::has_arg_defaults_v<T> ? std::uint32_t{nb::detail::cast_flags::accepts_none} : 0U;
    ArgumentConversion conversion{.description = description_of<T>(),
                                  .flags = kNoneIsTaken | nb::detail::none_disallowed_flag<T>,
                                  .takes_none_if_absent = std::is_same_v<T, std::shared_ptr<Device>>,
                                  .from_python = &from_python<T>,
                                  .to_python = nullptr};
    if constexpr (!std::is_same_v<T, Scalar>)
        conversion.to_python = [](const void* member) { return nb::cast(*static_cast<const T*>(member)); };
    return conversion;
}

// As from Python, so that other threads of Python run meanwhile.
template <typename Result>
PyObject* call(void (*function)(), ErasedArguments& arguments, nb::detail::cleanup_list* cleanup) {
    const auto run = [&] {
        const Unlocked unlocked;
        const PythonCall style;
        Result result = reinterpret_cast<Result (*)(const void*)>(function)(arguments.get());
        arguments.destroy();
        return result;
    };
    return nb::detail::make_caster<Result>::from_cpp(run(), nb::rv_policy::automatic, cleanup).ptr();
}

}  // namespace

const ArgumentConversion& argument_conversion(const std::type_info& type) {
    static const auto kConversions = made_by_type(
        ArgumentTypes(), []<typename T>(std::type_identity<T> /*type*/) { return conversion_of<T>(); });
    return kConversions.at(type);
}

const ResultConversion& result_conversion(const std::type_info& type) {
    static const auto kConversions =
        made_by_type(ResultTypes(), []<typename T>(std::type_identity<T> /*type*/) {
            return ResultConversion{description_of<T>(), &call<T>};
        });
    return kConversions.at(type);
}

}  // namespace tilemeter::python
