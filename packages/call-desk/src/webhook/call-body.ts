import { z } from 'zod'

/** The body of a call request: these two, and nothing else. */
const callBody = z.strictObject({ phone: z.string(), slug: z.string() })

export type CallBody = z.output<typeof callBody>

/** The body, or a sentence that says what is wrong with it and quotes none of it. */
export function parseCallBody(text: string): { body: CallBody } | { fault: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: 'The body is not JSON.' }
  }
  const parsed = callBody.safeParse(value)
  if (parsed.success) return { body: parsed.data }
  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys') {
    return { fault: 'The body must hold phone and slug only. Keys and tokens travel in headers.' }
  }
  const [property] = issue?.path ?? []
  return {
    fault:
      property === undefined ? 'The body must be a JSON object.' : `"${String(property)}" must be a text.`,
  }
}
