import { VisitorError } from '@heyline/backend/stored-visitors'
import { answerOf, refusalOf } from './answer.js'

/** PostgREST's code for a second row of the same key. */
const UNIQUE_VIOLATION = '23505'

export interface HostedTable {
  /** The Supabase project's address. */
  url: string
  /** Its secret key: the page's key may not list or write. */
  secretKey?: string
}

export interface TableRequest extends RequestInit {
  /** A status that is no refusal here. */
  takes?: number
}

/** Asks the table; rejects with a `VisitorError` for every answer that is a refusal. */
export type AskTable = (query: string, init?: TableRequest, patienceMs?: number) => Promise<Response>

/** The table of visitors of a hosted Supabase project, over its REST wire. */
export function hostedTable({ url, secretKey }: HostedTable): AskTable {
  const table = `${url}/rest/v1/visitors`
  return async (query, { headers, takes, ...init } = {}, patienceMs) => {
    if (!secretKey)
      throw new VisitorError(
        'visitors_unreachable',
        'Visitors live in SUPABASE_URL: set SUPABASE_SECRET_KEY to reach them',
      )
    const answer = await answerOf(
      `${table}${query}`,
      {
        ...init,
        headers: {
          ...Object.fromEntries(new Headers(headers)),
          apikey: secretKey,
          authorization: `Bearer ${secretKey}`,
          'content-type': 'application/json',
        },
      },
      patienceMs,
    )
    if (answer.ok || answer.status === takes) return answer
    const { code, message } = await refusalOf(answer)
    if (code === UNIQUE_VIOLATION)
      throw new VisitorError('slug_taken', `A slug is taken there already: ${message}`)
    throw new VisitorError('visitors_unreachable', `The hosted backend refused: ${message}`)
  }
}

/** For `ilike`: a text's `%`, `_` and `\` match themselves only (a `*` can't be escaped on this wire). */
export const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')
