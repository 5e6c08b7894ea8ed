// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Bytes by stack at the instant, from the outermost frame down: Python's stacks where they are recorded, else
// the calls.

const flameCanvas = byId("flame").querySelector("canvas");
const RECORD_STACKS = "record them: ttnn.graph.enable_python_stack_traces() before the capture, or python -m tilemeter.attach --stacks";
let flameHits = [], flameRoot = null;  // the frame that fills the width: its path
let flameAt = null;                    // the frame that keys are at: its path
const isPath = (a, b) => a !== null && b !== null && a.length === b.length && a.every((name, i) => name === b[i]);

/// '  File "model.py", line 51, in f\n    x()' as "f  model.py:51".
function frameLabel(frame) {
  const found = /File "([^"]*)", line (\d+)(?:, in (.*))?/.exec(frame);
  return found ? `${found[3] ? found[3].trim() + "  " : ""}${found[1]}:${found[2]}` : frame.trim();
}
const hasStacks = () => capture.data.stacks.length > 0;
/// From the outermost frame.
function framesOf(maker) {
  if (maker < 0) return ["older than the capture"];
  const stack = capture.stack(maker);
  const calls = capture.path(maker).split(" > ");
  return stack ? [...stack.map(frameLabel).reverse(), calls[0]] : calls;
}
function flameTree() {
  const root = { name: "all", bytes: 0, parts: new Map(), buffer: -1 };
  const add = (frames, bytes, buffer) => {
    let at = root;
    at.bytes += bytes;
    for (const frame of frames) {
      if (!at.parts.has(frame)) at.parts.set(frame, { name: frame, bytes: 0, parts: new Map(), buffer: -1 });
      at = at.parts.get(frame);
      at.bytes += bytes;
      if (at.buffer < 0) at.buffer = buffer;
    }
  };
  for (const row of instant.rows) {
    if (row.buffer !== undefined) add([...framesOf(capture.buffers.maker[row.buffer]), row.label], row.bytes, row.buffer);
  }
  const program = instant.rows.filter(row => row.piece !== undefined);
  if (program.length) {
    const scope = capture.programs.scope[capture.pieces.program[program[0].piece]];
    const top = curveNow(), at = Capture.lastAt(top.node, view.node, top.count);
    add([...framesOf(scope), "program memory"], view.core ? programBytes(program.map(row => row.piece)) : at < 0 ? 0 : top.classes[0][at], -1);
  }
  return root;
}
function drawFlame() {
  const { g, width, height } = context(flameCanvas), size = textSize(1), row = size * 1.5;
  g.clearRect(0, 0, width, height);
  flameHits = [];
  let root = flameTree();
  const known = [];  // of the frame that fills the width: another memory or instant may lack the rest
  for (const name of flameRoot || []) { if (!root.parts.has(name)) break; root = root.parts.get(name); known.push(name); }
  flameRoot = known.length ? known : null;
  const draw = (it, x, w, y, path, depth) => {
    if (w < 1 || y > height - row * 2) return;
    g.fillStyle = depth === 0 ? colour("free") : `hsl(${8 + depth * 7 % 34} 60% ${Number(colour("shade")) - 4 + depth % 3 * 3}%)`;
    g.fillRect(x, y, Math.max(0.5, w - 1), row - 1);
    flameHits.push({ x, y, w, h: row, it, path });
    g.fillStyle = colour("ink"); g.textAlign = "left";
    const name = it.name.replace(/(\S*\/)([^/\s]+:\d+)/, "$2");
    if (w > 24) g.fillText(fitted(g, depth === 0 ? `${name}  ${sized(it.bytes)}` : name, w - 6), x + 3, y + row * .7);
    let from = x;
    for (const part of [...it.parts.values()].sort((a, b) => b.bytes - a.bytes)) {
      const wide = w * part.bytes / Math.max(1, it.bytes);
      draw(part, from, wide, y + row, [...path, part.name], depth + 1);
      from += wide;
    }
  };
  draw(root, 4, width - 8, 2, flameRoot || [], 0);
  const here = document.activeElement === flameCanvas ? flameHits.find(hit => isPath(hit.path, flameAt)) : undefined;
  if (here) { g.strokeStyle = colour("ink"); g.lineWidth = 2; g.strokeRect(here.x + 1, here.y + 1, Math.max(1, here.w - 3), here.h - 3); g.lineWidth = 1; }
  g.fillStyle = colour("soft"); g.textAlign = "left";
  if (!hasStacks()) g.fillText(fitted(g, "by calls: no stack of Python is recorded", width - 8), 4, height - 6);
  flameCanvas.setAttribute("aria-label", `bytes by ${hasStacks() ? "stack" : "call"} at node ${view.node}: ${here ? `${here.it.name} ${sized(here.it.bytes)}` : short(root.bytes)}`);
}
function chooseFrame(hit) {
  if (!hit) return;
  if (hit.it.parts.size === 0 && hit.it.buffer >= 0) { goToBuffer(hit.it.buffer); return; }
  flameRoot = hit.path.length && isPath(hit.path, flameRoot) ? null : hit.path;
  drawMiddle();
}
flameCanvas.addEventListener("click", event => { const hit = within(flameHits, event); if (hit) flameAt = hit.path; chooseFrame(hit); });
flameCanvas.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = flameHits.find(hit => isPath(hit.path, flameAt)) || flameHits[0];
  if (!at) return;
  const beside = by => { const row = flameHits.filter(hit => hit.y === at.y).sort((a, b) => a.x - b.x); return row[row.indexOf(at) + by]; };
  const moves = {
    ArrowDown: () => flameHits.find(hit => hit.path.length === at.path.length + 1 && isPath(hit.path.slice(0, -1), at.path)),
    ArrowUp: () => flameHits.find(hit => isPath(hit.path, at.path.slice(0, -1))),
    ArrowLeft: () => beside(-1),
    ArrowRight: () => beside(1),
  };
  if (event.key in moves) { flameAt = (moves[event.key]() || at).path; drawMiddle(); }
  else if (event.key === "Enter" || event.key === " ") chooseFrame(at);
  else if (event.key === "Escape") { flameRoot = null; drawMiddle(); }
  else return;
  event.preventDefault();
  event.stopPropagation();
});
for (const kind of ["focus", "blur"]) flameCanvas.addEventListener(kind, () => { if (view.middle === "flame") drawMiddle(); });
flameCanvas.addEventListener("dblclick", () => { flameRoot = null; drawMiddle(); });
flameCanvas.addEventListener("pointermove", event => {
  const hit = within(flameHits, event);
  showTip(event, flameCanvas, hit && `${hit.it.name}\n${sized(hit.it.bytes)} ${perUnit()}, ${share(hit.it.bytes, flameTree().bytes)}`);
});
flameCanvas.addEventListener("pointerleave", hideTip);
