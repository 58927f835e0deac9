import { type ListedVisitor, parseNewVisitor, VisitorError, type Visitors } from '@heyline/backend'
import { answerOf, refusalOf, visitorRows } from './answer.js'

/** The visitors of a running server, through `/-/admin`. */
export function runningVisitors(serverUrl: string, secretKey: string): Visitors {
  const call = async (init: RequestInit = {}): Promise<unknown> => {
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
    const answer = await answerOf(`${serverUrl}/-/admin/visitors`, { ...init, headers })
    if (answer.ok) return answer.json()
    const { code, message } = await refusalOf(answer)
    throw new VisitorError(code === 'slug_taken' ? code : 'visitors_unreachable', message)
  }
  return {
    async add(input) {
      const visitor = parseNewVisitor(input)
      await call({ method: 'POST', body: JSON.stringify(visitor) })
      return { slug: visitor.slug, name: visitor.name }
    },
    list: async (): Promise<ListedVisitor[]> => visitorRows.parse(await call()),
  }
}
