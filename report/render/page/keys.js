// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Keys for all of it; `?` shows them.

const KEYS = [
  ["?", "these keys", () => byId("help").showModal()],
  ["/", "search", () => { byId("search").focus(); byId("search").select(); }],
  ["o", "operations", () => focusTab("left", "operations")],
  ["b", "buffers", () => focusTab("left", "buffers")],
  ["t", "call tree", () => focusTab("left", "tree")],
  ["a", "alive at the instant", () => byId("live").focus()],
  ["h", "what the way back of a training step keeps", () => hasTab("kept") && focusTab("left", "kept")],
  ["n", "peaks by size", () => hasTab("sizes") && focusTab("middle", "sizes")],
  ["l", "schedules that compute again", () => hasTab("recompute") && focusTab("middle", "recompute")],
  ["v", "both reports beside each other", () => captures.length > 1 && focusTab("left", "compare")],
  ["m", "map", () => focusTab("middle", "map")],
  ["c", "cores", () => focusTab("middle", "cores")],
  ["f", "flame graph", () => focusTab("middle", "flame")],
  ["p", "to the peak", () => toPeak()],
  ["x", "to the next failure", () => toFailure()],
  ["d", "the other memory", () => go({ memory: view.memory === "l1" ? "dram" : "l1", buffer: -1 })],
  ["r", "the other report", () => captures.length > 1 && toOtherReport()],
  ["ArrowRight", "the next change of memory", () => step(1)],
  ["ArrowLeft", "the one before", () => step(-1)],
  ["]", "the next operation", () => stepOperation(1)],
  ["[", "the one before", () => stepOperation(-1)],
  ["+", "zoom in", () => zoomBy(0.6)],
  ["-", "zoom out", () => zoomBy(1 / 0.6)],
  [">", "along the chart", () => pan(0.25)],
  ["<", "back along it", () => pan(-0.25)],
  ["w", "the whole capture", () => zoomTo(0, axisEnd())],
  ["z", "fold repeated layers", () => foldLayers()],
  ["y", "the chart up to all that can be allocated", () => { fullScale = !fullScale; redrawChart(); }],
  ["q", "the chart by address: where things lie", () => go({ byAddress: !view.byAddress })],
  ["g", "equal things as one row", () => toggleGroups()],
  ["s", "sort by the next column", () => sortNext()],
  ["e", "sort the other way", () => sortNext(true)],
  ["i", "zoom into the map", () => zoomMap(0.6)],
  ["u", "zoom out of it", () => zoomMap(1 / 0.6)],
  ["0", "the whole map, all cores", () => { resetMap(); go({ core: "" }); }],
];
const KEY_NAMES = { ArrowRight: "→", ArrowLeft: "←" };

const tableNow = () => ({ operations: operationTable, buffers: bufferTable, tree: treeTable, kept: keptTable, compare: compareTable })[view.left];
function focusTab(side, name) {
  go({ [side]: name });
  if (side === "left") tableNow().host.focus();
  else if (name === "cores") coresCanvas.focus();
  else if (name === "flame") flameCanvas.focus();
  else if (name === "sizes") byId("size").focus();
  else if (name === "recompute") byId("point").focus();
}
function toPeak() {
  const node = Math.max(0, memoryNow().peak_node);
  go({ node, call: capture.callAt(node), buffer: -1 });
  bringIntoView(node, node);
}
function toFailure() {
  const { failures } = capture.data;
  if (failures.length) goToFailure(failures[(failures.findIndex(it => it.node === view.node) + 1) % failures.length]);
}
function toggleGroups() {
  grouped = !grouped;
  byId("group").setAttribute("aria-pressed", grouped);
  show();
}
function sortNext(turn) {
  const it = tableNow(), sortable = it.columns.filter(column => column.sort);
  if (!sortable.length) return;
  const at = it.sorted ? sortable.indexOf(it.sorted.column) : -1;
  if (turn && at >= 0) it.sortBy(sortable[at], !it.sorted.down);
  else { const next = sortable[(at + 1) % sortable.length]; it.sortBy(next, !!next.down); }
}

function prepareKeys() {
  const list = make("dl", "keys");
  for (const [key, what] of [...KEYS, ["↓ ↑ Enter", "in a table: move, choose"], ["← →", "in the call tree: fold, unfold; in the flame graph with ↓ ↑: move"], ["Esc", "out of the search, or of this"]]) list.append(make("dt", "", KEY_NAMES[key] || key), make("dd", "", what));
  byId("keys").replaceChildren(list);
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (event.target.type === "range" && /^(Arrow|Page|Home|End)/.test(event.key)) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range";
    if (typing) {
      if (event.target !== byId("search")) return;
      if (event.key === "Escape") { byId("search").value = ""; searchFor(); tableNow().host.focus(); }
      else if (event.key === "Enter" || event.key === "ArrowDown") { searchFor(); tableNow().host.focus(); }
      else return;
      event.preventDefault();
      return;
    }
    if (event.target.getAttribute("role") === "tab" && /^Arrow/.test(event.key)) return;
    const found = KEYS.find(([key]) => key === event.key);
    if (!found) return;
    found[2]();
    event.preventDefault();
  });
}
