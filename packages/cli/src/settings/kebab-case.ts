// Names of options and settings.

/** A name in camel case as options and settings have it: with hyphens. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
