// The conformance report. Everything that this shows was escaped when the page was made; evidence waits in compressed blocks
// until it is opened. The fragment of the address holds the place and the filters: #REDIR-08?verdict=fail&q=host

const filters = /** @type {HTMLFormElement} */ (document.querySelector(".filters"));
const requirements = /** @type {NodeListOf<HTMLDetailsElement>} */ (
  document.querySelectorAll("details.requirement")
);
const groups = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".part, .area"));
const cells = document.querySelectorAll(".map .cell");

/* Evidence */

/** @type {Map<HTMLScriptElement, Promise<Record<string, string>>>} */
const openedBlocks = new Map();
/** @type {Map<HTMLDetailsElement, Promise<void>>} */
const filled = new Map();

const kinds = ["requirement", "check", "exchange"];

/**
 * @param {string} kind
 * @returns {NodeListOf<HTMLScriptElement>}
 */
function blocksOf(kind) {
  return document.querySelectorAll(`script[data-kind="${kind}"]`);
}

/**
 * @param {HTMLScriptElement} block
 * @returns {Promise<Record<string, string>>} markup by id
 */
function viewsOf(block) {
  const opened = openedBlocks.get(block) ?? unpack(block.text);
  openedBlocks.set(block, opened);
  return opened;
}

/**
 * @param {string} text - gzip in base64
 * @returns {Promise<Record<string, string>>}
 */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return /** @type {Record<string, string>} */ (JSON.parse(await new Response(stream).text()));
}

/**
 * Puts what belongs to a requirement, a check or an exchange into it, once.
 *
 * @param {HTMLDetailsElement} element
 */
async function fill(element) {
  const kind = kinds.find((one) => one in element.dataset);
  const place = element.querySelector(":scope > div");
  if (kind === undefined || place === null) return;
  const id = element.dataset[kind] ?? "";
  const filling = filled.get(element) ?? load(kind, id, place);
  filled.set(element, filling);
  await filling;
}

/**
 * @param {string} kind
 * @param {string} id
 * @param {Element} place
 */
async function load(kind, id, place) {
  try {
    for (const block of blocksOf(kind)) {
      const ids = /** @type {string[]} */ (JSON.parse(block.dataset["ids"] ?? "[]"));
      if (!ids.includes(id)) continue;
      place.innerHTML = (await viewsOf(block))[id] ?? "";
    }
  } catch {
    place.textContent = "This browser cannot open the evidence; run.json beside this page holds it.";
  }
  addCopyButtons(place);
}

/** @param {ParentNode} place */
function addCopyButtons(place) {
  for (const command of place.querySelectorAll(".command:not(:has(button))")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener(
      "click",
      () => void copy(command.querySelector("pre")?.textContent ?? "", button),
    );
    command.append(button);
  }
}

/**
 * @param {string} text
 * @param {HTMLButtonElement} button
 */
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select it and copy";
  }
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

/* Filters */

/** @type {Promise<Map<string, string>> | undefined} */
let searchable;

/** @returns {Promise<Map<string, string>>} what is said of each requirement and its checks, in lower case */
function searchableTexts() {
  searchable ??= readTexts();
  return searchable;
}

async function readTexts() {
  const blocks = await Promise.all([...blocksOf("requirement")].map(viewsOf));
  const below = new Map(blocks.flatMap((views) => Object.entries(views)));
  const reader = new DOMParser();
  return new Map(
    [...requirements].map((requirement) => {
      const markup = below.get(requirement.id) ?? "";
      const texts = [requirement.querySelector("summary"), reader.parseFromString(markup, "text/html").body];
      const text = texts.map((part) => part?.textContent ?? "").join(" ");
      return [requirement.id, text.replace(/\s+/g, " ").toLowerCase()];
    }),
  );
}

/** @returns {URLSearchParams} what is chosen, without what is left open */
function chosen() {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(filters))
    if (typeof value === "string" && value !== "") query.append(name, value);
  return query;
}

/** @param {URLSearchParams} query */
function choose(query) {
  for (const field of filters.elements) {
    if (field instanceof HTMLInputElement && field.type === "checkbox")
      field.checked = query.getAll(field.name).includes(field.value);
    else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
      field.value = query.get(field.name) ?? "";
  }
}

async function applyFilters() {
  const query = chosen();
  const verdicts = query.getAll("verdict");
  const [area, level] = [query.get("area"), query.get("level")];
  const words = (query.get("q") ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const texts = words.length === 0 ? undefined : await searchableTexts();
  let shown = 0;
  for (const requirement of requirements) {
    const its = (requirement.dataset["verdicts"] ?? "").split(" ");
    const text = texts?.get(requirement.id) ?? "";
    const isShown =
      (verdicts.length === 0 || verdicts.some((verdict) => its.includes(verdict))) &&
      (level === null || requirement.dataset["level"] === level) &&
      (area === null || areaOf(requirement) === area) &&
      words.every((word) => text.includes(word));
    requirement.hidden = !isShown;
    if (isShown) shown += 1;
  }
  for (const part of groups) part.hidden = part.querySelector("details.requirement:not([hidden])") === null;
  for (const cell of cells) {
    const id = idIn(cell.getAttribute("href") ?? "");
    cell.classList.toggle("dim", document.getElementById(id)?.hidden === true);
  }
  const output = filters.querySelector("output");
  if (output !== null) output.value = `${shown} of ${requirements.length} requirements`;
}

/** @param {HTMLElement} requirement */
function areaOf(requirement) {
  return /** @type {HTMLElement | null} */ (requirement.closest(".area"))?.dataset["area"];
}

/* Place */

/** @param {string} fragment */
function idIn(fragment) {
  const [id = ""] = fragment.replace(/^#/, "").split("?");
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

let place = "";

/** @param {string} [id] */
function remember(id = place) {
  place = id;
  const query = chosen().toString();
  if (id === "" && query === "") return history.replaceState(null, "", location.href.replace(/#.*$/, ""));
  const fragment = `${encodeURI(id).replaceAll("#", "%23").replaceAll("?", "%3F")}${query === "" ? "" : `?${query}`}`;
  history.replaceState(null, "", `#${fragment}`);
}

/** Shows what the fragment says. */
async function restore() {
  const [, query = ""] = location.hash.split("?");
  const id = idIn(location.hash);
  // A link to a place keeps the filters.
  if (location.hash.includes("?")) choose(new URLSearchParams(query));
  await applyFilters();
  if (id !== "") await show(id);
  else if (query !== "") document.getElementById("requirements")?.scrollIntoView();
  remember(id);
}

/** @param {string} id */
async function show(id) {
  const target = await find(id);
  if (target === null) return;
  // A link leads to what the filters hide, too.
  if (target.closest("[hidden]") !== null) {
    choose(new URLSearchParams());
    await applyFilters();
  }
  for (
    let element = /** @type {Element | null} */ (target);
    element !== null;
    element = element.parentElement
  )
    if (element instanceof HTMLDetailsElement) await open(element);
  const [only, ...others] = target.querySelectorAll("details.check");
  if (only instanceof HTMLDetailsElement && others.length === 0) await open(only);
  target.scrollIntoView();
  if (target.matches("details")) target.querySelector("summary")?.focus({ preventScroll: true });
}

/** @param {HTMLDetailsElement} element */
async function open(element) {
  element.open = true;
  await fill(element);
}

/**
 * @param {string} id - of anything in the page; a check stands below its requirement
 * @returns {Promise<Element | null>}
 */
async function find(id) {
  const known = document.getElementById(id);
  if (known !== null) return known;
  const [requirementId = ""] = id.split("/");
  const requirement = document.getElementById(requirementId);
  if (!(requirement instanceof HTMLDetailsElement)) return null;
  await fill(requirement);
  return document.getElementById(id) ?? requirement;
}

/* What happens */

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.open) void fill(target);
  },
  true,
);

document.addEventListener("click", ({ target }) => {
  const summary = target instanceof Element ? target.closest("summary") : null;
  const opened = summary?.parentElement;
  // It is not open yet.
  if (opened instanceof HTMLDetailsElement && !opened.open) {
    const id = opened.id || opened.dataset["check"];
    if (id) remember(id);
  }
});

filters.addEventListener("input", () => void applyFilters().then(() => remember()));
filters.addEventListener("reset", () => setTimeout(() => filters.dispatchEvent(new Event("input"))));
filters.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", () => void restore());

addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  /** @type {HTMLInputElement | null} */ (filters.querySelector("[name=q]"))?.focus();
});

// Paper opens nothing: findings are printed with their evidence.
addEventListener("beforeprint", () => {
  for (const evidence of document.querySelectorAll(".finding details.evidence"))
    /** @type {HTMLDetailsElement} */ (evidence).open = true;
});

/** @param {number} ms */
function age(ms) {
  const days = Math.floor(ms / 86_400_000);
  if (days >= 1) return days === 1 ? "1 day ago" : `${days} days ago`;
  const hours = Math.floor(ms / 3_600_000);
  return hours >= 1 ? (hours === 1 ? "1 hour ago" : `${hours} hours ago`) : "less than an hour ago";
}

const time = document.querySelector("header time");
if (time !== null) time.after(` (${age(Date.now() - Date.parse(time.getAttribute("datetime") ?? ""))})`);

filters.hidden = false;
addCopyButtons(document);
void restore();
