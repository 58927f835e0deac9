import type { CheckContext, HumanCheck } from '../human-check/human-check.js'
import type { CheckResult } from '../queue/reserve.js'

/** The header in which a browser sends its answer to the human check. */
export const checkHeader = 'x-human-check'

/** What the human check finds of the token that came with a request. Rejects when it could not be verified. */
export async function checkToken(
  humanCheck: HumanCheck | undefined,
  token: string | null,
  context: CheckContext,
): Promise<CheckResult> {
  if (!humanCheck) return { result: 'not_asked' }
  if (!token) return { result: 'failed' }
  const id = await humanCheck.verify(token, context)
  return id === undefined ? { result: 'failed' } : { result: 'passed', id }
}
