// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/json_instances.hpp"

template class nlohmann::basic_json<>;

namespace nlohmann::detail {

template class lexer<json, tilemeter::test::internal::TextReader>;
template class parser<json, tilemeter::test::internal::TextReader>;
template class lexer<json, input_stream_adapter>;
template class parser<json, input_stream_adapter>;
template class json_sax_dom_parser<json>;
template class json_sax_dom_callback_parser<json>;
template class output_string_adapter<char>;
template class serializer<json>;

}  // namespace nlohmann::detail
