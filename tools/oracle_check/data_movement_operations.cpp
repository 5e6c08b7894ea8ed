// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"
#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

OperationTable data_movement_operations() {
    OperationTable operations = {
        {"expand", call_with_names<Expand>({{"output_shape", "sizes"}})},
        {"fill_implicit_tile_padding", call_with_names<FillImplicitTilePadding>({}, {{"fill_value", 1.0}})},
        {"index_fill", call_with_names<IndexFill>({}, {{"value", 2.0}})},
        {"repeat", call_with_names<Repeat>({{"repeat_dims", "times"}})},
        {"roll", call_with_names<Roll>({{"dim", "dims"}})},
        {"slice", call_with_names<Slice>({{"slice_start", "start"}, {"slice_end", "end"}})},
        {"to_layout", call_with_names<ToLayout>({{"layout", "to"}})},
        {"transpose", call_with_names<Transpose>({{"dim1", "dim0"}, {"dim2", "dim1"}})},
        {"typecast", call_with_names<Typecast>({{"dtype", "to"}})},
    };
    add_definitions(operations, DataMovementDefinitions());
    return operations;
}

}  // namespace tilemeter::oracle
