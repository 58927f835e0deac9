import { VisitorError } from '@heyline/backend'
import { z } from 'zod'

const refusal = z.object({ code: z.string(), message: z.string() })

export const visitorRows = z.array(z.object({ slug: z.string(), name: z.string() }))

/** Longest that the other side may take, in ms. */
const PATIENCE_MS = 10_000

/** An answer of any status; rejects with a `VisitorError` where there is none. */
export async function answerOf(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch (error) {
    throw new VisitorError('visitors_unreachable', `${new URL(url).origin} can't be reached`, {
      cause: error,
    })
  }
}

/** PostgREST's and our own error bodies have these two fields in common. */
export async function refusalOf(answer: Response): Promise<{ code: string; message: string }> {
  const parsed = refusal.safeParse(await answer.json().catch(() => undefined))
  return parsed.success ? parsed.data : { code: 'unknown', message: `status ${answer.status}` }
}
