// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random numbers by keys.

#include "runtime/trace/arrays/random.hpp"

#include <string>

#include <nanobind/stl/string.h>

#include "runtime/trace/arrays/apply.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

namespace random = trace::random;

random::Scheme scheme_of(const std::string& scheme) {
    if (scheme == "original") return random::Scheme::kOriginal;
    if (scheme == "partitionable") return random::Scheme::kPartitionable;
    throw trace::TraceError(trace::TraceErrorKind::kBadArgument,
                            "found scheme '" + scheme + "', expected 'partitionable' or 'original'",
                            {.location = trace::current_location()});
}

Array key_of(nb::handle key) {
    return array_of(key, "key");
}

}  // namespace

void bind_random(nb::module_& trace) {
    nb::module_ module = trace.def_submodule("_random");
    module.def("key", [](nb::handle seed) {
        if (PyLong_Check(seed.ptr())) return random::key(integer_of(seed, "key: seed"));
        return random::key(array_of(seed, "seed"));
    });
    module.def("split", [](nb::handle key, nb::handle shape, const std::string& scheme) {
        return random::split(key_of(key), integers_of(shape, "shape"), scheme_of(scheme));
    });
    module.def("fold_in", [](nb::handle key, nb::handle data) {
        return random::fold_in(key_of(key), array_of(data, "data"));
    });
    module.def("bits", [](nb::handle key, nb::handle shape, nb::handle dtype, const std::string& scheme) {
        return random::bits(key_of(key), integers_of(shape, "shape"), element_of(dtype), scheme_of(scheme));
    });
    module.def("uniform", [](nb::handle key, nb::handle shape, nb::handle dtype, nb::handle low,
                             nb::handle high, const std::string& scheme) {
        return random::uniform(key_of(key), integers_of(shape, "shape"), element_of(dtype),
                               array_of(low, "low"), array_of(high, "high"), scheme_of(scheme));
    });
    module.def("normal", [](nb::handle key, nb::handle shape, nb::handle dtype, const std::string& scheme) {
        return random::normal(key_of(key), integers_of(shape, "shape"), element_of(dtype), scheme_of(scheme));
    });
    module.def("bernoulli", [](nb::handle key, nb::handle p, nb::handle shape, const std::string& scheme) {
        return random::bernoulli(key_of(key), array_of(p, "p"), integers_of(shape, "shape"),
                                 scheme_of(scheme));
    });
    module.def("randint", [](nb::handle key, nb::handle shape, nb::handle low, nb::handle high,
                             nb::handle dtype, const std::string& scheme) {
        return random::randint(key_of(key), integers_of(shape, "shape"), integer_of(low, "randint: minval"),
                               integer_of(high, "randint: maxval"), element_of(dtype), scheme_of(scheme));
    });
    module.def("permutation", [](nb::handle key, nb::handle x, const std::string& scheme) {
        if (is_array(x)) return random::permutation(key_of(key), as_array(x), scheme_of(scheme));
        if (PyIndex_Check(x.ptr()) != 0 && (PyLong_Check(x.ptr()) != 0 || !nb::hasattr(x, "__len__")))
            return random::permutation(key_of(key), integer_of(x, "permutation: x"), scheme_of(scheme));
        return random::permutation(key_of(key), array_of(x, "x"), scheme_of(scheme));
    });
    module.def("categorical", [](nb::handle key, nb::handle logits, nb::handle axis, nb::handle shape,
                                 const std::string& scheme) {
        const Array weights = array_of(logits, "logits");
        return random::categorical(key_of(key), weights, axis_of(axis, weights.rank(), "categorical"),
                                   integers_of(shape, "shape"), scheme_of(scheme));
    });
}

}  // namespace tilemeter::python::tracing
