/** openpipe-art, and what it imports without saying so. It does not run with openai 3 yet. */
export const ART_PACKAGES: readonly string[] = [
  "openpipe-art==0.5.18",
  "openai==2.54.0",
  "wandb==0.31.0",
  "pyarrow==26.0.1",
  "numpy==2.4.6",
];
