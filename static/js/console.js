// What HTMX does not do by itself: the CSRF header, where the focus goes, and saying aloud that something failed.
// Loaded as a module; the pages work without it.

const CHANGES = new Set(["post", "put", "patch", "delete"]);

/** The token Django put into the page: read for each request, because signing in changes it. */
function csrfToken() {
  return document.querySelector("meta[name='csrf-token']")?.content ?? "";
}

document.addEventListener("htmx:configRequest", (event) => {
  if (CHANGES.has(event.detail.verb)) event.detail.headers["X-CSRFToken"] = csrfToken();
});

// A fold that the answer opens: put in beside the open one it replaces, of the same name, the browser closed it again.
document.addEventListener("htmx:afterSettle", () => {
  for (const fold of document.querySelectorAll("details[data-opened]")) {
    fold.open = true;
    fold.removeAttribute("data-opened");
  }
});

// Focus: what was pressed may be gone after a swap. `data-focus` marks where reading goes on; polling never moves it.
// Once settled, not merely swapped: only then do the new forms work through HTMX.
let held = false; // polling replaces what has the focus
document.addEventListener("htmx:beforeSwap", (event) => { held = Boolean(event.detail.target?.contains(document.activeElement)); });
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.requestConfig?.triggeringEvent == null || event.detail.requestConfig.triggeringEvent.type === "load") {
    if (held && document.activeElement === document.body) (event.target.querySelector?.("button, a") ?? document.getElementById("content"))?.focus();
    return;
  }
  const settled = event.target instanceof Element ? event.target : document.body;
  const place = settled.matches("[data-focus]") ? settled : settled.querySelector("[data-focus]");
  if (place) place.focus();
  else if (document.activeElement === document.body) document.getElementById("content")?.focus();
});

// Polled progress is read out when it changes in kind (waiting, running, done), not every two seconds.
document.addEventListener("htmx:afterSettle", (event) => {
  const words = event.target instanceof HTMLElement ? event.target.dataset.announce : undefined;
  const live = document.getElementById("live");
  if (words && live && live.textContent !== words) live.textContent = words;
});

document.addEventListener("htmx:beforeRequest", (event) => event.detail.target?.setAttribute("aria-busy", "true"));
document.addEventListener("htmx:afterRequest", (event) => event.detail.target?.removeAttribute("aria-busy"));

/** Show a sentence at the foot of the window; the place is an alert region, so it is read out as well. */
function say(sentence) {
  const toast = document.getElementById("toast");
  if (!toast) return;
  const note = document.createElement("p");
  note.className = "note note-bad";
  note.textContent = sentence;
  toast.replaceChildren(note);
  window.setTimeout(() => note.remove(), 12000);
}

document.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  if (status === 401) say("You were signed out; nothing was changed. Sign in and send it again.");
  else if (status === 403) say("You may not do that, or the page is out of date. Reload it and try again.");
  else if (status === 404) say("That is no longer here. Reload the page.");
  else say("That did not work; nothing was changed. Try again in a moment.");
});
document.addEventListener("htmx:sendError", () => say("The server could not be reached; nothing was changed. Try again in a moment."));

// A search leaves only what was chosen in the address.
document.addEventListener("formdata", (event) => {
  if (event.target.method !== "get") return;
  for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
});

// A failed form: read its summary first.
document.querySelector("[data-focus-on-load]")?.focus();
