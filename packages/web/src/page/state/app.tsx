// State that every part of the page can access: the current place, navigation, and the server.

import type { ReadonlySignal, Signal } from "@preact/signals";
import { createContext, type Provider } from "preact";
import { useContext } from "preact/hooks";
import type { Api } from "../data/api.ts";
import type { OpenedFiles } from "../transport/opened-files.ts";
import { encode } from "./codec.ts";
import { type CompareRoute, comparisonOf, type PageRoute } from "./page-route.ts";

/** The page, as its parts see it. */
export interface App {
  readonly api: Api;
  readonly place: Signal<PageRoute>;
  /** Goes to a place. `replace` adds no step for Back. */
  go(place: PageRoute, replace?: boolean): void;
  /** Incremented to reload everything. */
  readonly refresh: Signal<number>;
  /** Whether there is a server; otherwise the page is a file. */
  readonly served: boolean;
  /** Whether the rows of the page's file were selected by their scores, so that verdicts on them are biased. */
  readonly picked: ReadonlySignal<boolean>;
  /** The reference of the server's HTTP interface; undefined without a server. */
  readonly reference: string | undefined;
  /** The title of an open file in the header, to which nothing can be added; undefined for a server's data. */
  readonly file: ReadonlySignal<string | undefined>;
  /** Opens files on the page; rejects with the reason. Undefined if no files can be opened. */
  readonly open: ((files: readonly File[]) => Promise<OpenedFiles>) | undefined;
  /** Announces a text to screen readers, and shows it for a moment. */
  say(text: string): void;
  /** Stores a key, and reloads everything. Undefined if no key is needed. */
  readonly setKey: ((key: string, remember: boolean) => void) | undefined;
}

const Context = createContext<App | undefined>(undefined);

/** Provides the page to its parts. */
export const AppProvider: Provider<App | undefined> = Context.Provider;

/** The page. */
export function useApp(): App {
  const app = useContext(Context);
  if (app === undefined) throw new Error("useApp needs an AppProvider around it");
  return app;
}

/** The address of a place. */
export function linkTo(place: PageRoute): string {
  return encode(place);
}

/** Parts of a comparison to change; undefined removes one. */
export type Parts = { readonly [K in keyof CompareRoute]?: CompareRoute[K] | undefined };

/** A comparison with some parts changed. */
export function changed(place: CompareRoute, parts: Parts): PageRoute {
  const entries = Object.entries({ ...place, ...parts }).filter(([, value]) => value !== undefined);
  return comparisonOf(place.project, Object.fromEntries(entries) as Partial<CompareRoute>);
}
