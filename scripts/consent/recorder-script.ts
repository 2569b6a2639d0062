/** The name of the function through which a page tells what the person did. */
export const recorderBinding = "mailproofRecord";

/**
 * Runs in every page that is recorded, and tells what the person clicks, types and chooses. A secret never leaves the page:
 * of a password or a one-time code it tells no value.
 */
export const recorderScript = `(() => {
  const shown = (node) => (node.innerText || node.value || node.getAttribute("aria-label") || node.title || node.alt || "")
    .trim().replace(/\\s+/g, " ").slice(0, 80);
  const labelOf = (field) => {
    const label = field.labels && field.labels[0];
    return (field.getAttribute("aria-label") || (label ? label.innerText : "")).trim().replace(/\\s+/g, " ");
  };
  const isSecret = (field) => field.type === "password" || field.autocomplete === "one-time-code";
  const tell = (action, element, more) => window.${recorderBinding}(JSON.stringify({
    action,
    page: location.origin + location.pathname,
    tag: element.tagName.toLowerCase(),
    type: element.type || "",
    role: element.getAttribute("role") || "",
    id: element.id,
    name: element.getAttribute("name") || "",
    autocomplete: element.getAttribute("autocomplete") || "",
    ...more,
  }));
  addEventListener("click", ({ target }) => {
    const element = target.closest && target.closest(
      "button, input[type=submit], input[type=button], input[type=image], a[href], [role=button], [role=link]");
    if (element) tell("click", element, { text: shown(element), value: element.getAttribute("value") || "" });
  }, true);
  addEventListener("change", ({ target: field }) => {
    const common = { label: labelOf(field) };
    if (field.type === "checkbox" || field.type === "radio")
      tell(field.checked ? "check" : "uncheck", field, { ...common, value: field.value });
    else if (field.tagName === "SELECT")
      tell("select", field, { ...common, value: field.selectedOptions[0] ? field.selectedOptions[0].label : "" });
    else tell("fill", field, { ...common, value: isSecret(field) ? "" : field.value });
  }, true);
})();`;
