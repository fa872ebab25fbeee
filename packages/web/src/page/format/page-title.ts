// The title of the document, which distinguishes places in tabs, bookmarks and the history.

import type { PageRoute } from "../state/page-route.ts";
import { shown } from "./shown.ts";

/** The title at a place. */
export function pageTitle(place: PageRoute): string {
  return place.view === "start" ? "Assay" : `${shown(nameOf(place))} · Assay`;
}

function nameOf(place: PageRoute): string {
  switch (place.view) {
    case "compare":
      return place.project;
    case "evaluations":
      return `Evaluations of ${place.project}`;
    case "runs":
      return place.runs.length === 0 ? `Runs of ${place.project}` : `Run ${place.runs.join(", ")}`;
    case "calls":
      return `Calls of ${place.project}`;
    case "call":
      return `Call ${place.id}`;
    case "job":
      return `Job ${place.id}`;
    case "model":
      return `Model ${place.id}`;
    case "open":
      return "Open a file";
    default:
      return place.view[0]!.toUpperCase() + place.view.slice(1);
  }
}
