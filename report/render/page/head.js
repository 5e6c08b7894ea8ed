// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The head: the verdict with its figures, each failure with what would clear it.

const MOST_SHOWN = 3;
function showHead() {
  const { head, failures, name } = capture.data;
  byId("verdict").textContent = head.words;
  byId("verdict").className = head.verdict;
  byId("name").textContent = name;
  document.title = `${head.words}: ${name} - tilemeter`;
  const item = content => make("li", "", content);
  byId("reasons").replaceChildren(...head.reasons.slice(0, MOST_SHOWN).map(item));
  if (head.reasons.length > MOST_SHOWN) {
    const more = make("details"), entry = make("li");
    const list = make("ul");
    list.append(...head.reasons.slice(MOST_SHOWN).map(item));
    more.append(make("summary", "", `${head.reasons.length - MOST_SHOWN} more`), list);
    entry.append(more);
    byId("reasons").append(entry);
  }
  byId("facts").replaceChildren(...head.facts.map(content => make("span", "", content)));
  byId("failures").replaceChildren(...failures.slice(0, MOST_SHOWN).map(banner));
  document.querySelector("header").classList.toggle("failed", failures.length > 0);
  if (failures.length > MOST_SHOWN) byId("failures").append(make("div", "soft", `and ${failures.length - MOST_SHOWN} more failures`));
  const legend = kind => { const entry = make("span", `legend ${kind}`); entry.append(swatch(kind), make("span", "", wordsOf(kind))); return entry; };
  byId("legend").replaceChildren(...[...capture.kinds, ...(failures.some(failure => failure.refused.length) ? ["refused"] : [])].map(legend));
  if (captures.length > 1) byId("legend").append(make("span", "", `┄ peaks of the same operations ${view.report === 0 ? "after" : "before"}`));
  byId("device").replaceChildren(...capture.data.devices.map((device, i) => new Option(device.id === null ? "unknown" : `${device.id} ${device.arch}`, i)));
  const chips = chipCount();
  byId("chips").hidden = chips < 2;
  byId("chip").replaceChildren(...Array.from({ length: Math.max(1, chips) }, (_, k) => new Option(k + 1, k + 1)));
}

function banner(failure) {
  const box = make("div", "failure");
  const first = make("div", "line");
  first.append(make("b", "", `Failed${failure.goes_on ? " (the program went on)" : ""}: ${failure.operation}`),
    make("span", "soft", `${failure.line ? shortLine(failure.line) + ", " : ""}node ${group(failure.node)}`), button("show the moment", () => goToFailure(failure)));
  box.append(first, make("div", "", failure.message || "its message is not recorded"));
  for (const line of failure.lines) box.append(make("div", "", line));
  if (failure.moves.length) {
    const moves = make("ul");
    for (const move of failure.moves) {
      const b = bufferAt(failure, move.address), entry = make("li");
      const line = b >= 0 && capture.buffers.maker[b] >= 0 ? capture.text(capture.calls.line[capture.buffers.maker[b]]) : "";
      entry.append(b >= 0 ? link(capture.bufferLabel(b), () => go({ buffer: b, call: capture.buffers.maker[b], node: failure.node, memory: failure.memory, device: failure.device })) : make("b", "", move.detail),
        `: ${sized(move.bytes)} ${failure.memory === "l1" ? "per core" : "per bank"}, ${move.name}${line ? `, at ${shortLine(line)}` : ""}; moving it copies ${move.cost}`);
      moves.append(entry);
    }
    box.append(make("div", "", `would be cleared by moving${failure.moves.length > 1 ? " all of" : ""}:`), moves);
  }
  for (const note of failure.notes) box.append(make("div", "soft", "note: " + note));
  if (!hasStacks() && !failure.line) box.append(make("div", "soft", `no line of Python is recorded; ${RECORD_STACKS}`));
  return box;
}
/// The buffer that is alive at a failure's node at an address; -1: there is none, or its address is not known.
function bufferAt(failure, address) {
  if (!address) return -1;
  return capture.live(failure.node, failure.memory, failure.device).find(b => capture.buffers.address[b] === address) ?? -1;
}

function showUse() {
  const use = capture.use(view.memory), { peak_node: peakNode } = memoryNow();
  byId("memory").value = view.memory;
  byId("device").value = view.device;
  byId("chip").value = Math.max(1, view.chip);
  const where = make("span", "soft");
  if (use.operation) where.append("in ", link(use.operation, () => go({ node: peakNode, call: capture.callAt(peakNode), buffer: -1 })), `${use.line ? ` (${shortLine(use.line)})` : ""}, node ${group(use.node)}${capture.training ? capture.training.placeOf(use.node) : ""}`);
  byId("use").replaceChildren(make("span", "", `${use.title}: peak `), ...[make("b", "", use.short), make("span", "", use.percent), make("span", "", use.headroom), where].filter(it => it.textContent));
  if (captures.length > 1) {
    const [before, after] = captures.map(it => it.use(view.memory));
    const known = before.bound === "exact" && after.bound === "exact", growth = after.bytes - before.bytes;
    byId("use").append(make("b", known && growth > 0 ? "bad" : "", `before ${before.short}, after ${after.short}${known ? growth === 0 ? ": the same" : `: ${growth > 0 ? "+" : ""}${short(growth)}` : ""}`));
  }
  byId("roles").replaceChildren(...(capture.training ? capture.training.peakParts() : []));
  byId("use").title = use.peak;
  const caveats = capture.data.caveats.filter(caveat => view.memory === "l1" || !/\bL1\b/.test(caveat));
  byId("caveats").textContent = byId("caveats").title = caveats.length ? "note: " + caveats.join("; ") : "";
  document.querySelectorAll(".legend.program").forEach(it => { it.hidden = view.memory !== "l1"; });
  byId("state").textContent = peakNode < 0 ? `nothing in ${view.memory === "l1" ? "L1" : "DRAM"}` : `${group(capture.calls.count)} calls, ${group(capture.buffers.count)} buffers`;
  byId("report-switch").hidden = captures.length < 2;
  byId("report-switch").textContent = captures.length < 2 ? "" : `shown: ${view.report === 0 ? "before" : "after"}`;
}
