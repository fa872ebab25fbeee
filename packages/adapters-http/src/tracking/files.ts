// Uploads and downloads of files at signed addresses, and downloads with a key.

import { Fault, type Result } from "@assay/base";
import type { TrackingService } from "@assay/tracking-core";
import { BodyRefused, bytesOf } from "../request/body.ts";
import type { Principal } from "../request/principal.ts";
import { blobResponse } from "../response/blob-response.ts";
import { issuesText } from "../response/truncate-issues.ts";
import type { RouteRequest } from "../routing/operation.ts";
import { refusal } from "./access/errors.ts";
import type { FileTransfer, SignedUrls } from "./access/signed-urls.ts";

/** The dependencies of these routes. */
export interface FileRoutes {
  readonly tracking: TrackingService;
  readonly addresses: SignedUrls;
  /** The most bytes of one file. */
  readonly maxFileBytes: number;
}

const EXPIRED = {
  status: 403,
  detail: "this address is invalid or has expired: request a new one",
} as const;

/** Accepts a file at a signed address. */
export async function takeFile(
  { tracking, addresses, maxFileBytes }: FileRoutes,
  { request, path }: RouteRequest,
): Promise<Response> {
  const errand = addresses.errand(path);
  if (errand === undefined || !("put" in errand)) return refusal(EXPIRED);
  try {
    const kept = await keep(tracking, errand, bytesOf(request, { maxBytes: maxFileBytes }, undefined));
    if (kept === undefined)
      return refusal({ status: 404, detail: "the run or artifact of this file no longer exists" });
    if (kept.ok) return Response.json({});
    const status = kept.issues.some(({ code }) => code === "quota") ? 413 : 400;
    return refusal({ status, detail: issuesText(kept.issues) });
  } catch (error) {
    if (error instanceof BodyRefused)
      return refusal({ status: error.refusal.status, detail: error.refusal.message });
    // Nothing of it was stored, and the client has disconnected.
    throw request.signal.aborted ? Fault.from(error, "cancelled", "the connection broke off") : error;
  }
}

function keep(
  tracking: TrackingService,
  errand: Extract<FileTransfer, { readonly put: string }>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Result<unknown> | undefined> {
  switch (errand.put) {
    case "run": {
      const { entity, project, run, file } = errand;
      return tracking.saveRunFile({ entity, project, name: run }, file, bytes);
    }
    case "blob": {
      const { entity, project, md5 } = errand;
      return tracking.saveBlob({ entity, project }, md5, bytes);
    }
    case "manifest":
      return tracking.saveManifest(errand.artifact, errand.md5, bytes);
  }
}

/** Returns a file at a signed address. */
export async function giveFile(
  { tracking, addresses }: FileRoutes,
  { path }: RouteRequest,
): Promise<Response> {
  const errand = addresses.errand(path);
  if (errand === undefined || !("get" in errand)) return refusal(EXPIRED);
  const { get: sha256, size, file } = errand;
  return (await blobResponse(tracking.artifacts, { sha256, size }, file)) ?? refusal(GONE);
}

const GONE = { status: 404, detail: "there is no such file" } as const;

/**
 * Returns a file of an artifact to the holder of a key, which clients fall back to if a signed address does not work.
 */
export async function giveArtifactFile(
  tracking: TrackingService,
  principal: Principal,
  { entity, project, md5, file }: Readonly<Record<"entity" | "project" | "md5" | "file", string>>,
): Promise<Response> {
  if (!principal.allows(entity, project)) return refusal(GONE);
  const [blob] = await tracking.store.blobs({ entity, project }, [md5]);
  return (blob && (await blobResponse(tracking.artifacts, blob, file))) ?? refusal(GONE);
}
