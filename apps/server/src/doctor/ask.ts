/** Longest that an end may take to answer, in ms. */
const PATIENCE_MS = 5_000

/** What an end said; `undefined` where it can't be reached. */
export interface Said {
  status: number
  headers: Headers
  /** Its JSON; `undefined` where it is none. */
  body: unknown
}

/** Asks an end once. Never rejects. */
export async function ask(url: string, init: RequestInit = {}): Promise<Said | undefined> {
  try {
    const answer = await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: jsonOf(text) }
  } catch {
    return undefined
  }
}

/** A field of an answer's object; `undefined` where there is none. */
export const field = (body: unknown, name: string): unknown => Reflect.get(Object(body), name)

/** Asks as a browser does before a request that it needs leave for. */
export const askLeave = (
  url: string,
  origin: string,
  method: string,
  headers: string,
): Promise<Said | undefined> =>
  ask(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
  })

/** Whether the answer to `askLeave` lets the origin send these headers. */
export function givesLeave(said: Said, origin: string, headers: string): boolean {
  const allowedOrigin = said.headers.get('access-control-allow-origin')
  const allowed = words(said.headers.get('access-control-allow-headers'))
  const fits = allowed.includes('*') || words(headers).every((header) => allowed.includes(header))
  return said.status < 300 && (allowedOrigin === '*' || allowedOrigin === origin) && fits
}

const words = (list: string | null) => (list ?? '').split(',').map((word) => word.trim().toLowerCase())

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
