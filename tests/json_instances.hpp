// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What tests use of nlohmann's JSON is compiled once, in json_instances.cpp: reading, writing and the values
// themselves. For precompiled headers; a source includes <nlohmann/json.hpp>.

#pragma once

#include <iosfwd>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace tilemeter::test::internal {

using TextReader = decltype(nlohmann::detail::input_adapter(std::declval<const std::string&>()));

}  // namespace tilemeter::test::internal

extern template class nlohmann::basic_json<>;

namespace nlohmann::detail {

extern template class lexer<json, tilemeter::test::internal::TextReader>;
extern template class parser<json, tilemeter::test::internal::TextReader>;
extern template class lexer<json, input_stream_adapter>;
extern template class parser<json, input_stream_adapter>;
extern template class json_sax_dom_parser<json>;
extern template class json_sax_dom_callback_parser<json>;
extern template class output_string_adapter<char>;
extern template class serializer<json>;

}  // namespace nlohmann::detail
