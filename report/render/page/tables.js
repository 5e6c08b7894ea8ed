// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The tables of operations and buffers, and what is alive at the instant. Equal things are one row, with a count,
// where that is wished for; its figures are those of one.

let grouped = false;
const swatch = kind => { const mark = make("i"); if (kind === "refused") mark.className = "hatched"; else mark.style.background = shade(kind); return mark; };
function withSwatch(kind, content) { const cell = make("span", "swatched"); cell.append(swatch(kind), make("span", "grow", content)); return cell; }
const times = (count, content) => count > 1 ? `${group(count)} x ${content}` : content;

/// Rows {at, count, members}: of each key the one that is the most by `most`, in the order of their first.
function groupRows(list, key, most) {
  if (!grouped) return list.map(at => ({ at, count: 1 }));
  const groups = new Map();
  for (const at of list) {
    const it = groups.get(key(at));
    if (!it) { groups.set(key(at), { at, count: 1 }); continue; }
    ++it.count;
    if (most(at) > most(it.at)) it.at = at;
  }
  return [...groups.values()];
}

function nameCell(i, count) {
  const note = capture.failed.get(i) || (capture.calls.aborted[i] ? "aborted" : "");
  return make("span", note ? "bad" : "", (note ? "✖ " : "") + times(count, capture.callLabel(i)) + (note ? ` (${note})` : ""));
}
/// Of a call that has no end none is recorded.
const hostTime = i => capture.calls.open[i] || (capture.calls.ns[i] === 0 && (capture.calls.aborted[i] || capture.failed.has(i))) ? "not ended" : duration(capture.calls.ns[i]);
const peakOf = i => capture.calls[view.memory][i];
const callKey = i => capture.calls.name[i] * 1e7 + capture.calls.result[i];

const operationTable = new Table(byId("operations"), "operations", [
  { key: "node", title: "node", className: "num node", leaves: 4, cell: row => group(capture.calls.begin[row.at]), sort: row => capture.calls.begin[row.at] },
  { key: "name", title: "operation", className: "grow", cell: row => nameCell(row.at, row.count), sort: row => capture.callLabel(row.at) },
  { key: "line", title: "line", className: "line-cell", leaves: 3, cell: row => make("bdi", "", shortLine(lineOf(row.at))), sort: row => lineOf(row.at) },
  { key: "pass", title: "pass", className: "pass-cell", leaves: 2, cell: row => passOf(row.at), sort: row => passOf(row.at) },
  { key: "time", title: "host time", className: "num time", leaves: 1, cell: row => hostTime(row.at), sort: row => capture.calls.ns[row.at], down: true },
  { key: "peak", title: "peak", className: "num size", cell: row => short(peakOf(row.at)), sort: row => peakOf(row.at), down: true },
], {
  chosen: row => goToCall(row.at),
  isOn: row => view.call >= 0 && (row.at === view.call || (capture.depth[row.at] === 0 && capture.tops[view.call] === row.at) ||
    (row.count > 1 && callKey(row.at) === callKey(capture.tops[view.call]))),
  hint: row => `${capture.path(row.at)}\n${capture.text(capture.calls.result[row.at])}\n${lineOf(row.at)}`,
});
operationTable.sorted = { column: operationTable.columns[5], down: true };

const bufferTable = new Table(byId("buffers"), "buffers", [
  { key: "name", title: "buffer", className: "grow", cell: row => withSwatch(capture.kind(row.at), times(row.count, capture.bufferLabel(row.at))), sort: row => capture.bufferLabel(row.at) },
  { key: "role", title: "role", className: "role-cell", leaves: 4, cell: row => wordsOf(capture.kind(row.at)), sort: row => capture.kind(row.at) },
  { key: "ids", title: "tensor", className: "num ids", leaves: 2, cell: row => capture.ids(row.at).replace("tensor ", "").replace(" in the viewer", ""), sort: row => capture.buffers.tensor[row.at] },
  { key: "address", title: "address", className: "num address", leaves: 3, cell: row => capture.buffers.address[row.at] ? group(capture.buffers.address[row.at]) : "", sort: row => capture.buffers.address[row.at] },
  { key: "begin", title: "from", className: "num node", leaves: 1, cell: row => group(capture.buffers.begin[row.at]), sort: row => capture.buffers.begin[row.at] },
  { key: "bytes", title: "bytes", className: "num size", cell: row => short(capture.buffers.bytes[row.at]), sort: row => capture.buffers.bytes[row.at], down: true },
], {
  chosen: row => goToBuffer(row.at),
  isOn: row => row.at === view.buffer || (row.count > 1 && view.buffer >= 0 && capture.isIn(view.buffer, view.memory, view.device) && bufferKey(row.at) === bufferKey(view.buffer)),
  hint: row => `${capture.ids(row.at)}\n${capture.text(capture.buffers.shape[row.at])}`,
});
bufferTable.sorted = { column: bufferTable.columns[5], down: true };
const bufferKey = b => `${capture.bufferLabel(b)} ${capture.buffers.bytes[b]}`;

/// What a search finds of what is in one memory of one device.
const callsFound = search => Array.from({ length: capture.calls.count }, (_, i) => i).filter(i => search.call(i));
const buffersFound = search => Array.from({ length: capture.buffers.count }, (_, b) => b).filter(b => capture.isIn(b, search.memory, search.device) && (search.isEmpty || search.buffer(b)));
/// Of a search that found nothing, or only programs, where else there is something.
function foundElsewhere(found, what) {
  const { devices } = capture.data, said = [];
  const number = view.search.trim() && Number(view.search.trim().replace(/,/g, "")), programs = what === "buffers" && number > 0 ? new Search("").runAt(number).size : 0;
  if (programs) said.push(`program memory of ${group(programs)} calls`);
  for (const memory of ["l1", "dram"])
    for (let device = 0; device < devices.length && !programs; ++device) {
      if (memory === view.memory && device === view.device) continue;
      const count = found(new Search(view.search, memory, device)).length;
      if (count) said.push(`${group(count)} in ${memory === "l1" ? "L1" : "DRAM"}${devices.length > 1 ? ` of device ${devices[device].id ?? "unknown"}` : ""}`);
    }
  return said.length ? `; ${said.join(", ")}` : "";
}

let searched = "";
/// Fills the table in sight with what is searched for; rows keep their order.
function fillTables() {
  const key = [view.report, view.left, view.search, view.memory, view.device, grouped].join("|");
  byId("search").value !== view.search && (byId("search").value = view.search);
  if (key === searched) return false;
  searched = key;
  const search = new Search(view.search);
  let rows = [], what = "";
  if (view.left === "operations") {
    let list = capture.outermost;
    what = "operations";
    if (!search.isEmpty) { list = callsFound(search); what = "calls"; }
    rows = groupRows(list, callKey, peakOf);
    operationTable.setRows(rows);
  } else if (view.left === "buffers") {
    const list = buffersFound(search);
    rows = groupRows(list, bufferKey, b => capture.buffers.bytes[b]);
    what = "buffers";
    bufferTable.setRows(rows);
  } else if (view.left === "tree") { growTree(search); rows = treeTable.rows; what = "calls"; }
  else if (view.left === "kept") { fillKept(search); rows = keptTable.rows; what = "kept buffers"; }
  else { fillCompare(search); rows = compareTable.rows; what = "operations"; }
  const found = { calls: callsFound, buffers: buffersFound }[what];
  const count = rows.reduce((sum, row) => sum + (row.count || 1), 0), groups = count > rows.length ? ` in ${group(rows.length)} groups` : "";
  byId("found").textContent = `${group(count)} ${what}${groups}${found && rows.length === 0 && !search.isEmpty ? foundElsewhere(found, what) : ""}`;
  return true;
}

// ---- at the instant

/// Rows {address, bytes, label, kind, buffer, piece, free, refused} from the highest address.
let instant = { rows: [], refused: [], free: [], addressed: false };

/// Between what is there; only where all addresses are known.
function holes(rows, memory) {
  const free = [];
  if (memory.end <= memory.begin || !rows.every(row => row.address > 0)) return free;
  let reached = memory.begin;
  const until = end => { if (end > reached) free.push({ address: reached, bytes: end - reached, label: "free", kind: "free", free: true }); };
  for (const row of [...rows].sort((a, b) => a.address - b.address)) {
    until(Math.min(row.address, memory.end));
    reached = Math.max(reached, row.address + row.bytes);
  }
  until(memory.end);
  return free;
}

/// What a failure at this very node was refused. A request has no address: it is put where it would need the
/// tensors that have to go, else over the largest hole and what is beside it.
function refusedAt(node, free, memory) {
  const failure = capture.data.failures.find(it => it.node === node && it.memory === view.memory && it.device === view.device);
  if (!failure) return [];
  return failure.refused.map(part => {
    let address = part.address;
    if (address === null && free.length) {
      const lowest = failure.moves.length ? Math.min(...failure.moves.map(move => move.address)) : 0;
      const below = free.find(hole => hole.address + hole.bytes === lowest);
      const largest = free.reduce((a, b) => b.bytes > a.bytes ? b : a);
      address = below ? below.address : lowest || largest.address;
      if (address + part.bytes > memory.end) address = Math.max(memory.begin, memory.end - part.bytes);
    } else if (address === null && memory.end > 0) address = view.memory === "l1" ? memory.begin : Math.max(memory.begin, memory.end - part.bytes);
    return { address: address || 0, bytes: part.bytes, label: `refused: ${part.name}`, kind: "refused", refused: true };
  });
}

/// What was there before the capture and no node tells of, so that it stays to its end: known by a failure's message.
function unlistedNow() {
  const there = capture.data.failures.filter(it => it.memory === view.memory && it.device === view.device && it.unlisted.length);
  return (there.find(it => it.node === view.node) || there[0] || { unlisted: [] }).unlisted;
}

function findInstant() {
  const memory = memoryNow(), { buffers, pieces } = capture;
  const rows = capture.live(view.node, view.memory, view.device).map(b =>
    ({ address: buffers.address[b], bytes: buffers.bytes[b], label: capture.bufferLabel(b), kind: capture.kind(b, view.node), buffer: b }));
  if (view.memory === "l1")
    for (const p of capture.livePieces(view.node, view.device, view.chip))
      if (view.core === "" || isOnCore(pieces.cores[p], view.core))
        rows.push({ address: pieces.address[p], bytes: pieces.bytes[p], label: capture.text(pieces.kind[p]), kind: "program", piece: p });
  const listed = [...rows], unlisted = unlistedNow().filter(part => listed.every(row => row.address >= part.address + part.bytes || row.address + row.bytes <= part.address));
  for (const part of unlisted) rows.push({ ...part, label: "older, not in the list", kind: "older" });
  const addressed = rows.length > 0 && rows.every(row => row.address > 0);
  const free = holes(rows, memory), refused = refusedAt(view.node, free, memory);
  const all = [...rows, ...free].sort((a, b) => b.address - a.address || b.bytes - a.bytes);
  instant = { rows: all, refused, free, addressed, taken: rows.length };
  const isKnown = (view.memory === "dram" && unlisted.length > 0) || (capture.use(view.memory).bound === "exact" && !memory.older_unknown);
  const largest = free.length ? (isKnown ? "" : "at most ") + sized(Math.max(...free.map(f => f.bytes)))
    : rows.length > 0 && addressed && memory.end > memory.begin ? "nothing" : "not known" + (rows.length > 0 ? " (no addresses)" : "");
  const inside = capture.callAt(view.node);
  const core = view.memory === "l1" && view.core !== "" ? coresNow().find(it => view.core === `${it.x},${it.y}`) : undefined;
  byId("instant").replaceChildren(`node ${group(view.node)}`, ...(inside >= 0 ? [" in ", make("span", "clamped", capture.callName(inside))] : []), `: ${core ? `core ${view.core} ${short(core.bytes)}` : short(curveNow().totalAt(view.node))}, largest free ${largest}`);
  byId("instant").title = byId("instant").textContent;
  liveTable.setRows([...refused, ...groupLive(all)]);
}
function groupLive(rows) {
  if (!grouped) return rows;
  const groups = new Map();
  for (const row of rows) {
    const key = `${row.kind} ${row.label} ${row.bytes}`, it = groups.get(key);
    if (it && !row.free) { ++it.count; it.members.push(row.buffer); continue; }
    groups.set(row.free ? row : key, { ...row, count: 1, members: [row.buffer] });
  }
  return [...groups.values()];
}

const liveTable = new Table(byId("live"), "alive at the instant", [
  { key: "address", title: "address", className: "num address", leaves: 1, cell: row => row.address ? group(row.address) : "", sort: row => row.address, down: true },
  { key: "label", title: "what", className: "grow", cell: row => withSwatch(row.kind, times(row.count || 1, row.label)), sort: row => row.label },
  { key: "bytes", title: "bytes", className: "num size", cell: row => short(row.bytes), sort: row => row.bytes, down: true },
], {
  chosen: row => {
    if (row.buffer !== undefined) goToBuffer(row.buffer);
    else if (row.piece !== undefined) goToCallHere(capture.programs.scope[capture.pieces.program[row.piece]]);
    else showOnMap(row);
  },
  isOn: row => row.buffer !== undefined && (row.members || [row.buffer]).includes(view.buffer),
  hint: row => `${row.label}${row.buffer !== undefined ? "\n" + capture.ids(row.buffer) : ""}\n${sized(row.bytes)}${row.address ? " at " + group(row.address) : ""}${row.count > 1 ? `, ${group(row.count)} x: ${sized(row.bytes * row.count)}` : ""}`,
  mark: (row, element) => { if (row.refused) element.classList.add("refused"); },
});
/// A call as the selected one, at the instant that is.
function goToCallHere(i) { go({ call: i, buffer: -1 }); }
