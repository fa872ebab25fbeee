// A blob of the artifact store as a response of the training routes.

import type { StoredBlob, TrainingService } from "@assay/training-core";
import { blobResponse } from "../../response/blob-response.ts";
import { notFound } from "./responses.ts";

/** The bytes of a blob, to be saved as `name`. */
export async function fileResponse(
  { artifacts }: Pick<TrainingService, "artifacts">,
  blob: StoredBlob,
  name: string,
): Promise<Response> {
  return (await blobResponse(artifacts, blob, name)) ?? notFound("file");
}
