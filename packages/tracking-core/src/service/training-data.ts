// Training data that was logged as an artifact: one file of JSON lines.

import { Fault } from "@assay/base";
import { shownName } from "@assay/base/internal";
import type { TrainingData } from "@assay/training-core";
import type { ProjectName } from "../run/run.ts";
import type { TrackingService } from "./tracking-service.ts";

/** An artifact in an address. */
export interface ArtifactAddress extends ProjectName {
  /** `name:alias` or `name:v3`; the newest version without either. */
  readonly artifact: string;
}

/** The answer for an artifact that does not exist or that the caller may not see. */
export const NO_ARTIFACT = "no such artifact";

/** Reads `wandb-artifact:///entity/project/name:alias`; undefined for anything else. */
export function readArtifactUrl(text: string): ArtifactAddress | undefined {
  if (text.length > 1024) return undefined;
  const match = /^wandb-artifact:\/\/\/?([^/:]+)\/([^/:]+)\/([^/:]+(?::[^/:]+)?)$/.exec(text);
  if (match === null) return undefined;
  const [, entity = "", project = "", artifact = ""] = match;
  return { entity, project, artifact };
}

/** Serves `wandb-artifact:` addresses. Check first that the caller may read the artifact. */
export function artifactTrainingData(tracking: TrackingService): TrainingData {
  return {
    async open(url) {
      const address = readArtifactUrl(url);
      if (address === undefined) return undefined;
      const found = await tracking.findArtifact(address, address.artifact);
      if (found === undefined) throw new Fault("missing", NO_ARTIFACT);
      const entries = await tracking.store.entries(found.artifact.id, { limit: 1000 });
      const lines = entries.filter(({ path }) => path.endsWith(".jsonl"));
      const [file] = lines;
      if (file?.sha256 === undefined || lines.length > 1) {
        const name = shownName(address.artifact);
        throw new Fault(
          "missing",
          `training data is one file of JSON lines, .jsonl, and ${name} has ${lines.length}`,
        );
      }
      return tracking.readEntry(file);
    },
  };
}
