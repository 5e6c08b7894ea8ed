# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of moreh's operations: sums."""

from .tensor_specs import interleaved, interleaved_or_default, row, shape4, spec


def moreh_sum(rng, grid):
    dims = rng.choice((None, rng.randrange(4), sorted(rng.sample(range(4), rng.randrange(1, 5)))))
    return row([spec(shape4(rng, 400), rng.choice(("bfloat16", "bfloat16", "int32")), "TILE", interleaved(rng))],
               {"dim": dims, "keepdim": rng.random() < 0.5}, interleaved_or_default(rng))


CONFIGURATIONS = {
    "moreh_sum": (moreh_sum, lambda ttnn, i, args, out: ttnn.moreh_sum(
        i[0], args["dim"], keepdim=args["keepdim"], memory_config=out)),
}
