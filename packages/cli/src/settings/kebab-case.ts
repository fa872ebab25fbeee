// Names of options and settings.

/** Converts a name from camel case to the hyphens of options and settings. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
