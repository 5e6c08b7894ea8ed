// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Bytes by stack at the instant, from the outermost frame down: Python's stacks where they are recorded, else
// the calls.

const flameCanvas = byId("flame").querySelector("canvas");
const RECORD_STACKS = "record them: ttnn.graph.enable_python_stack_traces() before the capture, or python -m tilemeter.attach --stacks";
let flameHits = [], flameRoot = null;  // the frame that fills the width: its path

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
  g.fillStyle = colour("soft"); g.textAlign = "left";
  if (!hasStacks()) g.fillText(fitted(g, "by calls: no stack of Python is recorded", width - 8), 4, height - 6);
  flameCanvas.setAttribute("aria-label", `bytes by ${hasStacks() ? "stack" : "call"} at node ${view.node}: ${short(root.bytes)}`);
}
flameCanvas.addEventListener("click", event => {
  const hit = within(flameHits, event);
  if (!hit) return;
  if (hit.it.parts.size === 0 && hit.it.buffer >= 0) { goToBuffer(hit.it.buffer); return; }
  flameRoot = hit.path.length && flameRoot && hit.path.join("\n") === flameRoot.join("\n") ? null : hit.path;
  drawMiddle();
});
flameCanvas.addEventListener("dblclick", () => { flameRoot = null; drawMiddle(); });
flameCanvas.addEventListener("pointermove", event => {
  const hit = within(flameHits, event);
  showTip(event, flameCanvas, hit && `${hit.it.name}\n${sized(hit.it.bytes)} ${perUnit()}, ${share(hit.it.bytes, flameTree().bytes)}`);
});
flameCanvas.addEventListener("pointerleave", hideTip);
