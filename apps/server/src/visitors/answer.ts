import { VisitorError } from '@heyline/backend/stored-visitors'
import { z } from 'zod'

const refusal = z.object({ code: z.string(), message: z.string() })

export const listedVisitors = z.array(z.object({ slug: z.string(), name: z.string() }))
export const visitorPage = z.object({ visitors: listedVisitors, next: z.string().nullable() })

/** A stored visitor; hosted tables have no column `listed`. */
export const storedVisitor = z.object({
  slug: z.string(),
  name: z.string(),
  system: z.string().nullable(),
  first_message: z.string().nullable(),
  listed: z.boolean().optional(),
})

/** Longest that the other side may take, in ms; for all rows of a table at once, much longer. */
export const PATIENCE_MS = 10_000
export const LONG_PATIENCE_MS = 10 * 60_000

export interface Request extends RequestInit {
  /** A request that stores nothing though its method may. */
  reads?: boolean
}

/** Then nothing has been sent. */
const NOT_CONNECTED: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** An answer of any status; rejects with a `VisitorError` where there is none. */
export async function answerOf(
  url: string,
  { reads, ...init }: Request,
  patienceMs = PATIENCE_MS,
): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) })
  } catch (error) {
    // What a body refused to send is said by whoever refused.
    const cause = error instanceof Error ? error.cause : undefined
    if (cause instanceof VisitorError) throw cause
    if (error instanceof VisitorError) throw error
    const sent = !(cause instanceof Error && 'code' in cause && NOT_CONNECTED.includes(cause.code))
    if (sent && stores({ reads, ...init })) throw unknownOutcome(error)
    throw new VisitorError('visitors_unreachable', `${new URL(url).origin} can't be reached`, {
      cause: error,
    })
  }
}

/** The JSON of an answer to that request; rejects with a `VisitorError` where it breaks off or is none. */
export async function jsonOf(answer: Response, init: Request = {}): Promise<unknown> {
  try {
    return await answer.json()
  } catch (error) {
    if (stores(init)) throw unknownOutcome(error)
    throw new VisitorError('visitors_unreachable', 'The other side sent no whole answer: try again', {
      cause: error,
    })
  }
}

const stores = ({ reads = false, method = 'GET' }: Request) => !reads && method !== 'GET'

const unknownOutcome = (cause: unknown) =>
  new VisitorError(
    'visitors_unreachable',
    'No answer came: whether it was stored is unknown; look with heyline visitors show or list',
    { cause },
  )

/** PostgREST's and our own error bodies have these two fields in common. */
export async function refusalOf(answer: Response): Promise<{ code: string; message: string }> {
  const parsed = refusal.safeParse(await answer.json().catch(() => undefined))
  return parsed.success ? parsed.data : { code: 'unknown', message: `status ${answer.status}` }
}

/** A body's parts; rejects with a `VisitorError` where it breaks off. */
export async function* partsOf<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts
  } catch (error) {
    throw new VisitorError(
      'visitors_unreachable',
      'The other side stopped before it had sent all: try again',
      {
        cause: error,
      },
    )
  }
}
