import type { Factor, SessionState } from '../wire/session-wire.js'

/** A request as the script sees it. */
export interface Asked {
  name: string
  body: Record<string, unknown>
}

/** What is answered: a status and a body. */
export type Answer = [status: number, body?: unknown]

/**
 * A server that answers by a script: `POST /session/sign-in` names the path below `/-/office`. An array answers in turn, its last for ever.
 * What the script does not know is not answered at all, as a server that is gone.
 */
export function scriptedWire(script: Record<string, Answer | Answer[]>) {
  const asked: Asked[] = []
  const counts: Record<string, number> = {}
  const answer: typeof fetch = async (input, init) => {
    const name = `${init?.method ?? 'GET'} ${new URL(String(input)).pathname.replace('/-/office', '')}`
    asked.push({ name, body: init?.body ? JSON.parse(String(init.body)) : {} })
    const count = counts[name] ?? 0
    counts[name] = count + 1
    const planned = script[name]
    const next = isSequence(planned) ? planned[Math.min(count, planned.length - 1)] : planned
    if (!next) throw new TypeError(`Nobody answers ${name}`)
    const [status, body = {}] = next
    return new Response(JSON.stringify(body), { status })
  }
  return { fetch: answer, asked, names: () => asked.map(({ name }) => name) }
}

const isSequence = (planned: Answer | Answer[] | undefined): planned is Answer[] =>
  Array.isArray(planned) && typeof planned[0] !== 'number'

/** A verified factor. */
export const scriptedFactor = (id: string, type: Factor['type'] = 'totp'): Factor => ({
  id,
  type,
  name: `My ${type}`,
  addedAt: '2026-11-22T10:00:00Z',
})

type SignedIn = Extract<SessionState, { signedIn: true }>

/** Somebody who is signed in, and may go on unless something comes next. */
export const scriptedState = (more: Partial<SignedIn> = {}): SessionState => ({
  signedIn: true,
  email: 'ada@example.com',
  factors: [],
  ...(!more.next && { operator: { userId: 'user', email: 'ada@example.com', role: 'owner' } }),
  ...more,
})

export const SIGNED_OUT: SessionState = { signedIn: false, setupNeeded: false }
