// The routes of uploaded files.

import { bad, type Issue, ok, type Result } from "@assay/base";
import type { TrainingFile } from "@assay/training-core";
import type { FileDescription } from "@assay/training-core/internal";
import { decodedBody } from "../request/body.ts";
import { readUpload, type UploadForm } from "../request/upload.ts";
import { blobResponse } from "../response/blob-response.ts";
import type { AuthenticatedRequest } from "../training/request/authorize.ts";
import type { Acts } from "../training/request/handler-parts.ts";
import { readPageQuery } from "../training/request/query.ts";
import { filterVisible } from "../training/response/filter-visible.ts";
import { answer, list } from "../training/response/responses.ts";
import { absent, refuse, wrongProject } from "./errors.ts";
import { FILE_PAGE, namedProject, type Parts, type ProjectName, projectFor } from "./handler-parts.ts";
import { fileView, ID, uuidOf } from "./serializers.ts";

const LONGEST_NAME = 255;

/** `/v1/files` and the routes below. */
export function fileHandlers({ training, defaultProject }: Parts): Acts {
  const withFile = async (incoming: AuthenticatedRequest, act: (file: TrainingFile) => Promise<Response>) => {
    const id = incoming.param("file_id");
    const file = await training.store.file(uuidOf("file", id));
    const named = namedProject(incoming);
    const isHere =
      file !== undefined && file.deletedAt === undefined && named !== "wrong" && isIn(file, named);
    return isHere && incoming.principal.allows(file.entity, file.project) ? act(file) : absent("file", id);
  };

  return {
    create_file: async (incoming) => {
      const project = projectFor(incoming, defaultProject);
      if (project === "wrong") return wrongProject();
      const { maxDataBytes } = training.policy;
      if (Number(incoming.request.headers.get("content-length")) > maxDataBytes + FORM_BYTES)
        return refuse([
          { code: "too_large", path: ["file"], message: `a file may have at most ${maxDataBytes} bytes` },
        ]);
      const body = decodedBody(incoming.request);
      if (!body.ok) return refuse([{ code: "type", path: [], message: body.refusal.message }]);
      const made = await readUpload(incoming.request, body.value, (bytes, form) =>
        training.createFile(bytes, async () => {
          const whole = await form();
          return whole.ok ? describedFile(whole.value, project) : whole;
        }),
      );
      return made.ok ? answer(fileView(made.value)) : refuse(made.issues);
    },

    list_files: async (incoming) => {
      const { principal, query } = incoming;
      const page = readPageQuery(query, "desc", FILE_PAGE);
      if (!page.ok) return refuse(page.issues);
      const project = namedProject(incoming);
      if (project === "wrong") return wrongProject();
      const { after } = page.value;
      const purpose = query.get("purpose");
      const seen = await filterVisible(
        { ...page.value, ...(after !== undefined && { after: uuidOf("file", after) }) },
        (one) =>
          training.listFiles({ ...one, ...(project && { project }), ...(purpose !== null && { purpose }) }),
        (file: TrainingFile) => principal.allows(file.entity, file.project),
      );
      return seen.ok ? list(seen.value, fileView) : refuse(seen.issues);
    },

    retrieve_file: (incoming) => withFile(incoming, async (file) => answer(fileView(file))),

    download_file: (incoming) =>
      withFile(
        incoming,
        async (file) =>
          (await blobResponse(training.artifacts, file.data, file.name)) ?? absent("file", file.id),
      ),

    delete_file: (incoming) =>
      withFile(incoming, async ({ id }) => {
        await training.deleteFile(id);
        return answer({ id: ID.file + id, object: "file", deleted: true });
      }),
  };
}

/** The most bytes of a form in addition to those of its file. */
const FORM_BYTES = 2 ** 17;

function isIn(file: ProjectName, named: ProjectName | undefined): boolean {
  return named === undefined || (file.entity === named.entity && file.project === named.project);
}

const WISH = "a form has the fields file and purpose";

/** The description of a form's file. Issues: `missing`, `unsupported`, `name`. */
function describedFile({ filename, fields }: UploadForm, project: ProjectName): Result<FileDescription> {
  const { entity, project: name } = project;
  const purpose = fields.get("purpose");
  const issues: Issue[] = [];
  if (purpose === undefined)
    issues.push({ code: "missing", path: ["purpose"], message: "what the file is for: fine-tune" });
  else if (purpose !== "fine-tune") {
    const message = "only files for fine-tuning can be stored: the purpose must be fine-tune";
    issues.push({ code: "unsupported", path: ["purpose"], message });
  }
  const [other] = [...fields.keys()].filter((field) => field !== "purpose");
  if (other !== undefined) {
    const kept = other.startsWith("expires_after") ? "files are kept until they are deleted" : WISH;
    const message = `this field is not supported: ${kept}`;
    issues.push({ code: "unsupported", path: [other], message });
  }
  if (filename === "" || filename.length > LONGEST_NAME) {
    const message = `the file must have a name of at most ${LONGEST_NAME} characters`;
    issues.push({ code: "name", path: ["file"], message });
  }
  if (issues.length > 0) return bad(issues);
  return ok({ entity, project: name, name: filename, purpose: purpose! });
}
