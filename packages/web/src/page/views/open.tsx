// Opens files on the page, chosen or dropped, and shows them like a server's data. They are not uploaded.

import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { useOpening } from "../data/hooks/use-opening.ts";
import { shown } from "../format/shown.ts";
import { Busy } from "../parts/states.tsx";

/** The view. */
export function Open(): JSX.Element {
  const { opening, refused, open } = useOpening();
  const input = useRef<HTMLInputElement>(null);
  return (
    <section class="page" aria-labelledby="open">
      <h1 id="open">Open a file</h1>
      <div class="drop-box">
        <p>
          <strong>Drop files here</strong>, or anywhere on this page, at any time.
        </p>
        <button type="button" class="primary" disabled={opening} onClick={() => input.current?.click()}>
          {opening ? "Reading …" : "Choose files"}
        </button>
        <input
          ref={input}
          class="unseen"
          type="file"
          multiple
          tabIndex={-1}
          aria-label="files to open"
          onChange={(event) => {
            open([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
        <p class="muted">Nothing is uploaded: your browser reads the files itself.</p>
      </div>
      <Busy on={opening} />
      {refused !== undefined && (
        <div class="notice worse" role="alert">
          <strong>Can't open this file:</strong> {shown(refused)}
        </div>
      )}
      <h2>What can be opened</h2>
      <dl class="kinds">
        <div>
          <dt>Tables</dt>
          <dd>
            CSV, TSV, XLSX, Parquet, JSON and JSON lines, with one answer per line. Open two of them to
            compare.
          </dd>
        </div>
        <div>
          <dt>Logs</dt>
          <dd>
            of Inspect, lm-evaluation-harness, promptfoo, OpenAI Evals, LangSmith, Braintrust, Langfuse,
            MLflow, DeepEval, HELM, Ragas and more
          </dd>
        </div>
        <div>
          <dt>Calls</dt>
          <dd>as Weave and assay export write them, with their dataset rows in a second file</dd>
        </div>
        <div>
          <dt>Pages</dt>
          <dd>a comparison exported to one HTML file</dd>
        </div>
      </dl>
    </section>
  );
}
