/** Whether a text has the form `<entity>/<project>`. */
export function isProjectName(text: string): boolean {
  return /^[^/]+\/[^/]+$/.test(text);
}
