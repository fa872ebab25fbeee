import type { PythonWish } from "./python.ts";

// Undeclared dependencies of openpipe-art. It does not work with openai 3 yet.
const BESIDE = ["openai==2.54.0", "wandb==0.31.0", "pyarrow==26.0.1", "numpy==2.4.6"];

/** The versions of openpipe-art to test: the newest, and the last that supports Python 3.11. */
export const ART: readonly { readonly version: string; readonly wish: PythonWish }[] = [
  {
    version: "0.5.23",
    wish: { packages: ["openpipe-art==0.5.23", ...BESIDE], least: 12, variable: "ART_PYTHON" },
  },
  {
    version: "0.5.18",
    wish: { packages: ["openpipe-art==0.5.18", ...BESIDE], variable: "ART_PYTHON_BEFORE" },
  },
];
