// Shown for a project without evaluations: ways to add some, with this server's address filled in.

import type { JSX } from "preact";
import { shown } from "../format/shown.ts";
import { useApp } from "../state/app.tsx";

/** The ways to log. */
export function HowToLog({ project }: { readonly project: string }): JSX.Element {
  const { api } = useApp();
  const address = api.address("");
  return (
    <div class="notice">
      <h1>No evaluations in {shown(project)} yet</h1>
      <p>To add some:</p>
      <ol>
        <li>
          Import a table, or a log of another tool:
          <pre>{`assay import ${project} results.csv`}</pre>
        </li>
        <li>
          Log with a Weave client; set three environment variables:
          <pre>{`export WF_TRACE_SERVER_URL=${address}\nexport WANDB_BASE_URL=${address}\nexport WANDB_API_KEY=…`}</pre>
        </li>
        <li>
          Or look at the examples first:
          <pre>assay demo</pre>
        </li>
      </ol>
    </div>
  );
}
