// Refs as a person calls what they name.

/**
 * The name in a reference (`weave:///acme/demo/object/parser:v3` is `parser:v3`), with a long version cut; null stays
 * null.
 */
export function refName(ref: string | null): string | null {
  if (ref === null) return null;
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  const [, base, version] = /^(.*):([A-Za-z0-9]{9,})$/.exec(name) ?? [];
  return base === undefined ? name : `${base}:${version!.slice(0, 6)}`;
}
