// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A process that records, while it runs: what `tilemeter watch` says of it, asked for twice a second.

const EACH = 500, MOST_SAMPLES = 1200;  // milliseconds; ten minutes
const STATES = { recording: "RECORDING", ended: "ENDED", died: "DIED" };
const MEMORIES = [["l1_per_core", "L1 per core"], ["dram_per_bank", "DRAM per bank"]];
let samples = [];  // {at, rate, said}
let said = null, later = 0, asks = true;

const devicesOf = state => state.devices.flatMap(device => MEMORIES.map(([member, title]) => ({ key: `${device.device}-${member}`, title: `device ${device.device}: ${title}`, ...device[member] })));

async function look() {
  try {
    const response = await fetch("live.json", { cache: "no-store" });
    const text = await response.text();
    if (!response.ok) throw new Error(text.trim());
    take(JSON.parse(text));
    byId("trouble").textContent = "";
  } catch (error) {
    pause(true);
    byId("trouble").textContent = `no answer (${error.message}): tilemeter open has ended, or cannot read the recording. What is shown is the last that was known`;
    return;
  }
  if (asks && said.state === "recording") later = setTimeout(look, EACH);
}
function take(state) {
  const at = performance.now(), last = samples[samples.length - 1];
  // Over a second at least: what is published comes in pieces.
  const from = samples.find(it => it.at >= at - 2000) || last;
  const rate = from && at > from.at ? Math.max(0, (state.operation_count - from.said.operation_count) / (at - from.at) * 1000) : 0;
  samples.push({ at, rate, said: state });
  if (samples.length === 2) samples[0].rate = rate;
  if (samples.length > MOST_SAMPLES) samples = samples.slice(-MOST_SAMPLES);
  said = state;
  show();
}
function pause(stop) {
  asks = !stop;
  clearTimeout(later);
  byId("pause").textContent = stop ? "look again" : "stop looking";
  byId("pause").setAttribute("aria-pressed", stop);
  if (!stop) look();
}

function figure(value, what) {
  const part = make("span");
  part.append(make("b", "", value), ` ${what} `);
  return part;
}
function show() {
  const { lost_event_count: lost, state } = said, { rate } = samples[samples.length - 1];
  byId("verdict").textContent = STATES[state];
  byId("verdict").className = state;
  document.title = `${STATES[state]}: ${group(said.operation_count)} operations - tilemeter`;
  Object.assign(document.querySelector("main").dataset, { state, operations: said.operation_count, lost });
  const words = { recording: "is recording", ended: "has ended its capture", died: "has died" }[state];
  byId("use").replaceChildren(make("span", "", `process ${said.process_id} ${words}: ${group(said.event_count)} events read`),
    make("b", lost ? "bad" : "good", lost ? `${group(lost)} events lost: figures are lower bounds` : "nothing lost"), ...(said.error_count ? [make("b", "bad", `${group(said.error_count)} errors`)] : []));
  byId("operations").replaceChildren(figure(group(said.operation_count), "operations,"), ...(state === "recording" ? [figure(group(Math.round(rate)), "a second")] : [make("span", "", `${group(said.function_count)} functions at all levels`)]));
  byId("pause").disabled = state !== "recording";
  const shown = devicesOf(said);
  const keys = shown.map(it => it.key).join();
  if (byId("devices").dataset.keys !== keys) {
    byId("devices").dataset.keys = keys;
    byId("devices").replaceChildren(...shown.map(it => {
      const part = make("section"), plot = make("div", "plot"), canvas = make("canvas");
      part.id = it.key;
      part.setAttribute("aria-label", it.title);
      canvas.setAttribute("role", "img");
      plot.append(canvas);
      part.append(make("h2", "", it.title), make("div", "figures"), plot);
      return part;
    }));
  }
  for (const it of shown) {
    const capacity = it.capacity_bytes;
    byId(it.key).querySelector(".figures").replaceChildren(figure(short(it.at_most_bytes), capacity ? `now, ${share(it.at_most_bytes, capacity)} of ${short(capacity)};` : "now;"), figure(short(it.peak_at_most_bytes), "peak so far, both at most"));
  }
  byId("running").replaceChildren(...(said.running.length ? said.running : [state === "recording" ? "no operation at this moment" : "nothing"]).map(path => make("li", "", path)));
  draw();
}

/// One quantity over the samples, with its limit where it can be seen beside it.
function curve(canvas, values, limit, words, unit) {
  const { g, width, height } = context(canvas), size = textSize(1), left = size * 6, base = height - size * 1.6;
  const most = Math.max(1, ...values), top = Math.max(most * 1.1, limit && limit <= most * 2.5 ? limit * 1.05 : 0);
  const x = i => left + (width - left - 4) * (1 - (samples.length - 1 - i) / Math.max(60, samples.length - 1)), y = value => base - value / top * (base - size);
  g.clearRect(0, 0, width, height);
  g.strokeStyle = colour("line"); g.fillStyle = colour("soft"); g.textAlign = "right";
  for (const value of [0, most / 2, most]) {
    g.beginPath(); g.moveTo(left, y(value)); g.lineTo(width, y(value)); g.stroke();
    g.fillText(words(Math.round(value)), left - 6, y(value) + 4);
  }
  g.beginPath(); g.moveTo(x(0), base);
  values.forEach((value, i) => { if (i) g.lineTo(x(i), y(values[i - 1])); g.lineTo(x(i), y(value)); });
  g.lineTo(x(values.length - 1), base); g.closePath();
  g.fillStyle = colour("mark"); g.globalAlpha = 0.6; g.fill(); g.globalAlpha = 1;
  if (limit && limit <= top) { g.strokeStyle = colour("bad"); g.setLineDash([6, 4]); g.beginPath(); g.moveTo(left, y(limit)); g.lineTo(width, y(limit)); g.stroke(); g.setLineDash([]); }
  g.fillStyle = colour("soft"); g.textAlign = "left";
  if (width - x(0) > size * 8) g.fillText(`${Math.round((samples[samples.length - 1].at - samples[0].at) / 1000)} s ago`, x(0), height - 4);
  g.textAlign = "right"; g.fillText("now", width - 4, height - 4);
  canvas.setAttribute("aria-label", `${unit}: now ${words(Math.round(values[values.length - 1]))}, at most ${words(Math.round(most))} since the page was opened`);
}
function draw() {
  if (!said) return;
  curve(document.querySelector("section[aria-label=operations] canvas"), samples.map(it => it.rate), 0, group, "operations per second");
  for (const it of devicesOf(said))
    curve(byId(it.key).querySelector("canvas"), samples.map(sample => (devicesOf(sample.said).find(each => each.key === it.key) || { at_most_bytes: 0 }).at_most_bytes), it.capacity_bytes, short, it.title);
}

byId("name").textContent = JSON.parse(byId("data").textContent).name;
byId("pause").onclick = () => pause(asks);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours = new Map(); draw(); });
new ResizeObserver(draw).observe(document.body);
look();
