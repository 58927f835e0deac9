import { LIST_LIMIT, VisitorError } from '@heyline/backend/stored-visitors'
import { boundedFetch } from '@heyline/kit/bounded-fetch'
import { z } from 'zod'

const refusal = z.object({ code: z.string(), message: z.string() })

export const listedVisitor = z.object({ slug: z.string(), name: z.string() })

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

/** The parts of a table are read one by one. */
const reach = boundedFetch()

/** Then nothing has been sent. */
const NOT_CONNECTED: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** An answer of any status, read whole; rejects with a `VisitorError` where there is none. */
export async function answerOf(
  url: string,
  { reads, ...init }: Request,
  patienceMs = PATIENCE_MS,
): Promise<Response> {
  try {
    return await reach(url, { ...init, signal: AbortSignal.timeout(patienceMs) })
  } catch (error) {
    // What a body refused to send is said by whoever refused.
    const cause = error instanceof Error ? error.cause : undefined
    if (cause instanceof VisitorError) throw cause
    if (error instanceof VisitorError) throw error
    const sent = !(cause instanceof Error && 'code' in cause && NOT_CONNECTED.includes(cause.code))
    if (sent && stores({ reads, ...init })) throw unknownOutcome(error)
    throw new VisitorError('visitors_unreachable', fault(url, error), { cause: error })
  }
}

function fault(url: string, error: unknown): string {
  const { origin } = new URL(url)
  if (error instanceof RangeError) return `${origin} sent more than an answer may have`
  // As Node's fetch says it of a body that breaks off.
  const isBroken = error instanceof TypeError && error.message === 'terminated'
  return isBroken ? 'The other side sent no whole answer: try again' : `${origin} can't be reached`
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

/**
 * Reads a table's rows, one by one up to the first that is none; throws a `VisitorError` there, and where there are more than anybody asks for (`LIST_LIMIT`): to say of
 * each of half a million what is wrong with it takes gigabytes.
 */
export const rowsOf =
  <Row>(row: z.ZodType<Row>) =>
  (answer: unknown): Row[] => {
    if (!Array.isArray(answer) || answer.length > LIST_LIMIT)
      throw noRows('The other side sent no list as was asked for')
    return answer.map((one) => {
      const read = row.safeParse(one)
      if (!read.success) throw noRows('The other side sent a row that is no visitor')
      return read.data
    })
  }

const noRows = (message: string) => new VisitorError('visitors_unreachable', message)
