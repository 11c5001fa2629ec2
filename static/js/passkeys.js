// Passkeys: the browser makes one, or answers with one, and what it says goes into the form (docs/adr/0024).
// Without this module the part stays hidden; codes work all the same.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const named = (credentials) => (credentials ?? []).map((one) => ({ ...one, id: bytes(one.id) }));

/** What the server asks, with bytes where it sent base64url. */
function read({ publicKey }) {
  const asked = { ...publicKey, challenge: bytes(publicKey.challenge) };
  if (asked.user) asked.user = { ...asked.user, id: bytes(asked.user.id) };
  if (asked.allowCredentials) asked.allowCredentials = named(asked.allowCredentials);
  if (asked.excludeCredentials) asked.excludeCredentials = named(asked.excludeCredentials);
  return { publicKey: asked };
}

/** What the browser answered, as JSON. */
function written(credential) {
  const response = {};
  for (const part of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"])
    if (credential.response[part]) response[part] = text(credential.response[part]);
  return JSON.stringify({
    id: credential.id, rawId: text(credential.rawId), type: credential.type, response,
    clientExtensionResults: credential.getClientExtensionResults(),
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
  });
}

function sentence(error) {
  if (error.name === "SecurityError") return "Passkeys need the hub's own name: open it as “localhost” or over https, not by its number.";
  if (error.name === "InvalidStateError") return "This device has a passkey here already.";
  if (error.name === "NotAllowedError") return "Nothing was chosen, or it took too long. Try again.";
  return "The browser could not do that. Try again, or use a code.";
}

function work(part) {
  const field = part.querySelector("input[type=hidden]");
  const fault = part.querySelector("[data-passkey-fault]");
  const making = part.dataset.passkey === "create";
  part.hidden = false;
  part.querySelector("[data-passkey-button]").addEventListener("click", async () => {
    fault.hidden = true;
    try {
      if (!window.PublicKeyCredential) throw new DOMException("", "SecurityError");
      const asked = read(JSON.parse(part.dataset.question));
      field.value = written(await (making ? navigator.credentials.create(asked) : navigator.credentials.get(asked)));
      field.disabled = false;
      part.closest("form").requestSubmit();
    } catch (error) {
      fault.textContent = sentence(error);
      fault.hidden = false;
    }
  });
}

const begin = () => document.querySelectorAll("[data-passkey][hidden]").forEach(work);
begin();
document.addEventListener("htmx:afterSettle", begin);
