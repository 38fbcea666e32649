// SPDX-License-Identifier: Apache-2.0
// What a shape of a chart stands for, beside the pointer or the finger; programs open for print.
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
