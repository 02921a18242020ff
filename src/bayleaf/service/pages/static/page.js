// Everything here is a comfort: without it the same forms work by themselves.
"use strict";

// A file dropped on a form is put into its file field; on the page Try it is judged at once.
for (const form of document.querySelectorAll("[data-drop]")) {
  const field = form.querySelector("input[type=file]");
  const over = on => event => { event.preventDefault(); form.classList.toggle("over", on); };
  form.addEventListener("dragover", over(true));
  form.addEventListener("dragleave", over(false));
  form.addEventListener("drop", event => {
    over(false)(event);
    if (event.dataTransfer.files.length) {
      field.files = event.dataTransfer.files;
      if (form.querySelector("textarea")) form.requestSubmit();
    }
  });
}

// Ctrl+Enter in a text judges it.
for (const area of document.querySelectorAll("textarea")) {
  area.addEventListener("keydown", event => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) area.form.requestSubmit();
  });
}

// One box ticks all.
const all = document.querySelector("[data-all]");
if (all) {
  const boxes = [...document.querySelectorAll("input[name=id]:not(:disabled)")];
  const words = document.querySelector("[data-ticked]");
  const say = words.textContent;
  const tell = () => {
    const ticked = boxes.filter(box => box.checked).length;
    words.textContent = ticked ? `${ticked} ticked; they are:` : say;
    all.checked = ticked > 0 && ticked === boxes.length;
  };
  all.closest("label").hidden = false;
  all.addEventListener("change", () => { for (const box of boxes) box.checked = all.checked; tell(); });
  for (const box of boxes) box.addEventListener("change", tell);
  tell();
}

// Jobs that are not over are asked for again. The answer is markup of our own templates, escaped there.
const jobs = document.querySelector("[data-jobs]");
if (jobs) {
  for (const link of document.querySelectorAll(".noscript")) link.hidden = true;
  const busy = () => jobs.querySelector(".running, .waiting");
  const lost = document.querySelector("[data-lost]");
  const look = async () => {
    const answer = await fetch(jobs.dataset.jobs).catch(() => null);
    const told = answer !== null && answer.ok && !answer.redirected;
    lost.textContent = told ? "" : "No news: the daemon does not answer, or you are no longer logged in. It is asked again.";
    if (told && !jobs.contains(document.activeElement)) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      jobs.replaceChildren(...page.body.childNodes);
    }
    if (busy()) setTimeout(look, told ? 700 : 3000);
  };
  if (busy()) setTimeout(look, 700);
}
