// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Words and figures as the page writes them, and elements made of them.

const byId = id => document.getElementById(id);
const group = n => n.toLocaleString("en-US");

function short(n) {
  const sign = n < 0 ? "-" : "";
  n = Math.abs(n);
  if (n < 1024) return `${sign}${n} B`;
  let unit = -1;
  for (; n >= 1024 && unit < 3; ++unit) n /= 1024;
  const digits = unit === 0 ? 1 : 2, scaled = n * 10 ** digits;
  const tie = scaled % 1 === 0.5 ? Math.floor(scaled) % 2 : Math.round(scaled) - Math.floor(scaled);  // to even, as in the head
  return sign + ((Math.floor(scaled) + tie) / 10 ** digits).toFixed(digits) + " " + ["KiB", "MiB", "GiB", "TiB"][unit];
}
const sized = n => Math.abs(n) < 1024 ? short(n) : `${group(n)} B (${short(n)})`;
const duration = ns => ns >= 1e9 ? (ns / 1e9).toFixed(2) + " s" : ns >= 1e6 ? (ns / 1e6).toFixed(2) + " ms" : ns >= 1e3 ? (ns / 1e3).toFixed(1) + " us" : ns + " ns";
function share(part, whole) {
  if (!(whole > 0)) return "";
  const percent = part / whole * 100;
  return `${percent >= 1000 ? group(Math.round(percent)) : percent === 0 ? "0" : percent < 0.01 ? "less than 0.01" : percent.toPrecision(part >= whole ? 3 : 2)} %`;
}

/// "Shape([1, 1, 32, 64]) BFLOAT16 TILE" as "[32, 64] bf16": tiles are the rule.
const DTYPES = { BFLOAT16: "bf16", FLOAT32: "f32", BFLOAT8_B: "bfp8", BFLOAT4_B: "bfp4", UINT32: "u32", INT32: "i32", UINT16: "u16", UINT8: "u8" };
function shortType(type) {
  return type.replace(/Shape\(\[((?:1, )*)([^\]]*)\]\)/g, (_, ones, rest) => `[${rest.includes(",") ? rest : ones.slice(0, 3) + rest}]`).replace(/\b[A-Z]+\d+(_B)?\b/g, name => DTYPES[name] || name)
    .replace(/ TILE\b/, "").replace(/ ROW_MAJOR\b/, " row-major");
}
/// The end of a path, with its line: "script.py:28".
const shortLine = line => line.slice(line.lastIndexOf("/") + 1);

function make(tag, className, content) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (content !== undefined) element.textContent = content;
  return element;
}
function button(content, act, className) {
  const element = make("button", className, content);
  element.type = "button";
  element.onclick = act;
  return element;
}

const style = getComputedStyle(document.documentElement);
let colours = new Map();
function colour(name) {
  if (!colours.has(name)) colours.set(name, style.getPropertyValue("--" + name).trim());
  return colours.get(name);
}
const KINDS = ["program", "temporary", "persistent", "stale", "older"];
const KIND_WORDS = { program: "program", temporary: "temporary", persistent: "persistent", stale: "not used any more", older: "older than the capture" };
const wordsOf = kind => KIND_WORDS[kind] || kind.replace(/_/g, " ");
/// One hue per class; things beside each other differ in lightness.
function shade(kind, i = 0) {
  if (kind === "program" || kind === "free") return colour(kind);
  return `hsl(${colour(kind)} ${Number(colour("shade")) + i * 5 % 3 * Number(colour("shade-step"))}%)`;
}

/// A canvas as large as it is shown, its context in CSS pixels.
function context(canvas) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const g = canvas.getContext("2d");
  g.scale(ratio, ratio);
  g.font = `${textSize(0.85)}px system-ui, sans-serif`;
  return { g, width, height };
}
const textSize = times => Math.round(parseFloat(getComputedStyle(document.body).fontSize) * times);

function hatch(g) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const t = tile.getContext("2d");
  t.strokeStyle = colour("bad"); t.lineWidth = 1.5;
  for (const x of [-8, 0, 8]) { t.beginPath(); t.moveTo(x, 8); t.lineTo(x + 8, 0); t.stroke(); }
  return g.createPattern(tile, "repeat");
}

/// As much of a text as fits.
function fitted(g, content, width) {
  if (g.measureText(content).width <= width) return content;
  let length = Math.floor(content.length * width / g.measureText(content).width);
  while (length > 1 && g.measureText(content.slice(0, length) + "…").width > width) --length;
  return length > 3 ? content.slice(0, length) + "…" : "";
}

function showTip(event, host, content) {
  const tip = byId("tip");
  if (!content) { tip.style.display = "none"; return; }
  tip.textContent = content;
  tip.style.display = "block";
  const box = host.getBoundingClientRect();
  const x = box.left + event.offsetX, y = box.top + event.offsetY;
  tip.style.left = Math.max(0, Math.min(x + 14, document.documentElement.clientWidth - tip.offsetWidth - 4)) + "px";
  tip.style.top = Math.max(0, y + 14 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 8 : y + 14) + "px";
}
const hideTip = () => { byId("tip").style.display = "none"; };
