// Saves and reads segments with the digests of their rows in a separate list, once for all evaluations with the same
// rows, as most evaluations of a dataset have. A list is saved like a segment without trials, and never changes.

import { JsonPayload } from "../columns/json-payload.ts";
import type { Texts } from "../columns/texts.ts";
import type { Work } from "../kernels/work.ts";
import type { SavedSegment, SegmentStore } from "../ports/segment-store.ts";
import { encodeSegment, usedBytes } from "./encode-segment.ts";
import { bytesOf, checksumOfAll, piecesOf } from "./file/pieces.ts";
import { readSegment } from "./read-segment.ts";
import { Segment } from "./segment.ts";
import type { RowList } from "./segment-format.ts";
import { emptyParts } from "./segment-parts.ts";

/** Fewer rows are saved with each evaluation. */
const SHARED_FROM = 1024;

/** Where digests are saved as a list, by their bytes, which lists with the same texts share in memory. */
const listed: WeakMap<Uint8Array, SavedList> = new WeakMap();

interface SavedList {
  readonly store: SegmentStore;
  readonly project: string;
  readonly list: RowList;
}

/** Saves an arranged segment; `shares`: with its rows in a list, if there are many. */
export async function saveSegment(
  store: SegmentStore,
  [project, evaluation]: readonly [project: string, evaluation: string],
  segment: Segment,
  { shares }: { readonly shares: boolean },
  work: Work,
): Promise<SavedSegment | undefined> {
  const list = shares ? await saveList(store, project, segment.parts.digests, work) : undefined;
  return store.save(project, evaluation, encodeSegment(segment, list, work));
}

/** Reads a segment, as `readSegment` does. `held`: segments in memory, which may have the digests in its list. */
export function openSegment(
  store: SegmentStore,
  project: string,
  saved: SavedSegment,
  held: Iterable<{ readonly segment: Segment | undefined }>,
  work: Work,
): Promise<Segment | undefined> {
  const heldDigests = (list: RowList): Texts | undefined => {
    for (const { segment } of held) {
      const digests = segment?.parts.digests;
      if (digests !== undefined && isSame(listOf(digests, store, project), list)) return digests.continued();
    }
    return undefined;
  };
  const digestsIn = async (list: RowList): Promise<Texts | undefined> => {
    const digests = heldDigests(list) ?? (await readList(store, project, list, work));
    if (digests !== undefined) listed.set(digests.bytes, { store, project, list });
    return digests;
  };
  return readSegment(saved, digestsIn, work);
}

/** The list in which this process saved or found these digests. */
function listOf(digests: Texts, store: SegmentStore, project: string): RowList | undefined {
  const saved = listed.get(digests.bytes);
  if (saved?.store !== store || saved.project !== project) return undefined;
  // A segment that grows adds to its digests.
  return saved.list.rows === digests.length ? saved.list : undefined;
}

function isSame(a: RowList | undefined, b: RowList): boolean {
  return a?.rows === b.rows && a.checksum === b.checksum;
}

/** Saves digests as a list, if they are not saved yet. Returns undefined for few, and if it is impossible. */
async function saveList(
  store: SegmentStore,
  project: string,
  digests: Texts,
  work: Work,
): Promise<RowList | undefined> {
  const { length: rows, ends } = digests;
  if (rows < SHARED_FROM) return undefined;
  const found = listOf(digests, store, project);
  if (found !== undefined) return found;
  const pieces = [ends.subarray(0, rows), usedBytes(digests)].flatMap((part) => piecesOf(bytesOf(part)));
  const list = { rows, checksum: await checksumOfAll(pieces, work) };
  const known = await readList(store, project, list, work);
  // Another list may have the same checksum.
  if (known !== undefined && !(await known.share(digests, work))) return undefined;
  if (known === undefined && !(await saveDigests(store, project, list, digests, work))) return undefined;
  listed.set(digests.bytes, { store, project, list });
  return list;
}

async function saveDigests(
  store: SegmentStore,
  project: string,
  list: RowList,
  digests: Texts,
  work: Work,
): Promise<boolean> {
  const parts = { ...emptyParts(() => new JsonPayload()), digests };
  const saved = await store.save(
    ...storageName(project, list),
    encodeSegment(new Segment(parts, 0, list.rows), undefined, work),
  );
  saved?.close();
  return saved !== undefined;
}

/** The digests of a list; undefined if they are lost or damaged. */
async function readList(
  store: SegmentStore,
  project: string,
  list: RowList,
  work: Work,
): Promise<Texts | undefined> {
  const saved = await store.open(...storageName(project, list));
  if (saved === undefined) return undefined;
  try {
    const segment = await readSegment(saved, async () => undefined, work);
    return segment?.rows === list.rows ? segment.parts.digests : undefined;
  } finally {
    saved.close();
  }
}

/** No project has such a name. */
function storageName(project: string, { rows, checksum }: RowList): [project: string, name: string] {
  return [`${project}/rows`, `${rows} ${checksum}`];
}
