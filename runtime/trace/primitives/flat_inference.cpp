// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/primitives/internal/flat_inference.hpp"

#include <algorithm>

#include "runtime/trace/primitives/internal/axes.hpp"

namespace tilemeter::trace::internal {

namespace {

std::string domain_text(Domain domain) {
    std::string text;
    const auto add = [&](Domain part, const char* word) {
        if ((domain & part) == part) text += (text.empty() ? "" : ", ") + std::string(word);
    };
    add(kFloats, "floats");
    add(kSigned, "signed integers");
    add(kUnsigned, "unsigned integers");
    add(kBools, "bool");
    return text;
}

std::string found_shapes(const Shape& a, const Shape& b) {
    return "found shapes " + text_of(a) + " and " + text_of(b);
}

// No bound that an expression would have to keep.
constexpr std::int64_t kAny = -(1LL << 40);

// Integers and, optional, their default: one for each dimension.
Integers per_dimension(const Site& site, std::string_view attribute, std::size_t count,
                       std::int64_t otherwise, std::int64_t least) {
    const ir::Attribute* const given = site.use.attributes.find(attribute);
    if (given == nullptr) return Integers(count, otherwise);
    const Integers& values = site.integers(attribute);
    site.require(values.size() == count, ErrorKind::kBadArgument, [&] {
        return "attribute '" + std::string(attribute) + "': found " + text_of(values) + ", expected " +
               std::to_string(count) + " numbers";
    });
    for (const std::int64_t value : values)
        if (least != kAny || Dim(value).is_number())
            site.require_at_most(least, value, ErrorKind::kBadArgument, [&] {
                return "attribute '" + std::string(attribute) + "': found " + text_of(values) +
                       ", expected numbers from " + std::to_string(least);
            });
    return values;
}

void require_scalar_indices(const Site& site, std::size_t from, std::size_t count) {
    site.require(site.size() == from + count, ErrorKind::kBadArgument, [&] {
        return "found " + std::to_string(site.size() - from) + " start indices, expected " +
               std::to_string(count) + ", one for each dimension of " + text_of(site.type(0));
    });
    for (std::size_t i = from; i < site.size(); ++i) {
        require_domain(site, i, kIntegers);
        site.require(site.shape(i).rank() == 0, ErrorKind::kShapeMismatch, [&] {
            return "start index " + std::to_string(i - from) + ": found " + text_of(site.type(i)) +
                   ", expected a scalar";
        });
    }
}

}  // namespace

bool is_in(Domain domain, ElementType element) {
    if (ir::is_float(element)) return (domain & kFloats) != 0;
    if (ir::is_signed_integer(element)) return (domain & kSigned) != 0;
    if (ir::is_unsigned_integer(element)) return (domain & kUnsigned) != 0;
    return (domain & kBools) != 0;
}

void require_domain(const Site& site, std::size_t operand, Domain domain) {
    site.require(is_in(domain, site.type(operand).element), ErrorKind::kElementTypeMismatch, [&] {
        return "operand " + std::to_string(operand) + ": found " + text_of(site.type(operand)) +
               ", expected " + domain_text(domain);
    });
}

void require_same(const Site& site, std::size_t operand, std::size_t as) {
    const auto found = [&] {
        return "found " + text_of(site.type(as)) + " and " + text_of(site.type(operand));
    };
    site.require(site.type(operand).element == site.type(as).element, ErrorKind::kElementTypeMismatch,
                 [&] { return found() + ", expected operands of one element type"; });
    site.require_equal(site.shape(operand), site.shape(as), ErrorKind::kShapeMismatch,
                       [&] { return found() + ", expected operands of one shape"; });
}

std::size_t checked_axis(const Site& site, std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    site.require(axis >= 0 && axis < count, ErrorKind::kBadArgument, [&] {
        return "found axis " + std::to_string(axis) + ", expected an axis of a tensor of rank " +
               std::to_string(rank);
    });
    return static_cast<std::size_t>(axis);
}

void require_axes(const Site& site, const Integers& axes, std::size_t rank, std::string_view what) {
    std::vector<bool> seen(rank);
    for (const std::int64_t axis : axes) {
        const std::size_t i = checked_axis(site, axis, rank);
        site.require(!seen[i], ErrorKind::kBadArgument, [&] {
            return std::string(what) + ": found " + text_of(axes) + ", expected distinct axes";
        });
        seen[i] = true;
    }
}

void infer_same(const Site& site, Types& types, Domain domain) {
    for (std::size_t i = 0; i < site.size(); ++i) {
        require_domain(site, i, domain);
        require_same(site, i);
    }
    types.push_back(site.type(0));
}

void infer_compare(const Site& site, Types& types) {
    const auto& direction = site.use.attributes.get<std::string>("direction");
    static const std::vector<std::string> kDirections = {"EQ", "NE", "LT", "LE", "GT", "GE"};
    site.require(std::ranges::find(kDirections, direction) != kDirections.end(), ErrorKind::kBadArgument,
                 [&] { return "found direction '" + direction + "', expected EQ, NE, LT, LE, GT or GE"; });
    require_same(site, 1);
    types.push_back({ElementType::kBool, site.shape(0), {}});
}

void infer_select(const Site& site, Types& types) {
    site.require(site.type(0).element == ElementType::kBool, ErrorKind::kElementTypeMismatch,
                 [&] { return "found a predicate of type " + text_of(site.type(0)) + ", expected bool"; });
    require_same(site, 2, 1);
    site.require(site.shape(0).rank() == 0 || site.equal(site.shape(0), site.shape(1)),
                 ErrorKind::kShapeMismatch, [&] {
                     return "found a predicate of type " + text_of(site.type(0)) +
                            ", expected a scalar or the shape of " + text_of(site.type(1));
                 });
    types.push_back(site.type(1));
}

void infer_clamp(const Site& site, Types& types) {
    for (const std::size_t limit : {0U, 2U}) {
        require_domain(site, limit, kNumbers);
        site.require(site.type(limit).element == site.type(1).element, ErrorKind::kElementTypeMismatch, [&] {
            return "found a limit of type " + text_of(site.type(limit)) + ", expected the elements of " +
                   text_of(site.type(1));
        });
        site.require(site.shape(limit).rank() == 0 || site.equal(site.shape(limit), site.shape(1)),
                     ErrorKind::kShapeMismatch, [&] {
                         return "found a limit of type " + text_of(site.type(limit)) +
                                ", expected a scalar or the shape of " + text_of(site.type(1));
                     });
    }
    types.push_back(site.type(1));
}

void infer_convert(const Site& site, Types& types) {
    types.push_back({site.use.attributes.get<ElementType>("dtype"), site.shape(0), {}});
}

void infer_bitcast(const Site& site, Types& types) {
    infer_convert(site, types);
    const ElementType to = types.back().element;
    site.require(!ir::is_block_float(to) && !ir::is_block_float(site.type(0).element) &&
                     to != ElementType::kBool && site.type(0).element != ElementType::kBool &&
                     ir::element_bytes(to) == ir::element_bytes(site.type(0).element),
                 ErrorKind::kElementTypeMismatch, [&] {
                     return "found " + text_of(site.type(0)) + " and " + std::string(name_of(to)) +
                            ", expected number types of one width";
                 });
}

void infer_dot_general(const Site& site, Types& types) {
    require_domain(site, 0, kNumbers);
    site.require(site.type(0).element == site.type(1).element, ErrorKind::kElementTypeMismatch, [&] {
        return "found " + text_of(site.type(0)) + " and " + text_of(site.type(1)) +
               ", expected operands of one element type";
    });
    Integers free[2];
    std::vector<const Integers*> batch{&site.integers("lhs_batch"), &site.integers("rhs_batch")};
    std::vector<const Integers*> contract{&site.integers("lhs_contract"), &site.integers("rhs_contract")};
    for (std::size_t side = 0; side < 2; ++side) {
        Integers all = *batch[side];
        all.insert(all.end(), contract[side]->begin(), contract[side]->end());
        require_axes(site, all, site.shape(side).rank(), "batch and contracting dimensions");
        for (std::size_t i = 0; i < site.shape(side).rank(); ++i)
            if (!contains(all, i)) free[side].push_back(site.shape(side)[i]);
    }
    TensorType type{site.type(0).element, {}, {}};
    for (const auto* const pair : {&batch, &contract}) {
        const Integers& left = *(*pair)[0];
        const Integers& right = *(*pair)[1];
        const std::string what = pair == &batch ? "batch dimensions " : "contracting dimensions ";
        const auto found = [&] {
            return what + text_of(left) + " and " + text_of(right) + ": " +
                   found_shapes(site.shape(0), site.shape(1));
        };
        site.require(left.size() == right.size(), ErrorKind::kBadArgument,
                     [&] { return found() + ", expected as many of both"; });
        for (std::size_t i = 0; i < left.size(); ++i) {
            const std::int64_t extent = site.shape(0)[static_cast<std::size_t>(left[i])];
            site.require_equal(Dim(extent), site.shape(1)[static_cast<std::size_t>(right[i])],
                               ErrorKind::kShapeMismatch,
                               [&] { return found() + ", expected equal extents"; });
            if (pair == &batch) type.shape.push_back(extent);
        }
    }
    for (const Integers& extents : free)
        for (const std::int64_t extent : extents)
            type.shape.push_back(extent);
    types.push_back(type);
}

std::int64_t window_count(std::int64_t extent, std::int64_t low, std::int64_t high,
                          std::int64_t base_dilation, std::int64_t window, std::int64_t window_dilation,
                          std::int64_t stride) {
    const std::int64_t base = (extent == 0 ? 0 : (extent - 1) * base_dilation + 1) + low + high;
    const std::int64_t covered = window == 0 ? 0 : (window - 1) * window_dilation + 1;
    return base < covered || base <= 0 ? 0 : (base - covered) / stride + 1;
}

namespace {

// The same of expressions, where it is certain that the window fits.
std::int64_t window_extent(const Site& site, std::int64_t extent, std::int64_t low, std::int64_t high,
                           std::int64_t base_dilation, std::int64_t window, std::int64_t window_dilation,
                           std::int64_t stride) {
    const auto is_number = [](Dim dim) { return dim.is_number(); };
    const std::int64_t all[] = {extent, low, high, base_dilation, window, window_dilation, stride};
    if (std::ranges::all_of(all, is_number))
        return window_count(extent, low, high, base_dilation, window, window_dilation, stride);
    const Dim base = (Dim(extent) - 1) * Dim(base_dilation) + 1 + Dim(low) + Dim(high);
    const Dim covered = (Dim(window) - 1) * Dim(window_dilation) + 1;
    const auto found = [&] {
        return "found an extent of " + Dim(extent).text() + " and a window of " + Dim(window).text();
    };
    for (const std::int64_t each : {extent, window, stride})
        site.require_at_most(1, each, ErrorKind::kBadArgument, found);
    site.require_at_most(covered, base, ErrorKind::kBadArgument, found);
    return (floordiv(base - covered, stride) + 1).value();
}

}  // namespace

// lhs [N, C, spatial...], rhs [O, C / groups, spatial...]: other layouts are transposed before.
void infer_convolution(const Site& site, Types& types) {
    require_domain(site, 0, kNumbers);
    site.require(site.type(0).element == site.type(1).element, ErrorKind::kElementTypeMismatch, [&] {
        return "found " + text_of(site.type(0)) + " and " + text_of(site.type(1)) +
               ", expected operands of one element type";
    });
    const Shape& x = site.shape(0);
    const Shape& w = site.shape(1);
    site.require(x.rank() >= 2 && x.rank() == w.rank(), ErrorKind::kShapeMismatch,
                 [&] { return found_shapes(x, w) + ", expected two of the same rank, at least 2"; });
    const std::size_t spatial = x.rank() - 2;
    const Integers strides = per_dimension(site, "strides", spatial, 1, 1);
    const Integers low = per_dimension(site, "low", spatial, 0, kAny);
    const Integers high = per_dimension(site, "high", spatial, 0, kAny);
    const Integers base = per_dimension(site, "lhs_dilation", spatial, 1, 1);
    const Integers dilation = per_dimension(site, "rhs_dilation", spatial, 1, 1);
    const auto groups = site.use.attributes.get_or<std::int64_t>("groups", 1);
    const auto fits = [&] {
        return groups >= 1 && site.equal(x[1], Dim(w[1]) * groups) &&
               divides(groups, w[0], site.constraints()) == ir::Answer::kYes;
    };
    site.require(fits(), ErrorKind::kShapeMismatch, [&] {
        return found_shapes(x, w) + " and " + std::to_string(groups) +
               " groups, expected as many input features in all groups, and whole groups of output features";
    });
    TensorType type{site.type(0).element, {x[0], w[0]}, {}};
    for (std::size_t i = 0; i < spatial; ++i)
        type.shape.push_back(
            window_extent(site, x[i + 2], low[i], high[i], base[i], w[i + 2], dilation[i], strides[i]));
    types.push_back(type);
}

void infer_reshape(const Site& site, Types& types) {
    TensorType type{site.type(0).element, Shape(site.integers("shape")), {}};
    for (const std::int64_t dim : type.shape)
        site.require_at_most(0, dim, ErrorKind::kBadArgument, [&] {
            return "found shape " + text_of(type.shape) + ", expected dimensions from 0";
        });
    site.require_equal(elements_of(site.shape(0)), elements_of(type.shape), ErrorKind::kShapeMismatch, [&] {
        return found_shapes(site.shape(0), type.shape) + ", expected as many elements in both";
    });
    types.push_back(type);
}

void infer_transpose(const Site& site, Types& types) {
    const Integers& perm = site.integers("perm");
    site.require(perm.size() == site.shape(0).rank(), ErrorKind::kBadArgument, [&] {
        return "found perm " + text_of(perm) + ", expected one axis for each of " + text_of(site.shape(0));
    });
    require_axes(site, perm, site.shape(0).rank(), "perm");
    TensorType type{site.type(0).element, {}, {}};
    for (const std::int64_t axis : perm)
        type.shape.push_back(site.shape(0)[static_cast<std::size_t>(axis)]);
    types.push_back(type);
}

void infer_broadcast_in_dim(const Site& site, Types& types) {
    const Shape shape(site.integers("shape"));
    const Integers& dims = site.integers("dims");
    const Shape& from = site.shape(0);
    site.require(dims.size() == from.rank(), ErrorKind::kBadArgument, [&] {
        return "found dims " + text_of(dims) + ", expected one for each of " + text_of(from);
    });
    require_axes(site, dims, shape.rank(), "dims");
    for (std::size_t i = 0; i < from.rank(); ++i)
        if (from[i] != 1)
            site.require_equal(Dim(from[i]), shape[static_cast<std::size_t>(dims[i])],
                               ErrorKind::kShapeMismatch, [&] {
                                   return found_shapes(from, shape) + " with dims " + text_of(dims) +
                                          ", expected extents that are 1 or equal";
                               });
    types.push_back({site.type(0).element, shape, {}});
}

void infer_slice(const Site& site, Types& types) {
    const Shape& from = site.shape(0);
    const Integers starts = per_dimension(site, "starts", from.rank(), 0, 0);
    const Integers limits = per_dimension(site, "limits", from.rank(), 0, 0);
    const Integers strides = per_dimension(site, "strides", from.rank(), 1, 1);
    TensorType type{site.type(0).element, {}, {}};
    for (std::size_t i = 0; i < from.rank(); ++i) {
        const auto found = [&] {
            return "found starts " + text_of(starts) + " and limits " + text_of(limits) +
                   ", expected start <= limit <= extent of " + text_of(from);
        };
        site.require_at_most(starts[i], limits[i], ErrorKind::kBadArgument, found);
        site.require_at_most(limits[i], from[i], ErrorKind::kBadArgument, found);
        type.shape.push_back(ceildiv(Dim(limits[i]) - starts[i], strides[i]).value());
    }
    types.push_back(type);
}

void infer_pad(const Site& site, Types& types) {
    const Shape& from = site.shape(0);
    const Integers low = per_dimension(site, "low", from.rank(), 0, kAny);
    const Integers high = per_dimension(site, "high", from.rank(), 0, kAny);
    const Integers interior = per_dimension(site, "interior", from.rank(), 0, 0);
    site.require(site.type(1).element == site.type(0).element, ErrorKind::kElementTypeMismatch, [&] {
        return "found " + text_of(site.type(0)) + " and a padding value of type " + text_of(site.type(1)) +
               ", expected one element type";
    });
    site.require(site.shape(1).rank() == 0, ErrorKind::kShapeMismatch, [&] {
        return "found a padding value of type " + text_of(site.type(1)) + ", expected a scalar";
    });
    TensorType type{site.type(0).element, {}, {}};
    for (std::size_t i = 0; i < from.rank(); ++i) {
        Dim extent = Dim(low[i]) + high[i] + from[i];
        if (interior[i] != 0) extent += max(Dim(from[i]) - 1, 0) * interior[i];
        site.require_at_most(0, extent, ErrorKind::kBadArgument, [&] {
            return "found low " + text_of(low) + " and high " + text_of(high) +
                   ", expected to leave something of " + text_of(from);
        });
        type.shape.push_back(extent.value());
    }
    types.push_back(type);
}

void infer_concatenate(const Site& site, Types& types) {
    TensorType type = site.type(0);
    const std::size_t axis = checked_axis(site, site.integer("axis"), type.shape.rank());
    for (std::size_t i = 1; i < site.size(); ++i) {
        const TensorType& next = site.type(i);
        const auto found = [&] {
            return "axis " + std::to_string(axis) + ": found " + text_of(site.type(0)) + " and " +
                   text_of(next);
        };
        site.require(next.element == type.element, ErrorKind::kElementTypeMismatch,
                     [&] { return found() + ", expected one element type"; });
        site.require(next.shape.rank() == type.shape.rank(), ErrorKind::kShapeMismatch,
                     [&] { return found() + ", expected one rank"; });
        for (std::size_t k = 0; k < type.shape.rank(); ++k)
            if (k != axis)
                site.require_equal(Dim(next.shape[k]), type.shape[k], ErrorKind::kShapeMismatch,
                                   [&] { return found() + ", expected equal extents of the other axes"; });
        type.shape[axis] = (Dim(type.shape[axis]) + next.shape[axis]).value();
    }
    types.push_back(type);
}

void infer_reverse(const Site& site, Types& types) {
    require_axes(site, site.integers("dims"), site.shape(0).rank(), "dims");
    types.push_back(site.type(0));
}

void infer_dynamic_slice(const Site& site, Types& types) {
    const Shape& from = site.shape(0);
    require_scalar_indices(site, 1, from.rank());
    const Integers& sizes = site.integers("sizes");
    site.require(sizes.size() == from.rank(), ErrorKind::kBadArgument, [&] {
        return "found sizes " + text_of(sizes) + ", expected one for each of " + text_of(from);
    });
    for (std::size_t i = 0; i < from.rank(); ++i)
        for (const auto& [a, b] : {std::pair<Dim, Dim>(0, sizes[i]), std::pair<Dim, Dim>(sizes[i], from[i])})
            site.require_at_most(a, b, ErrorKind::kShapeMismatch, [&] {
                return "found sizes " + text_of(sizes) + ", expected at most " + text_of(from);
            });
    types.push_back({site.type(0).element, Shape(sizes), {}});
}

void infer_dynamic_update_slice(const Site& site, Types& types) {
    const Shape& from = site.shape(0);
    const Shape& update = site.shape(1);
    const auto found = [&] {
        return "found " + text_of(site.type(0)) + " and an update of type " + text_of(site.type(1));
    };
    site.require(site.type(0).element == site.type(1).element, ErrorKind::kElementTypeMismatch,
                 [&] { return found() + ", expected one element type"; });
    site.require(update.rank() == from.rank(), ErrorKind::kShapeMismatch,
                 [&] { return found() + ", expected one rank"; });
    for (std::size_t i = 0; i < from.rank(); ++i)
        site.require_at_most(update[i], from[i], ErrorKind::kShapeMismatch,
                             [&] { return found() + ", expected the update to fit"; });
    require_scalar_indices(site, 2, from.rank());
    types.push_back(site.type(0));
}

void infer_iota(const Site& site, Types& types) {
    const Shape shape(site.integers("shape"));
    checked_axis(site, site.integer("dim"), shape.rank());
    for (const std::int64_t dim : shape)
        site.require_at_most(0, dim, ErrorKind::kBadArgument, [&] {
            return "found shape " + text_of(shape) + ", expected dimensions from 0";
        });
    types.push_back({site.use.attributes.get<ElementType>("dtype"), shape, {}});
}

void infer_full(const Site& site, Types& types) {
    const Shape shape(site.integers("shape"));
    for (const std::int64_t dim : shape)
        site.require_at_most(0, dim, ErrorKind::kBadArgument, [&] {
            return "found shape " + text_of(shape) + ", expected dimensions from 0";
        });
    types.push_back({site.use.attributes.get<ElementType>("dtype"), shape, {}});
}

void infer_dimension(const Site& site, Types& types) {
    const Dim of(site.integer("of"));
    site.require_at_most(0, of, ErrorKind::kBadArgument,
                         [&] { return "found " + of.text() + ", expected a dimension from 0"; });
    types.push_back({site.use.attributes.get<ElementType>("dtype"), {}, {}});
}

void infer_reduce(const Site& site, Types& types, Domain domain) {
    require_domain(site, 0, domain);
    const Integers& axes = site.integers("axes");
    require_axes(site, axes, site.shape(0).rank(), "axes");
    TensorType type{site.type(0).element, {}, {}};
    for (std::size_t i = 0; i < site.shape(0).rank(); ++i)
        if (!contains(axes, i)) type.shape.push_back(site.shape(0)[i]);
    types.push_back(type);
}

void infer_arg_reduce(const Site& site, Types& types) {
    const std::size_t axis = checked_axis(site, site.integer("axis"), site.shape(0).rank());
    site.require_at_most(1, site.shape(0)[axis], ErrorKind::kBadArgument, [&] {
        return "axis " + std::to_string(axis) + " of " + text_of(site.type(0)) +
               ": found no elements, expected some";
    });
    TensorType type{site.use.attributes.get<ElementType>("dtype"), {}, {}};
    site.require(ir::is_integer(type.element), ErrorKind::kElementTypeMismatch, [&] {
        return "found dtype " + std::string(name_of(type.element)) + ", expected an integer";
    });
    for (std::size_t i = 0; i < site.shape(0).rank(); ++i)
        if (i != axis) type.shape.push_back(site.shape(0)[i]);
    types.push_back(type);
}

void infer_reduce_window(const Site& site, Types& types) {
    require_domain(site, 0, kNumbers);
    const Shape& from = site.shape(0);
    const Integers window = per_dimension(site, "window", from.rank(), 1, 1);
    const Integers strides = per_dimension(site, "strides", from.rank(), 1, 1);
    const Integers low = per_dimension(site, "low", from.rank(), 0, 0);
    const Integers high = per_dimension(site, "high", from.rank(), 0, 0);
    const Integers base = per_dimension(site, "base_dilation", from.rank(), 1, 1);
    const Integers dilation = per_dimension(site, "window_dilation", from.rank(), 1, 1);
    TensorType type{site.type(0).element, {}, {}};
    for (std::size_t i = 0; i < from.rank(); ++i)
        type.shape.push_back(
            window_extent(site, from[i], low[i], high[i], base[i], window[i], dilation[i], strides[i]));
    types.push_back(type);
}

// Operand, source: the source's elements are added where the operand's windows have their maximum.
void infer_select_and_scatter(const Site& site, Types& types) {
    Types windows;
    infer_reduce_window(site, windows);
    site.require(is_same(site.type(1), windows[0], site.constraints()), ErrorKind::kShapeMismatch, [&] {
        return "found a source of type " + text_of(site.type(1)) + ", expected " + text_of(windows[0]);
    });
    types.push_back(site.type(0));
}

void infer_cumsum(const Site& site, Types& types) {
    require_domain(site, 0, kNumbers);
    checked_axis(site, site.integer("axis"), site.shape(0).rank());
    types.push_back(site.type(0));
}

void infer_sort(const Site& site, Types& types) {
    checked_axis(site, site.integer("axis"), site.shape(0).rank());
    for (std::size_t i = 0; i < site.size(); ++i) {
        site.require_equal(site.shape(i), site.shape(0), ErrorKind::kShapeMismatch, [&] {
            return found_shapes(site.shape(0), site.shape(i)) + ", expected equal ones";
        });
        types.push_back(site.type(i));
    }
}

// Values and their i32 indices along the last axis, the largest first.
void infer_top_k(const Site& site, Types& types) {
    require_domain(site, 0, kNumbers);
    const std::int64_t k = site.integer("k");
    Shape shape = site.shape(0);
    const auto fits = [&] {
        return shape.rank() > 0 && site.at_most(0, k) && site.at_most(k, shape[shape.rank() - 1]);
    };
    site.require(fits(), ErrorKind::kBadArgument, [&] {
        return "found k = " + Dim(k).text() + ", expected at most the last extent of " +
               text_of(site.type(0));
    });
    shape[shape.rank() - 1] = k;
    types.push_back({site.type(0).element, shape, {}});
    types.push_back({ElementType::kI32, shape, {}});
}

void infer_threefry(const Site& site, Types& types) {
    for (std::size_t i = 0; i < 4; ++i) {
        site.require(site.type(i).element == ElementType::kU32, ErrorKind::kElementTypeMismatch, [&] {
            return "operand " + std::to_string(i) + ": found " + text_of(site.type(i)) + ", expected u32";
        });
        require_same(site, i);
    }
    types.insert(types.end(), 2, site.type(0));
}

}  // namespace tilemeter::trace::internal
