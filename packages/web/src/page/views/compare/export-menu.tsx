// Exports the shown data: the rows as a table, or the page with the rows in one file that opens without a server.
// Before saving a file, the menu shows its size and which content its readers can see.

import { countText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { projectPath } from "../../data/api.ts";
import type { PageBody } from "../../data/questions.ts";
import { sizeText } from "../../format/size-text.ts";
import { Refused } from "../../parts/states.tsx";
import { useInitialFocus } from "../../parts/use-initial-focus.ts";
import { useApp } from "../../state/app.tsx";

/** What to export. */
export interface ExportMenuProps {
  readonly project: string;
  /** The question that the rows answer. */
  readonly question: PageBody;
  /** The number of rows. */
  readonly total: number;
  readonly onClose: () => void;
}

const TABLES = [
  ["csv", "CSV"],
  ["parquet", "Parquet"],
  ["jsonl", "JSON lines"],
] as const;

/** How much of outputs a file contains, by the server's names. */
const OUTPUTS = [
  ["full", "full outputs"],
  ["1000", "1,000 characters of each"],
  ["200", "200 characters of each"],
  ["none", "no outputs"],
] as const;

/** Which part of outputs the readers of a file see. */
const READABLE: Readonly<Record<string, string>> = {
  full: ", outputs",
  "1000": ", the first 1,000 characters of outputs",
  "200": ", the first 200 characters of outputs",
};

interface Made {
  readonly blob: Blob;
  readonly outputs: string;
  readonly redact: string;
}

/** The menu. */
export function ExportMenu({ project, question, total, onClose }: ExportMenuProps): JSX.Element {
  const { api, say } = useApp();
  const menu = useRef<HTMLElement>(null);
  useInitialFocus(menu);
  const [outputs, setOutputs] = useState("full");
  const [redact, setRedact] = useState("");
  const [making, setMaking] = useState<string | undefined>(undefined);
  const [made, setMade] = useState<Made | undefined>(undefined);
  const [error, setError] = useState<Error | undefined>(undefined);
  const rows = countText(total, "row");

  const ask = async (format: string, parameters: readonly (readonly [string, string])[] = []) => {
    setMaking(format);
    setError(undefined);
    const { limit, offset, ...query } = question.query;
    const search = new URLSearchParams([
      ["format", format],
      ...parameters.map(([key, value]) => [key, value]),
    ]);
    const path = `${projectPath(project)}/eval_results/export?${search}`;
    try {
      return await (await api.open(path, { body: { ...question, query } })).blob();
    } catch (reason) {
      setError(reason instanceof Error ? reason : new Error(String(reason)));
      return undefined;
    } finally {
      setMaking(undefined);
    }
  };
  const table = async (format: string) => {
    const blob = await ask(format);
    if (blob === undefined) return;
    save(blob, `rows.${format}`);
    say(`saved ${rows}, ${sizeText(blob.size)}`);
  };
  const file = async () => {
    const fields = redact.split(",").flatMap((field) => (field.trim() === "" ? [] : [field.trim()]));
    const blob = await ask("html", [
      ["outputs", outputs],
      ...fields.map((field) => ["redact", field] as const),
    ]);
    if (blob !== undefined) setMade({ blob, outputs, redact: fields.join(", ") });
  };
  return (
    <section
      ref={menu}
      class="popover export-menu"
      aria-label="Export"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <h2>The trials of {rows}, as a table</h2>
      <div class="line">
        {TABLES.map(([format, name]) => (
          <button
            type="button"
            key={format}
            disabled={making !== undefined}
            onClick={() => void table(format)}
          >
            {making === format ? "writing …" : name}
          </button>
        ))}
      </div>
      <h2>This view, on paper or as a PDF</h2>
      <div class="line">
        <button
          type="button"
          onClick={() => {
            onClose();
            // Once the menu is closed.
            setTimeout(() => print());
          }}
        >
          Print
        </button>
        <span class="muted">with all scores, notes, and the rows in view</span>
      </div>
      <h2>This page with these rows, in one HTML file</h2>
      {(question.change !== undefined || question.row_filters !== undefined) && (
        <p>These rows are selected by their scores, so verdicts on them are biased; the file says so.</p>
      )}
      <p class="muted">Opens without a server, compares and filters like this page, and contacts no host.</p>
      <form
        class="stacked"
        onSubmit={(event) => {
          event.preventDefault();
          void file();
        }}
      >
        <label>
          outputs{" "}
          <select value={outputs} onChange={(event) => setOutputs(event.currentTarget.value)}>
            {OUTPUTS.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          redact{" "}
          <input
            value={redact}
            placeholder="inputs.email, inputs.name"
            onInput={(event) => setRedact(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={making !== undefined}>
          {making === "html" ? "creating …" : "Create file"}
        </button>
      </form>
      {made !== undefined && (
        <p class="made" role="status">
          <strong>{sizeText(made.blob.size)}.</strong> Anyone with this file can read all inputs
          {READABLE[made.outputs]} and scores of these rows
          {made.redact === "" ? "" : `, except ${made.redact}`}.{" "}
          <button
            type="button"
            class="primary"
            onClick={() => {
              save(made.blob, "compared.html");
              say("saved compared.html");
            }}
          >
            Save compared.html
          </button>
        </p>
      )}
      {error !== undefined && <Refused error={error} isAction />}
    </section>
  );
}

/** Saves bytes as a download. */
function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after this.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
