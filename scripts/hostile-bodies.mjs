// The bodies of npm run hostile: every route that takes one, every list and every open object in it, and the worst
// that can fill them. `uncovered` says which routes and lists of the interface are not here.

const MIB = 2 ** 20;
const P = '"project_id":"acme/demo"';
const CALL = `${P},"id":"a","trace_id":"t","op_name":"o","started_at":"2026-01-01T00:00:00Z","attributes":{},"inputs":{}`;

/** What fills a list, or (where it is a member) an object; `i` counts. */
const FILLINGS = {
  "{}": () => "{}",
  "[]": () => "[]",
  0: () => "0",
  '""': () => '""',
  "unique keys": (i) => `{"k${i}":0}`,
};
const MEMBERS = { "unique keys": (i) => `"k${i}":0` };
const LONG_TEXT = { "long text": undefined };

const JSON_TYPE = "application/json";
const LINES = "application/x-ndjson";

/**
 * Routes with their limits in bytes, and templates of their bodies by the list that is filled: `@` stands for its
 * items, `%` for the members of an object, `$` for the inside of a text.
 */
const ROUTES = {
  "POST /v2/{entity}/{project}/eval_results/query": [
    4 * MIB,
    {
      "": "[@]",
      members: "{%}",
      evaluation_call_ids: '{"evaluation_call_ids":[@]}',
      evaluation_run_ids: '{"evaluation_run_ids":[@]}',
      sort_by: '{"sort_by":[@]}',
      "sort_by.field": '{"sort_by":[{"direction":"asc","field":"$"}]}',
      filters: '{"filters":[@]}',
      "filters.query": '{"filters":[{"query":{"$expr":{"$and":[@]}}}]}'
        .replace("$expr", "\u0001expr")
        .replace("$and", "\u0001and"),
    },
  ],
  "POST /v2/{entity}/{project}/eval_results/compare": [
    4 * MIB,
    {
      "": "[@]",
      members: "{%}",
      query: '{"query":[@],"baseline":"a"}',
      "query members": '{"query":{%},"baseline":"a"}',
      "query.evaluation_call_ids": '{"query":{"evaluation_call_ids":[@]},"baseline":"a"}',
      "query.filters": '{"query":{"filters":[@]},"baseline":"a"}',
      baseline: '{"query":{"evaluation_call_ids":["a","b"]},"baseline":"$"}',
      measures: '{"query":{"evaluation_call_ids":["a","b"]},"baseline":"a","measures":[@]}',
      "measures members": '{"query":{"evaluation_call_ids":["a","b"]},"baseline":"a","measures":[{%}]}',
      "measures.field":
        '{"query":{"evaluation_call_ids":["a","b"]},"baseline":"a","measures":[{"field":"$"}]}',
      reduce: '{"query":{"evaluation_call_ids":["a","b"]},"baseline":"a","reduce":"$"}',
    },
  ],
  "POST /v2/{entity}/{project}/eval_results/slices": [
    4 * MIB,
    {
      "": "[@]",
      members: "{%}",
      measure: '{"query":{},"baseline":"a","candidate":"b","measure":[@]}',
      fields: '{"query":{},"baseline":"a","candidate":"b","measure":"scores.a","fields":[@]}',
      "fields text": '{"query":{},"baseline":"a","candidate":"b","measure":"scores.a","fields":["$"]}',
    },
  ],
  "POST /v2/{entity}/{project}/eval_results/ranking": [
    4 * MIB,
    {
      "": "[@]",
      members: "{%}",
      measure: '{"query":{},"measure":{%}}',
      cluster_by: '{"query":{},"measure":"scores.a","cluster_by":"inputs.$"}',
    },
  ],
  "POST /v1/chat/completions": [
    32 * MIB,
    {
      "": "[@]",
      members: '{"model":"x",%}',
      model: '{"model":"$","messages":[{"role":"user","content":"x"}]}',
      messages: '{"model":"x","messages":[@]}',
      "messages.content": '{"model":"x","messages":[{"role":"user","content":[@]}]}',
      tools: '{"model":"x","messages":[{"role":"user","content":"x"}],"tools":[@]}',
      stop: '{"model":"x","messages":[{"role":"user","content":"x"}],"stop":[@]}',
      logit_bias: '{"model":"x","messages":[{"role":"user","content":"x"}],"logit_bias":{%}}',
    },
  ],
  "POST /v1/keys": [64 * 1024, { "": "[@]", members: "{%}", scopes: '{"name":"x","scopes":[@]}' }],
  "POST /v1/preview/models": [
    128 * MIB,
    { "": "[@]", members: "{%}", name: '{"project":"p","base_model":"b","name":"$"}' },
  ],
  "POST /v1/preview/training-jobs": [
    128 * MIB,
    {
      "": "[@]",
      members: "{%}",
      trajectory_groups: '{"model_id":"MODEL","trajectory_groups":[@]}',
      trajectories: '{"model_id":"MODEL","trajectory_groups":[{"trajectories":[@]}]}',
      exceptions: '{"model_id":"MODEL","trajectory_groups":[{"trajectories":[],"exceptions":[@]}]}',
      messages_and_choices:
        '{"model_id":"MODEL","trajectory_groups":[{"trajectories":[{"reward":1,"messages_and_choices":[@]}]}]}',
      tools:
        '{"model_id":"MODEL","trajectory_groups":[{"trajectories":[{"reward":1,"messages_and_choices":[],"tools":[@]}]}]}',
      additional_histories:
        '{"model_id":"MODEL","trajectory_groups":[{"trajectories":[{"reward":1,"messages_and_choices":[],"additional_histories":[@]}]}]}',
      metrics:
        '{"model_id":"MODEL","trajectory_groups":[{"trajectories":[{"reward":1,"messages_and_choices":[],"metrics":{%}}]}]}',
      "logprobs.content":
        '{"model_id":"MODEL","trajectory_groups":[{"trajectories":[{"reward":1,"messages_and_choices":[{"finish_reason":"stop","index":0,"message":{"role":"assistant"},"logprobs":{"content":[@]}}]}]}]}',
      experimental_config: '{"model_id":"MODEL","trajectory_groups":[],"experimental_config":{%}}',
    },
  ],
  "POST /v1/preview/sft-training-jobs": [
    128 * MIB,
    {
      "": "[@]",
      members: "{%}",
      training_data_url: '{"model_id":"MODEL","training_data_url":"$"}',
      "config.learning_rate": '{"model_id":"MODEL","training_data_url":"x:y","config":{"learning_rate":[@]}}',
    },
  ],
  "POST /v1/preview/training-data": [
    128 * MIB,
    {
      "": "[@]",
      lines: "@",
      messages: '{"messages":[@]}',
      tools: '{"messages":[{"role":"assistant"}],"tools":[@]}',
    },
    LINES,
  ],
  "POST /v1/preview/models/{model_id}/log": [
    128 * MIB,
    { "": "[@]", trajectory_groups: '{"split":"val","trajectory_groups":[@]}' },
  ],
  "DELETE /v1/preview/models/{model_id}/checkpoints": [128 * MIB, { "": "[@]", steps: '{"steps":[@]}' }],
  "POST /v1/preview/worker/claim": [
    128 * MIB,
    { "": "[@]", kinds: '{"worker":"w","kinds":[@]}', base_models: '{"worker":"w","base_models":[@]}' },
  ],
  "POST /v1/preview/training-jobs/{training_job_id}/messages": [
    128 * MIB,
    { "": "[@]", messages: '{"attempt":1,"messages":[@]}' },
  ],
  "POST /v1/preview/training-jobs/{training_job_id}/files": [MIB, { "": "[@]" }, "application/octet-stream"],
  "POST /v2/{entity}/{project}/calls/import": [64 * MIB, { "": "[@]", lines: "@" }, LINES],
  "POST /v2/{entity}/{project}/rows/import": [64 * MIB, { "": "[@]", lines: "@" }, LINES],
};

/** Weave's routes, all of which take 64 MiB. */
const WEAVE = {
  "/call/read": { "": "[@]", id: `{${P},"id":"$"}` },
  "/call/start": { "start.inputs": `{"start":{${CALL.replace('"inputs":{}', '"inputs":{"x":[@]}')}}}` },
  "/call/end": { "end.output": `{"end":{${P},"id":"a","ended_at":"2026-01-01T00:00:00Z","output":[@]}}` },
  "/call/update": { members: "{%}" },
  "/call/upsert_batch": {
    batch: '{"batch":[@]}',
    "batch.req": '{"batch":[{"mode":"start","req":[@]}]}',
    project_id: `{"batch":[{"mode":"start","req":{"start":{${CALL.replace("acme/demo", "$")}}}}]}`,
  },
  "/calls/delete": { call_ids: `{${P},"call_ids":[@]}` },
  "/calls/stream_query": {
    columns: `{${P},"columns":[@]}`,
    sort_by: `{${P},"sort_by":[@]}`,
    "filter.call_ids": `{${P},"filter":{"call_ids":[@]}}`,
    "filter.op_names": `{${P},"filter":{"op_names":[@]}}`,
    query: `{${P},"query":{"\u0001expr":{"\u0001and":[@]}}}`,
  },
  "/calls/query_stats": { "filter.trace_ids": `{${P},"filter":{"trace_ids":[@]}}` },
  "/v2/:entity/:project/call/start": { "": '{"start":[@]}' },
  "/v2/:entity/:project/call/end": { "": '{"end":[@]}' },
  "/v2/:entity/:project/calls/complete": { batch: '{"batch":[@]}' },
  "/obj/create": {
    "obj.val": `{"obj":{${P},"object_id":"x","val":[@]}}`,
    "obj.val members": `{"obj":{${P},"object_id":"x","val":{%}}}`,
    "obj.object_id": `{"obj":{${P},"object_id":"$","val":0}}`,
  },
  "/obj/read": { "": "[@]", members: "{%}" },
  "/obj/delete": { digests: `{${P},"object_id":"x","digests":[@]}` },
  "/objs/query": {
    "filter.object_ids": `{${P},"filter":{"object_ids":[@]}}`,
    "filter.base_object_classes": `{${P},"filter":{"base_object_classes":[@]}}`,
    sort_by: `{${P},"sort_by":[@]}`,
  },
  "/table/create": { "table.rows": `{"table":{${P},"rows":[@]}}` },
  "/table/create_from_digests": { row_digests: `{${P},"row_digests":[@]}` },
  "/table/update": {
    updates: `{${P},"base_digest":"TABLE","updates":[@]}`,
    "updates.append.row": `{${P},"base_digest":"TABLE","updates":[{"append":{"row":{"x":[@]}}}]}`,
  },
  "/table/query": {
    "filter.row_digests": `{${P},"digest":"TABLE","filter":{"row_digests":[@]}}`,
    sort_by: `{${P},"digest":"TABLE","sort_by":[@]}`,
  },
  "/table/query_stats": { members: "{%}" },
  "/table/query_stats_batch": { digests: `{${P},"digests":[@]}` },
  "/refs/read_batch": { refs: '{"refs":[@]}' },
  "/feedback/create": { payload: `{${P},"weave_ref":"r","feedback_type":"f","payload":{"x":[@]}}` },
  "/feedback/batch/create": { batch: '{"batch":[@]}' },
  "/feedback/replace": {
    payload: `{${P},"feedback_id":"x","weave_ref":"r","feedback_type":"f","payload":{%}}`,
  },
  "/feedback/query": {
    fields: `{${P},"fields":[@]}`,
    sort_by: `{${P},"sort_by":[@]}`,
    query: `{${P},"query":{"\u0001expr":{"\u0001or":[@]}}}`,
  },
  "/feedback/purge": { query: `{${P},"query":{"\u0001expr":{"\u0001or":[@]}}}` },
  "/file/content": { members: "{%}" },
};

/** What the document of the interface, or Weave's table of routes, has and this file has not. */
async function uncovered(document) {
  const { READS, WRITES } = await import(
    new URL("../packages/adapters-http/dist/weave/routes.js", import.meta.url).href
  );
  const missing = Object.keys({ ...READS, ...WRITES }).filter((path) => !Object.hasOwn(WEAVE, path));
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const name = `${method.toUpperCase()} ${path.replace(/\/$/, "")}`;
      if (operation?.requestBody !== undefined && !Object.hasOwn(ROUTES, name)) missing.push(name);
    }
  }
  return missing;
}

/** All bodies, each made when it is asked for. */
function bodies({ modelId, tableDigest, mostBytes }) {
  const concrete = (path) =>
    path
      .replace("{entity}", "acme")
      .replace(":entity", "acme")
      .replace("{project}", "demo")
      .replace(":project", "demo")
      .replace("{model_id}", modelId)
      .replace("{training_job_id}", "00000000-0000-4000-8000-000000000000");
  const weave = Object.entries(WEAVE).map(([path, templates]) => [`POST ${path}`, [64 * MIB, templates]]);
  return [...Object.entries(ROUTES), ...weave].flatMap(([route, [limit, templates, type = JSON_TYPE]]) =>
    Object.entries(templates).flatMap(([place, template]) => {
      const [method, path] = route.split(" ");
      const text = template.replace("MODEL", modelId).replace("TABLE", tableDigest);
      const size = Math.min(limit, mostBytes);
      return Object.keys(fillingsOf(text)).map((filling) => ({
        path: concrete(path),
        method,
        place: place || "(whole)",
        type,
        filling,
        bytes: () => filled(text, filling, size, place === "lines" ? "\n" : ","),
      }));
    }),
  );
}

function fillingsOf(text) {
  if (text.includes("@")) return FILLINGS;
  return text.includes("%") ? MEMBERS : LONG_TEXT;
}

function filled(text, filling, size, separator) {
  const [before, after] = text.split(/[@%$]/).map((part) => part.replaceAll("\u0001", "$"));
  const room = size - before.length - after.length;
  if (filling === "long text")
    return Buffer.concat([Buffer.from(before), Buffer.alloc(room, "a"), Buffer.from(after)]);
  const item = text.includes("%") ? MEMBERS[filling] : FILLINGS[filling];
  const inside =
    filling === "unique keys" ? counted(item, room, separator) : repeated(item(0), room, separator);
  return Buffer.concat([Buffer.from(before), inside, Buffer.from(after)]);
}

function repeated(item, room, separator) {
  const one = item + separator;
  const count = Math.floor((room + separator.length) / one.length);
  return Buffer.alloc(count * one.length, one).subarray(0, -separator.length);
}

function counted(item, room, separator) {
  const parts = [];
  let length = 0;
  for (let i = 0; length < room - 40; ) {
    let text = "";
    for (const end = i + 10_000; i < end && length + text.length < room - 40; i++)
      text += item(i) + separator;
    length += text.length;
    parts.push(Buffer.from(text));
  }
  return Buffer.concat(parts).subarray(0, -separator.length);
}

export { bodies, uncovered };
