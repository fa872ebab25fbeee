import { createServer } from "node:http";
import { nodeListener } from "@assay/adapters-http";
import { openServer } from "@assay/server";

const teams = new Map([["Bearer secret-of-acme", "acme"]]);

const assay = await openServer({
  directory: process.env["ASSAY_DATA"] ?? "data",
  // The client, as your program knows it. Without this, the server requires one of its own keys.
  authenticate: async ({ headers }) => {
    const team = teams.get(headers.get("authorization") ?? "");
    return team === undefined ? undefined : { id: team, allows: (entity) => entity === team };
  },
});

const answer = nodeListener(assay.handler);
const server = createServer((request, response) => {
  if (request.url === "/hello") response.end("your own page");
  else void answer(request, response);
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const address = server.address();
const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
// From here on, jobs are trained.
assay.listening(url);

const key = { Authorization: "Bearer secret-of-acme" };
console.log(await (await fetch(`${url}/hello`)).text()); // "your own page"
console.log(await (await fetch(`${url}/v2/acme/demo/eval_results/evaluations`, { headers: key })).json()); // { evaluations: [], next: null }
console.log((await fetch(`${url}/v2/others/demo/eval_results/evaluations`, { headers: key })).status); // 404

server.close();
await assay.close();
