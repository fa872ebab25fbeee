// References: their readable names, and whether two refer to the same object.

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

/**
 * Whether two references name the same dataset: one reference, or two names for the same content, whose digest a
 * reference ends with. Tables have the names of their files.
 */
export function isSameDataset(a: string | null, b: string | null): boolean {
  const [version, other] = [a, b].map((ref) => /:([\w-]{16,})$/.exec(ref ?? "")?.[1]);
  return a === b || (version !== undefined && version === other);
}
