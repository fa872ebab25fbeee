// The theme: light, dark, or the system's. Stored in this browser, not in links.

/** A theme. */
export type Theme = "system" | "light" | "dark";

const NAME = "assay.theme";
const ORDER: readonly Theme[] = ["system", "light", "dark"];

/** The chosen theme, applied to the page. */
export function theme(): Theme {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(NAME);
  } catch {
    // Without storage, the system's theme applies.
  }
  return put(ORDER.find((one) => one === kept) ?? "system");
}

/** Chooses the next theme. */
export function nextTheme(): Theme {
  const next = ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length]!;
  try {
    localStorage.setItem(NAME, next);
  } catch {
    // It lasts until the page is reloaded.
  }
  return put(next);
}

function put(one: Theme): Theme {
  document.documentElement.dataset["theme"] = one;
  return one;
}
