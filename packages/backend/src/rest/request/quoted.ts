/** A text in double quotes, in which `\` stands before a quote or a backslash. Group 1 is what is between the quotes. */
export const QUOTED = /"([^"\\]*(?:\\.[^"\\]*)*)"/sy

/** What stands between the quotes, without its backslashes. */
export function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1')
}
