// SPDX-License-Identifier: Apache-2.0
// What a shape of a chart stands for, beside the pointer or the finger; rates at a clock that the reader chooses.
"use strict";
const tip = document.body.appendChild(document.createElement("div"));
tip.id = "tip";
document.addEventListener("pointerover", (event) => {
  const title = event.target.closest ? event.target.closest("svg.chart *")?.querySelector(":scope > title, :scope > desc") : null;
  if (!title) { tip.style.display = "none"; return; }
  if (title.localName === "title") {
    // The browser would show its own tip as well.
    const moved = document.createElementNS("http://www.w3.org/2000/svg", "desc");
    moved.textContent = title.textContent;
    title.replaceWith(moved);
    tip.textContent = moved.textContent;
  } else {
    tip.textContent = title.textContent;
  }
  tip.style.display = "block";
  place(event);
});
document.addEventListener("pointermove", place);
function place(event) {
  const wide = tip.offsetWidth, high = tip.offsetHeight;
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - wide - 6)) + "px";
  tip.style.top = Math.max(4, event.clientY + 18 + high > innerHeight ? event.clientY - high - 10 : event.clientY + 18) + "px";
}

// Names at the right of a chart over the clock get the rates at a clock, which a slider sets.
for (const figure of document.querySelectorAll("figure.clocked")) {
  const svg = figure.querySelector("svg"), { low, high, begin, end, top, bottom } = svg.dataset;
  const names = [...svg.querySelectorAll("[data-cycles]")].map((text) => [text, text.textContent]);
  const cursor = svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "line"));
  const label = document.createElement("label"), slider = document.createElement("input"), shown = document.createElement("span");
  label.className = "choose";
  Object.assign(slider, { type: "range", min: 0, max: 1000, value: 500 });
  label.append("Rates at ", slider, " ", shown);
  figure.querySelector("figcaption").after(label);
  for (const [name, value] of [["y1", top], ["y2", bottom], ["stroke", "#222"], ["stroke-dasharray", "1 2"]]) {
    cursor.setAttribute(name, value);
  }
  const update = () => {
    const share = slider.value / 1000, mhz = low * (high / low) ** share;
    const x = Number(begin) + share * (end - begin);
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    shown.textContent = `${mhz.toFixed(0)} MHz`;
    for (const [text, name] of names) {
      text.textContent = `${name}: ${(1000 * mhz / text.dataset.cycles).toFixed(1)} k`;
    }
  };
  slider.addEventListener("input", update);
  update();
}
