// Keys of the queue (R92): a key presses the control that carries it. Everything works without this module.
//
// `data-key` on a control names its key; the page prints it there. Keys do nothing in fields, with Ctrl or Meta, while an
// answer is awaited, or behind a dialog. Who switched single keys off presses each with Alt ([data-shortcuts="alt"]).

const FIELD = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const shown = (element) => element.checkVisibility?.({ visibilityProperty: true }) ?? element.offsetParent !== null;
const withAlt = () => document.querySelector("[data-shortcuts]")?.dataset.shortcuts === "alt";
const busy = () => document.querySelector("#item[aria-busy=true]") !== null;

/** What was pressed, as the pages name it: "a", "1", "?", "Space". With Alt some systems put other characters out. */
function named(event) {
  if (event.key === " ") return "Space";
  const plain = /^(?:Key|Digit)(.)$/.exec(event.code);
  return event.altKey && plain ? plain[1].toLowerCase() : event.key;
}

/** The control that a key presses: of several, the one inside what is open. */
function target(key) {
  const found = all(`[data-key="${CSS.escape(key)}"]`).filter((one) => shown(one) && !one.matches(":disabled"));
  return found.find((one) => one.closest("details[open].act")) ?? found[0];
}

/** A field that is folded away on a narrow window: what it stands in is opened. */
function folded(key) {
  const field = all(`[data-key="${CSS.escape(key)}"]`).find((one) => one.matches(FIELD) && one.closest("details:not([open])"));
  if (field) field.closest("details").open = true;
  return field;
}

/** Do what a click would do. Buttons of forms send them, fields take the focus. */
function press(control) {
  if (control.matches(FIELD)) {
    control.focus();
    control.select?.();
  } else if (control.matches("button") && control.form && control.type === "submit") {
    control.focus(); // HTMX sends the button that had the focus last, not the one that is named here
    control.form.requestSubmit(control);
  } else if (control.matches("summary")) {
    unfold(control.parentElement);
  } else {
    control.click();
  }
}

/** Open or close what folds; reading goes on inside it, and back at its head. */
function unfold(fold) {
  fold.open = !fold.open;
  const first = fold.open ? fold.querySelector("form :is(textarea, button, select, input:not([type=hidden]))") : null;
  (first ?? fold.querySelector("summary")).focus();
  if (first?.matches("textarea")) first.setSelectionRange(first.value.length, first.value.length); // on with its words
}

/** Go to the next or previous line of a list. */
function walk(step) {
  const rows = all("[data-rows] [data-row]").filter(shown);
  if (rows.length === 0) return false;
  const here = rows.findIndex((row) => row === document.activeElement || lineOf(row).contains(document.activeElement));
  const next = rows[here < 0 ? (step > 0 ? 0 : rows.length - 1) : here + step];
  if (next) {
    next.focus();
    lineOf(next).scrollIntoView({ block: "nearest" });
    keepPlace();
  }
  return true;
}

const lineOf = (row) => row.closest("[data-rows] > *");
const lineInFocus = () => document.activeElement?.closest?.("[data-rows] > *");

/** Select or leave the line in focus. */
function pick() {
  const box = lineInFocus()?.querySelector("input[type=checkbox]");
  if (!box) return false;
  box.checked = !box.checked;
  box.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

/** One key, wherever it was pressed. */
function onKey(event) {
  if (event.defaultPrevented || event.isComposing) return;
  const at = event.target instanceof Element ? event.target : document.body;
  if (event.key === "Escape") return leave(at);
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && at.matches("textarea")) return at.form?.requestSubmit();
  if (at.matches(FIELD) || event.ctrlKey || event.metaKey || event.altKey !== withAlt()) return;
  if (document.querySelector("dialog[open]")) return;
  const key = named(event);
  if (event.repeat && key !== "j" && key !== "k") return;
  if (act(key, at)) event.preventDefault();
}

// Not before HTMX has the forms: what is sent earlier would leave the page.
if (document.readyState === "complete") document.addEventListener("keydown", onKey);
else document.addEventListener("DOMContentLoaded", () => document.addEventListener("keydown", onKey));

/** Whether the key meant something here. */
function act(key, at) {
  if (key === "Space") return at.matches("button, summary, input") ? false : pick();
  if ((key === "j" && walk(1)) || (key === "k" && walk(-1))) return true;
  if (key === "o" && lineInFocus()) {
    press(lineInFocus().querySelector("[data-row]"));
    return true;
  }
  const control = target(key) ?? folded(key);
  if (!control) return false;
  if (!busy()) press(control);
  return true;
}

/** Escape leaves a field, then closes what is open. */
function leave(at) {
  if (document.querySelector("dialog[open]")) return; // closes by itself
  const fold = at.closest("details[open].act");
  if (fold) unfold(fold);
  else if (at.matches(FIELD)) at.blur();
}

// Going on through the queue lets go of what was taken by looking at it: colleagues see it again at once.
document.addEventListener("click", (event) => {
  const way = event.target instanceof Element ? event.target.closest(".walk a") : null;
  const whose = document.querySelector("#whose[data-mine]");
  if (!way || !whose || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const body = new FormData(whose);
  body.append("leaving", "yes");
  fetch(whose.getAttribute("hx-post"), { method: "POST", body, keepalive: true }).catch(() => {});
});

// Dialogs: opened by their button, closed by their form; the browser gives the focus back.
document.addEventListener("click", (event) => {
  const opener = event.target instanceof Element ? event.target.closest("[data-opens]") : null;
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
});

// The place and the selection are in the address, so that going back finds them again.
function keepPlace() {
  const rows = document.querySelector("[data-rows]");
  if (!rows) return;
  const address = new URL(location.href);
  const chosen = all("input[type=checkbox]:checked[data-short]", rows).map((box) => box.dataset.short);
  if (chosen.length) address.searchParams.set("selected", chosen.join("."));
  else address.searchParams.delete("selected");
  address.hash = lineInFocus()?.id ?? address.hash;
  history.replaceState(history.state, "", address);
  for (const link of all("a[data-place]")) {
    const to = new URL(link.href);
    if (chosen.length) to.searchParams.set("selected", chosen.join("."));
    else to.searchParams.delete("selected");
    link.href = to.href;
  }
  const count = document.getElementById("selected-count");
  if (count) count.textContent = chosen.length;
}

document.addEventListener("change", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || box.type !== "checkbox") return;
  if (box.dataset.all !== undefined) for (const one of all("[data-rows] input[data-short]")) one.checked = box.checked;
  if (box.dataset.all !== undefined || box.dataset.short !== undefined) keepPlace();
});
document.addEventListener("focusin", (event) => {
  if (event.target instanceof Element && event.target.matches("[data-row]")) keepPlace();
});

// An offer to undo goes after its time, unless somebody is on it.
function fade(note) {
  window.setTimeout(() => {
    if (note.matches(":hover, :focus-within")) fade(note);
    else note.remove();
  }, Number(note.dataset.lasts) * 1000);
}
document.addEventListener("htmx:oobAfterSwap", (event) => {
  for (const note of all("[data-lasts]", event.target)) fade(note);
});

// Back at the list: the line that was left. Once loaded, and a moment later: only then has the browser gone to the
// place in the address itself, which takes the focus away again.
const left = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
const row = left?.matches("[data-rows] > *") ? left.querySelector("[data-row]") : null;
function backToRow() {
  window.setTimeout(() => {
    if (document.activeElement === document.body) row.focus();
  });
}
if (row) {
  row.focus();
  if (document.readyState === "complete") backToRow();
  else window.addEventListener("load", backToRow);
}
if (document.querySelector("[data-rows] input[data-short]:checked")) keepPlace();
