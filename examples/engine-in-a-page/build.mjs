// Writes the page as one file that opens from disk: it contains the program and the engine, and its policy allows only
// that script.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const { values } = parseArgs({ options: { output: { type: "string", default: "did-it-get-better.html" } } });

const { outputFiles } = await build({
  entryPoints: [new URL("./page.ts", import.meta.url).pathname],
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  platform: "browser",
  target: "es2023",
  conditions: ["@assay/source"],
});

// `</script` ends a script element even inside a string.
const script = outputFiles[0].text.replaceAll("</script", "<\\/script");
const policy = `sha256-${createHash("sha256").update(script).digest("base64")}`;
const page = readFileSync(new URL("./page.html", import.meta.url), "utf8");
writeFileSync(
  values.output,
  page.replace("POLICY", () => policy).replace("SCRIPT", () => script),
);
