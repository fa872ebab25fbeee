// Programs in TypeScript that use the generated clients. They are texts, because their imports exist only after
// generation.

/** Uses openapi-fetch with the types that openapi-typescript generates. */
export const WITH_OPENAPI_FETCH = `
import createClient from "openapi-fetch";
import type { paths } from "./schema";

const client = createClient<paths>({ baseUrl: process.argv[2]! });
const path = { entity: "acme", project: "demo" };
const query = { evaluation_call_ids: ["a", "b"], limit: 2 };
const health = await client.GET("/v1/health");
const projects = await client.GET("/v2/projects");
const rows = await client.POST("/v2/{entity}/{project}/eval_results/query", { params: { path }, body: query });
const compared = await client.POST("/v2/{entity}/{project}/eval_results/compare", {
  params: { path },
  body: { query, baseline: "a", anytime: false },
});
console.log(
  JSON.stringify({
    health: health.data?.status,
    projects: projects.data?.projects.map(({ project }) => project),
    rows: [rows.data?.total_rows, rows.data?.rows.length],
    verdict: compared.data?.comparisons[0]?.measures[0]?.verdict,
  }),
);
`;

/** Uses the functions that @hey-api/openapi-ts generates. */
export const WITH_HEY_API = `
import { evalResultsCompare, evalResultsQuery, health, listProjects } from "./hey/sdk.gen";
import { client } from "./hey/client.gen";

client.setConfig({ baseUrl: process.argv[2]! });
const path = { entity: "acme", project: "demo" };
const query = { evaluation_call_ids: ["a", "b"], limit: 2 };
const rows = await evalResultsQuery({ path, body: query });
const compared = await evalResultsCompare({ path, body: { query, baseline: "a", anytime: false } });
console.log(
  JSON.stringify({
    health: (await health()).data?.status,
    projects: (await listProjects()).data?.projects.map(({ project }) => project),
    rows: [rows.data?.total_rows, rows.data?.rows.length],
    verdict: compared.data?.comparisons[0]?.measures[0]?.verdict,
  }),
);
`;
