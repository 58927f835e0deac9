import { parseNewVisitor, VisitorError, type Visitors } from '@heyline/backend'
import { answerOf, refusalOf, visitorRows } from './answer.js'

/** PostgREST's code for a second row of the same key. */
const UNIQUE_VIOLATION = '23505'

export interface HostedTable {
  /** The Supabase project's address. */
  url: string
  /** Its secret key: the page's key may not list or write. */
  secretKey?: string
}

/** The visitors of a hosted Supabase project, over its REST wire. Only spec 3's four columns are assumed there. */
export function hostedVisitors({ url, secretKey }: HostedTable): Visitors {
  const table = `${url}/rest/v1/visitors`
  const call = async (query: string, init: RequestInit = {}) => {
    if (!secretKey)
      throw new VisitorError(
        'visitors_unreachable',
        'Visitors live in SUPABASE_URL: set SUPABASE_SECRET_KEY to reach them',
      )
    const headers = {
      apikey: secretKey,
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
    }
    return answerOf(`${table}${query}`, { ...init, headers })
  }
  return {
    async add(input) {
      const { slug, name, system, firstMessage } = parseNewVisitor(input)
      const body = JSON.stringify({ slug, name, system: system || null, first_message: firstMessage || null })
      const answer = await call('', { method: 'POST', body })
      if (answer.ok) return { slug, name }
      const { code, message } = await refusalOf(answer)
      if (code === UNIQUE_VIOLATION) throw VisitorError.slugTaken(slug)
      throw new VisitorError('visitors_unreachable', `The hosted backend refused the visitor: ${message}`)
    },
    async list() {
      const answer = await call('?select=slug,name&order=slug')
      if (!answer.ok) {
        const { message } = await refusalOf(answer)
        throw new VisitorError('visitors_unreachable', `The hosted backend refused the list: ${message}`)
      }
      return visitorRows.parse(await answer.json())
    },
  }
}
