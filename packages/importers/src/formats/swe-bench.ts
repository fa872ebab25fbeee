// Reads a SWE-bench report, `<model>.<run>.json`, with the predictions and the instances' reports if given.

import type { Json } from "@assay/base";
import { groupBy } from "../collections/group-by.ts";
import { fileStem, folderOf, type ImportFile } from "../files/import-file.ts";
import { jsonDocument, jsonSlices } from "../json/json-slices.ts";
import { at, listAt, membersAt, present, textAt, textsAt } from "../json/json-text.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { jsonRecords } from "../tables/records.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

const INSTANCE_LOGS = /\/?logs\/run_evaluation\/[\s\S]*$/;

type Part = "report" | "predictions" | "instance";

/** SWE-bench. */
export const sweBench: Importer = {
  name: "swe-bench",
  title: "SWE-bench report",
  recognises: ({ keys }: FileHead) => partOf(keys) !== undefined,
  units: (files) => [...groupBy(files, (file) => folderOf(file).replace(INSTANCE_LOGS, "")).values()],
  async *read(files) {
    const parts: { readonly [part in Part]: ImportFile[] } = { report: [], predictions: [], instance: [] };
    for (const file of files) {
      const part = partOf((await fileHead(file)).keys);
      if (part !== undefined) parts[part].push(file);
    }
    if (parts.report.length === 0) {
      yield { kind: "note", note: `${files[0]!.path}: the report that it belongs to is not among the files` };
    }
    const patches = await patchesOf(parts.predictions);
    const instances = await instancesOf(parts.instance);
    for (const file of parts.report) yield* readReport(file, patches, instances);
  },
};

function partOf(keys: ReadonlySet<string>): Part | undefined {
  if (keys.has("resolved_ids") && keys.has("submitted_ids")) return "report";
  if (["", "*."].some((b) => keys.has(`${b}instance_id`) && keys.has(`${b}model_patch`)))
    return "predictions";
  if (
    [...keys].some(
      (key) => /\.model_patch$/.test(key) && keys.has(key.replace(/model_patch$/, "instance_id")),
    )
  )
    return "predictions";
  return [...keys].some((key) => /^[^.]+\.patch_successfully_applied$/.test(key)) ? "instance" : undefined;
}

interface Patches {
  readonly models: ReadonlySet<string>;
  /** Patches by model and instance. */
  readonly patches: ReadonlyMap<string, Json>;
}

async function* readReport(
  file: ImportFile,
  { models, patches }: Patches,
  instances: ReadonlyMap<string, Json>,
): AsyncGenerator<ImportEvent> {
  const { report, ids } = await reportOf(file);
  // Only the file name has the run and the model.
  const named = fileStem(file);
  const [folder = named, run = named] = splitName(named);
  const model =
    [...models].find((one) => one.replaceAll("/", "__") === folder) ?? folder.replaceAll("__", "/");
  yield evaluationEvent({ id: named, name: run, model, dataset: "swe-bench" });
  for (const id of ids) {
    const instance = instances.get(`${folder} ${id}`);
    const tests = ["FAIL_TO_PASS", "PASS_TO_PASS"].map((key) => testsOf(instance, key));
    yield trialEvent({
      evaluation: named,
      row: { instance_id: id },
      rowKey: id,
      output: patches.get(`${model} ${id}`) ?? null,
      scores: present({
        resolved: listAt(report, "resolved_ids").includes(id),
        fail_to_pass: tests[0],
        pass_to_pass: tests[1],
      }),
      error: errorOf(report, id),
    });
  }
}

async function reportOf(
  file: ImportFile,
): Promise<{ readonly report: Json; readonly ids: readonly string[] }> {
  const report = await jsonDocument(file);
  const lists = membersAt(report).filter(([key]) => key.endsWith("_ids"));
  const ids = lists.flatMap(([, list]) => textsAt(list));
  return { report, ids: [...new Set(ids)].sort() };
}

function splitName(named: string): readonly string[] {
  const dot = named.lastIndexOf(".");
  return dot === -1 ? [named] : [named.slice(0, dot), named.slice(dot + 1)];
}

/** Why an instance was not judged; like in the tool, it counts as not resolved. */
function errorOf(report: Json, id: string): string | undefined {
  if (listAt(report, "error_ids").includes(id)) return "the evaluation of the patch failed";
  if (listAt(report, "empty_patch_ids").includes(id)) return "the patch is empty";
  if (listAt(report, "incomplete_ids").includes(id)) return "no patch was submitted";
  if (listAt(report, "infra_failure_ids").includes(id)) return "the infrastructure failed";
  return listAt(report, "ambiguous_failure_ids").includes(id)
    ? "the infrastructure may have failed"
    : undefined;
}

/** The share of passing tests in a group, such as `FAIL_TO_PASS`. */
function testsOf(instance: Json | undefined, group: string): Json | undefined {
  const [passed, failed] = ["success", "failure"].map(
    (key) => listAt(instance, "tests_status", group, key).length,
  );
  return passed! + failed! === 0 ? undefined : passed! / (passed! + failed!);
}

/** The predictions of a file: a list, lines, or an object with one for each instance, as mini-swe-agent writes. */
async function* predictionsIn(file: ImportFile): AsyncGenerator<Json> {
  const { fileType, keys } = await fileHead(file);
  const isByInstance = fileType === "json" && !keys.has("instance_id") && !keys.has("*.instance_id");
  if (isByInstance) for await (const { value } of jsonSlices(file, { take: [["*"]] })) yield value;
  else yield* jsonRecords(file);
}

async function patchesOf(files: readonly ImportFile[]): Promise<Patches> {
  const models = new Set<string>();
  const patches = new Map<string, Json>();
  for (const file of files) {
    for await (const record of predictionsIn(file)) {
      const model = textAt(record, "model_name_or_path") ?? "";
      models.add(model);
      patches.set(`${model} ${textAt(record, "instance_id")}`, at(record, "model_patch") ?? null);
    }
  }
  return { models, patches };
}

/** The reports of instances, by model folder and id. */
async function instancesOf(files: readonly ImportFile[]): Promise<ReadonlyMap<string, Json>> {
  const instances = new Map<string, Json>();
  for (const file of files) {
    const model = folderOf(file).split("/").at(-2) ?? "";
    for await (const { path, value } of jsonSlices(file, { take: [["*"]] })) {
      instances.set(`${model} ${path[0]}`, value);
    }
  }
  return instances;
}
