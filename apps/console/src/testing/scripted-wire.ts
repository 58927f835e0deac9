/** A request as the script sees it. */
export interface Asked {
  name: string
  body: Record<string, unknown>
  headers: Headers
}

/** What is answered: a status and a body. */
export type Answer = [status: number, body?: unknown] | ((asked: Asked) => [status: number, body?: unknown])

/**
 * A server that answers by a script: `POST /token` names the path below `/auth/v1` or `/-`. An array answers in turn, its last for ever.
 * What the script does not know is not answered at all, as a server that is gone.
 */
export function scriptedWire(script: Record<string, Answer | Answer[]>) {
  const asked: Asked[] = []
  const counts: Record<string, number> = {}
  const answer: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    const name = `${init?.method ?? 'GET'} ${pathname.replace(/^.*\/auth\/v1|^\/-/, '')}`
    const request = {
      name,
      body: init?.body ? JSON.parse(String(init.body)) : {},
      headers: new Headers(init?.headers),
    }
    asked.push(request)
    const count = counts[name] ?? 0
    counts[name] = count + 1
    const planned = script[name]
    const next = isSequence(planned) ? planned[Math.min(count, planned.length - 1)] : planned
    if (!next) throw new TypeError(`Nobody answers ${name}`)
    const [status, body] = typeof next === 'function' ? next(request) : next
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { 'x-supabase-api-version': '2024-01-01' },
    })
  }
  return { fetch: answer, asked, names: () => asked.map(({ name }) => name) }
}

const isSequence = (planned: Answer | Answer[] | undefined): planned is Answer[] =>
  Array.isArray(planned) && typeof planned[0] !== 'number'

export interface ScriptedFactor {
  id: string
  factor_type: string
  friendly_name: string
  status: string
  created_at: string
}

/** A verified factor. */
export const scriptedFactor = (id: string, type = 'totp'): ScriptedFactor => ({
  id,
  factor_type: type,
  friendly_name: `My ${type}`,
  status: 'verified',
  created_at: '2026-11-22T10:00:00Z',
})

/** The answer to a sign-in. */
export function scriptedTokens(aal: 'aal1' | 'aal2', factors: ScriptedFactor[] = []) {
  const expires = Math.floor(Date.now() / 1000) + 3600
  const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '')
  const claims = { sub: 'user', aal, amr: [], exp: expires, session_id: 'session' }
  return {
    access_token: `${part({ alg: 'ES256', kid: 'key', typ: 'JWT' })}.${part(claims)}.${part('signature')}`,
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: expires,
    refresh_token: 'refresh-token',
    user: scriptedUser(factors),
  }
}

export const scriptedUser = (factors: ScriptedFactor[] = []) => ({
  id: 'user',
  aud: 'authenticated',
  email: 'ada@example.com',
  factors,
})
