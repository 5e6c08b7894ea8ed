// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <tuple>
#include <type_traits>

#include <simdjson.h>

#include "report/json_value.hpp"

namespace tilemeter::report::internal {

// Between JsonValue and the parser's own elements, for the sources whose loops want those inline. Elements
// and iterators of the parser are a pointer to the document and a position in it; they cross our headers as
// these two words, so that who includes those needs no simdjson.
struct DomAccess {
    struct Words {
        const void* document;
        std::size_t index;
    };
    template <class T>
    static T from_words(Words words) {
        static_assert(sizeof(T) == sizeof(Words) && std::is_trivially_copyable_v<T>);
        return std::bit_cast<T>(words);
    }
    template <class T>
    static Words to_words(const T& value) {
        static_assert(sizeof(T) == sizeof(Words) && std::is_trivially_copyable_v<T>);
        return std::bit_cast<Words>(value);
    }

    // REQUIRES: value is in a document (a default JsonValue is not)
    static simdjson::dom::element element(const JsonValue& value) {
        return from_words<simdjson::dom::element>({value.document_, value.index_});
    }
    // REQUIRES: the element is of that type
    template <class T>
    static T as(const simdjson::dom::element& element) {
        T value{};
        std::ignore = element.get(value);
        return value;
    }
    static bool in_document(const JsonValue& value) { return value.document_ != nullptr; }
    static JsonValue value(const simdjson::dom::element& element) {
        const Words words = to_words(element);
        return {words.document, words.index};
    }
};

}  // namespace tilemeter::report::internal
