// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What is looked at, and its address: everything that a click changes stands in the fragment of the page's
// address, so that it can be sent, and the browser's back button takes it back.

const TABS = { left: ["operations", "buffers", "tree", "kept", "compare"], middle: ["map", "cores", "flame", "sizes", "recompute"] };
/// Whether there is anything behind a tab.
function hasTab(name) {
  if (name === "compare") return captures.length > 1;
  if (name === "kept") return capture.training !== null;
  if (name === "sizes" || name === "recompute") return capture.training !== null && capture.training.data[name] !== undefined;
  return true;
}
const view = {
  report: 0, memory: "l1", device: 0, node: 0,
  call: -1, buffer: -1,       // what is selected
  core: "", chip: 0,          // "3,4": whose map; "": of all
  left: "operations", middle: "map",
  search: "", folded: false,  // repeated layers
  byAddress: false,           // the chart: where things lie, instead of how much they are
  size: 0, point: 0,          // of a training step: the batch, the schedule
  from: 0, to: 1,             // of the chart, along its axis
};
let captures = [], capture = null;
const memoryNow = () => capture.memory(view.memory, view.device);
const curveNow = () => capture.curve(view.memory, view.device);
const perUnit = () => view.memory === "l1" ? "per core" : "per bank";

function fragment() {
  const parts = [`node=${view.node}`, `memory=${view.memory}`];
  const add = (name, value, usual) => { if (value !== usual) parts.push(`${name}=${encodeURIComponent(value)}`); };
  add("report", view.report, captures.length - 1);
  add("device", view.device, 0);
  add("call", view.call, -1);
  add("buffer", view.buffer, -1);
  add("core", view.core, "");
  add("chip", view.chip, 0);
  add("left", view.left, "operations");
  add("middle", view.middle, "map");
  add("search", view.search, "");
  add("folded", view.folded, false);
  if (view.byAddress) parts.push("chart=address");
  if (hasTab("sizes")) add("size", view.size, usualSize());
  add("point", view.point, 0);
  const from = Math.round(nodeOf(view.from)), to = Math.round(nodeOf(view.to));
  if (from > 0 || to < capture.end) parts.push(`from=${from}`, `to=${to}`);
  return "#" + parts.join("&");
}

/// The call that a page without a word on it opens with: the failing one, or where the instant is.
function openingCall() {
  const failure = capture.data.failures.find(it => it.node === view.node);
  return failure ? failure.scope : capture.callAt(view.node);
}
/// Text as a fragment spells it; null: it is damaged.
function decoded(spelled) {
  try { return decodeURIComponent(spelled); } catch { return null; }
}
/// What a fragment says, as far as it can be read; the rest as it is.
function readFragment(address) {
  const said = new Map();
  for (const part of address.replace(/^#/, "").split("&")) {
    const [name, value] = part.split("=", 2).map(decoded);
    if (name && value !== null && value !== undefined) said.set(name, value);
  }
  const number = (name, least, most, usual) => {
    const value = Number(said.get(name));
    return said.has(name) && Number.isInteger(value) && value >= least && value < most ? value : usual;
  };
  const one = (name, words, usual) => words.includes(said.get(name)) ? said.get(name) : usual;
  view.report = number("report", 0, captures.length, captures.length - 1);
  capture = captures[view.report];
  view.memory = one("memory", ["l1", "dram"], capture.data.opening.memory);
  view.device = number("device", 0, capture.data.devices.length, said.has("node") ? 0 : capture.data.opening.device);
  view.node = number("node", 0, capture.end + 1, Math.max(0, said.has("memory") ? memoryNow().peak_node : capture.data.opening.node));
  view.call = number("call", 0, capture.calls.count, -1);
  view.buffer = number("buffer", 0, capture.buffers.count, -1);
  if (!said.has("node") && view.call < 0 && view.buffer < 0) view.call = openingCall();
  view.core = hasCore(said.get("core")) ? said.get("core") : "";
  view.chip = number("chip", 0, chipCount() + 1, 0);
  view.left = one("left", TABS.left.filter(hasTab), captures.length > 1 && !said.has("node") ? "compare" : "operations");
  view.middle = one("middle", TABS.middle.filter(hasTab), "map");
  view.search = said.get("search") || "";
  view.folded = said.get("folded") === "true";
  view.byAddress = said.get("chart") === "address";
  if (hasTab("sizes")) view.size = number("size", sizesOf().smallest, sizesOf().largest + 1, usualSize());
  view.point = number("point", 0, hasTab("recompute") ? capture.training.data.recompute.points.length : 1, 0);
  layAxis();
  const from = number("from", 0, capture.end + 1, 0), to = number("to", 1, capture.end + 1, capture.end);
  view.from = axisOf(Math.min(from, to));
  view.to = from < to ? axisOf(to) : axisEnd();
}

let steps = 0;  // that were made on this page, whether or not they were taken back
function remember(replace) {
  const address = fragment();
  if (address === location.hash) return;
  try {
    if (replace) history.replaceState(null, "", address); else { history.pushState(null, "", address); ++steps; }
  } catch { /* a frame without an address of its own */ }
}
let rememberLater = 0;
/// Zooming is no step of its own.
function rememberSoon() {
  clearTimeout(rememberLater);
  rememberLater = setTimeout(() => remember(true), 250);
}

/// Goes there, as one step that can be taken back.
function go(change) {
  const report = view.report, memory = view.memory, device = view.device, node = view.node;
  Object.assign(view, change);
  if (view.report !== report) {
    capture = captures[view.report];
    Object.assign(view, { device: Math.min(view.device, capture.data.devices.length - 1), call: -1, buffer: -1, core: "", chip: Math.min(view.chip, chipCount()), ...change });
    view.device = Math.max(0, view.device);
    if (change.node === undefined) view.node = Math.max(0, memoryNow().peak_node);
    layAxis();
    view.from = 0;
    view.to = axisEnd();
  } else if ((view.memory !== memory || view.device !== device) && change.node === undefined) {
    view.node = Math.max(0, memoryNow().peak_node);
  }
  if (view.node !== node || view.memory !== memory) resetMap();
  remember(false);
  show();
}

/// A call: its fullest moment.
function goToCall(i, more = {}) {
  go({ call: i, buffer: -1, node: capture.fullestOf(i, view.memory, view.device), ...more });
  bringIntoView(capture.calls.begin[i], capture.calls.end[i]);
}
/// A buffer, where it is alive: at the instant, else at its fullest moment.
function goToBuffer(b, more = {}) {
  const { begin, end, memory, device, maker } = capture.buffers;
  const alive = begin[b] <= view.node && end[b] > view.node;
  const place = { memory: isDram(memory[b]) ? "dram" : "l1", device: device[b] };
  let node = view.node;
  if (!alive) {
    const curve = capture.curve(place.memory, place.device);
    const best = curve.fullest(curve.firstAt(begin[b]), curve.firstAt(end[b]));
    node = best < 0 ? begin[b] : curve.node[best];
  }
  go({ buffer: b, call: maker[b], node, ...place, ...more });
  bringIntoView(begin[b], end[b]);
}
function goToFailure(failure) {
  const place = failure.is_memory ? { memory: failure.memory, device: failure.device } : {};
  view.from = 0;
  view.to = axisEnd();
  go({ node: failure.node, call: failure.scope, buffer: -1, middle: "map", core: "", ...place });
}
function step(by) {
  const curve = curveNow();
  const at = Capture.lastAt(curve.node, view.node, curve.count);
  const next = by > 0 ? at + 1 : curve.node[at] === view.node ? at - 1 : at;
  if (next >= 0 && next < curve.count) { go({ node: curve.node[next], call: capture.callAt(curve.node[next]), buffer: -1 }); bringIntoView(view.node, view.node); }
}
function stepOperation(by) {
  const at = capture.operationAt(view.node) + by;
  if (at >= 0 && at < capture.outermost.length) goToCall(capture.outermost[at]);
}
