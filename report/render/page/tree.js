// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The call tree: who called whom, what stays.

const folded = new Set();
let treeOf = null;
const treeTable = new Table(byId("tree"), "call tree", [
  { key: "name", title: "function", className: "grow", cell: i => {
    const cell = make("span", "swatched"), fold = make("span", "fold", capture.hasCalls[i] && !treeIsSearch ? (folded.has(i) ? "▸" : "▾") : "");
    cell.style.paddingLeft = treeIsSearch ? "0" : `min(${capture.depth[i] * 1.1}em, 40%)`;
    fold.onclick = event => { event.stopPropagation(); foldCall(i); };
    const name = nameCell(i, 1);
    name.classList.add("grow");
    cell.append(fold, name);
    return cell;
  } },
  { key: "time", title: "host time", className: "num time", leaves: 1, cell: i => hostTime(i) },
  { key: "change", title: "stays", className: "num size", cell: i => {
    const change = capture.calls[view.memory + "_change"][i];
    return change === 0 ? "" : (change > 0 ? "+" : "") + short(change);
  } },
], {
  chosen: i => goToCall(i),
  isOn: i => i === view.call,
  hint: i => `${capture.path(i)}\n${lineOf(i)}`,
  mark: (i, element) => {
    if (treeIsSearch) return;
    element.setAttribute("aria-level", capture.depth[i] + 1);
    if (capture.hasCalls[i]) element.setAttribute("aria-expanded", !folded.has(i));
  },
  pressed: (key, i) => {
    if (i === undefined || treeIsSearch || !["ArrowLeft", "ArrowRight"].includes(key)) return false;
    const isOpen = capture.hasCalls[i] && !folded.has(i), at = treeTable.rows.indexOf(i);
    if (capture.hasCalls[i] && isOpen === (key === "ArrowLeft")) { foldCall(i); treeTable.moveTo(treeTable.rows.indexOf(i)); }
    else if (isOpen) treeTable.moveTo(at + 1);
    else if (key === "ArrowLeft" && capture.calls.parent[i] >= 0) treeTable.moveTo(treeTable.rows.indexOf(capture.calls.parent[i]));
    return true;
  },
});
treeTable.host.setAttribute("role", "treegrid");
let treeIsSearch = false, shownInTree = -1;

function foldCall(i) {
  if (folded.has(i)) folded.delete(i); else folded.add(i);
  growTree(new Search(view.search));
}
function foldAll(fold) {
  folded.clear();
  if (fold) for (let i = 0; i < capture.calls.count; ++i) if (capture.hasCalls[i]) folded.add(i);
  growTree(new Search(view.search));
}
function growTree(search) {
  if (treeOf !== capture) {
    treeOf = capture;
    shownInTree = -1;
    folded.clear();
    if (capture.calls.count > 2000) for (const i of capture.outermost) folded.add(i);
  }
  treeIsSearch = !search.isEmpty;
  const rows = [], { parent, count } = capture.calls, hidden = new Uint8Array(count);
  // A call that is newly selected is unfolded; later it can be folded away.
  for (let p = view.call >= 0 && view.call !== shownInTree ? parent[view.call] : -1; p >= 0; p = parent[p]) folded.delete(p);
  shownInTree = view.call;
  for (let i = 0; i < count; ++i) {
    if (treeIsSearch) { if (search.call(i)) rows.push(i); continue; }
    if (parent[i] >= 0 && (hidden[parent[i]] || folded.has(parent[i]))) { hidden[i] = 1; continue; }
    rows.push(i);
  }
  const top = treeTable.host.scrollTop;
  treeTable.setRows(rows);
  treeTable.host.scrollTop = top;
}
