/**
 * The page of Assay as a function, to embed in another page: `mountPage(element, ask)` draws it into an element and
 * sends all requests through `ask`. Its style sheet is `@assay/web/page.css`.
 *
 * @packageDocumentation
 */

import { computed, effect, type Signal, signal, untracked } from "@preact/signals";
import { render } from "preact";
import { apiOf } from "./data/api.ts";
import { pageTitle } from "./format/page-title.ts";
import { type App, AppProvider } from "./state/app.tsx";
import { decode, encode } from "./state/codec.ts";
import type { PageRoute } from "./state/page-route.ts";
import type { Ask } from "./transport/ask.ts";
import { isInOpened, type OpenedFiles, openFiles } from "./transport/opened-files.ts";
import type { StartPageWorker } from "./transport/page-workers.ts";
import { Shell } from "./views/shell.tsx";

export type { Ask } from "./transport/ask.ts";
export type { StartPageWorker } from "./transport/page-workers.ts";

/** How to mount the page. */
export interface MountOptions {
  /** The origin of requests. Default: the page's own. */
  readonly base?: string;
  /** Stores a key that a reader typed. Absent: the page does not ask for one. */
  readonly setKey?: (key: string, remember: boolean) => void;
  /**
   * The title in the header of a file that contains the page. Such a page only shows evaluation results, and nothing
   * can be added to them.
   */
  readonly file?: string;
  /** Whether the rows of the file were selected by their scores, so that verdicts on them are biased. */
  readonly picked?: boolean;
  /** Whether the title of the document names the current place. Default: false, for embedding in another page. */
  readonly titled?: boolean;
  /** Starts workers of the page. Absent: no files can be opened on the page. */
  readonly startPageWorker?: StartPageWorker;
}

/**
 * Draws the page into `element`, and returns a function that removes it. The state of the page is in the fragment of
 * the address; all data comes from `ask`.
 */
export function mountPage(element: Element, ask: Ask, options: MountOptions = {}): () => void {
  const { base = location.protocol.startsWith("http") ? location.origin : "http://assay.invalid" } = options;
  const { setKey, startPageWorker } = options;
  const place = signal<PageRoute>(decode(location.hash));
  const opened = signal<OpenedFiles | undefined>(undefined);
  const refresh = signal(0);
  const said = signal("");
  const app: App = {
    api: apiOf((request) => (isInOpened(place.value) ? (opened.value?.ask ?? gone) : ask)(request), base),
    place,
    refresh,
    served: options.file === undefined,
    picked: computed(() => (isInOpened(place.value) ? opened.value?.picked : options.picked) === true),
    reference: options.file === undefined ? new URL("/docs", base).href : undefined,
    file: computed(() => (isInOpened(place.value) ? (opened.value?.label ?? "") : options.file)),
    open:
      startPageWorker &&
      (async (files) => {
        const found = await openFiles(files, startPageWorker);
        opened.value?.close();
        opened.value = found;
        return found;
      }),
    go(to, replace = false) {
      const fragment = encode(to);
      if (fragment !== encode(place.value)) {
        if (replace) history.replaceState(null, "", fragment);
        else history.pushState(null, "", fragment);
      }
      place.value = to;
    },
    say: (text) => {
      said.value = text;
    },
    setKey:
      setKey &&
      ((key, remember) => {
        setKey(key, remember);
        refresh.value++;
      }),
  };
  const moved = (): void => {
    place.value = decode(location.hash);
  };
  addEventListener("popstate", moved);
  addEventListener("hashchange", moved);
  const stop = draw(element, app, said);
  const stopTitle = effect(() => {
    if (options.titled === true) document.title = pageTitle(place.value);
  });
  return () => {
    stop();
    stopTitle();
    removeEventListener("popstate", moved);
    removeEventListener("hashchange", moved);
    render(null, element);
  };
}

/** Answers for files that were open before the page was reloaded. */
const gone: Ask = async () =>
  Response.json({ detail: "reloading the page closed these files: open them again" }, { status: 404 });

/** Draws the page from its root whenever the place changes: redrawing only its parts would keep the old root. */
function draw(element: Element, app: App, said: Signal<string>): () => void {
  return effect(() => {
    void app.place.value;
    untracked(() =>
      render(
        <AppProvider value={app}>
          <Shell said={said} />
        </AppProvider>,
        element,
      ),
    );
  });
}
