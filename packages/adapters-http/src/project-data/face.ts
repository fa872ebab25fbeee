// A project's data over HTTP: what `assay import` and `assay evaluations` ask of a server that has the data open.

import { Fault } from "@assay/base";
import { type Context, Hono } from "hono";
import { contentType, DecodingError, decodedBody } from "../body.ts";
import type { Face } from "../face.ts";
import type { Authenticate } from "../principal.ts";
import { detailResponse, problemOf, validationProblem } from "../problem.ts";
import { accessProblem } from "../project-access.ts";
import { readProjectPath } from "../project-path.ts";
import { projectDataOpenApi } from "./openapi.ts";
import type { LineKind, ProjectData } from "./project-data.ts";

/** What the face is made of. */
export interface ProjectDataFaceOptions {
  /** Where the data is. */
  readonly data: ProjectData;
  /** Who may ask. */
  readonly authenticate: Authenticate;
  /** Told of every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * A project's data as a face: `GET /v2/{entity}/{project}/evaluations`, and `POST …/calls/import` and
 * `POST …/rows/import` of JSON lines. These are read as they come, however many they are, and answered when what was
 * good is on disk.
 */
export function projectDataFace({ data, authenticate, onError }: ProjectDataFaceOptions): Face {
  const app = new Hono();

  /** Answers with what `act` makes of a project that the sender may touch. */
  const inProject =
    (act: (project: string, request: Request) => Promise<Response>) =>
    async (context: Context<object, "/:entity/:project">): Promise<Response> => {
      const names = context.req.param();
      const refusal = await accessProblem(authenticate, context.req.raw, names);
      if (refusal !== undefined) return detailResponse(refusal);
      const project = readProjectPath(names.entity, names.project);
      return project.ok
        ? await act(project.value, context.req.raw)
        : detailResponse(validationProblem(project.issues));
    };

  const importing = (kind: LineKind) =>
    inProject(async (project, request) => {
      const refused = (status: number, detail: string) => detailResponse({ status, detail });
      if (contentType(request).name !== "application/x-ndjson") {
        return refused(415, 'the body must be JSON lines: send "Content-Type: application/x-ndjson"');
      }
      const body = decodedBody(request);
      if (!body.ok) return refused(body.refusal.status, body.refusal.message);
      try {
        return Response.json(await data.importLines(project, kind, body.value));
      } catch (error) {
        if (error instanceof DecodingError) return refused(400, error.message);
        throw request.signal.aborted ? Fault.from(error, "cancelled", "the connection broke off") : error;
      }
    });

  app.get(
    "/v2/:entity/:project/evaluations",
    inProject(async (project) => Response.json({ evaluations: await data.evaluations(project) })),
  );
  app.post("/v2/:entity/:project/calls/import", importing("calls"));
  app.post("/v2/:entity/:project/rows/import", importing("rows"));

  app.onError((error) => {
    const problem = problemOf(error);
    if (problem.status >= 500) onError?.(error);
    return detailResponse(problem);
  });

  return { app, openApi: projectDataOpenApi };
}
