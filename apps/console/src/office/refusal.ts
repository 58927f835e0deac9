/** The code of a refusal of the API; undefined for what is none, such as a server that does not answer. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Whether nobody is signed in any more. */
export const isEnded = (error: unknown): boolean => codeOf(error) === 'unauthorized'

/** Whether the server wants to know first that it is still the same person. */
export const needsStepUp = (error: unknown): boolean => codeOf(error) === 'step_up_needed'

/** What the client says where the server did not. */
const UNANSWERED = new Set(['unreachable', 'no_answer'])

/** Whether the server said something at all. */
export function wasAnswered(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && !UNANSWERED.has(code)
}

/** What is shown of an error: the server's own sentence. */
export const textOf = (error: unknown, otherwise: string): string =>
  wasAnswered(error) && error instanceof Error ? error.message : otherwise

/** Which part of what was sent is to blame, where it is one. */
export function fieldOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('field' in error)) return undefined
  return typeof error.field === 'string' ? error.field : undefined
}
