import { MIRROR_HEADER, MIRROR_PATH, MirrorProof } from '../mirror/mirror-proof.js'
import { type SeenRequest, seenRequest } from '../mirror/seen-request.js'

/** Longest that the way there and back may take, in ms. */
const PATIENCE_MS = 8_000

/** Who answered: a server of this installation, somebody else, or nobody. */
export type Reflection =
  | { by: 'us'; seen: SeenRequest; headers: Headers }
  | { by: 'other'; status: number; headers: Headers }
  | { by: 'nobody'; reason: string }

export interface MirrorAsk {
  headers?: Record<string, string>
  body?: Uint8Array
}

/** Asks this installation at its public address how requests arrive. No secret is sent (`MirrorProof`). */
export class MirrorClient {
  readonly #url: string
  readonly #proofs: MirrorProof

  constructor(publicUrl: string, secretKey: string) {
    this.#url = `${publicUrl}${MIRROR_PATH}`
    this.#proofs = new MirrorProof(secretKey)
  }

  /** Never rejects. */
  async ask({ headers, body }: MirrorAsk = {}): Promise<Reflection> {
    const { header, answer: right } = this.#proofs.question()
    try {
      const answer = await fetch(this.#url, {
        method: body ? 'POST' : 'GET',
        headers: { ...headers, [MIRROR_HEADER]: header },
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(body && { body: new Blob([Uint8Array.from(body)]) }),
      })
      const text = await answer.text()
      const seen = seenRequest.safeParse(jsonOf(text)).data
      return seen?.proof === right
        ? { by: 'us', seen, headers: answer.headers }
        : { by: 'other', status: answer.status, headers: answer.headers }
    } catch (error) {
      return { by: 'nobody', reason: reasonOf(error) }
    }
  }

  /** The body of the stream of two events. Rejects where there is none. */
  async stream(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { header } = this.#proofs.question()
    const answer = await fetch(`${this.#url}?stream`, { headers: { [MIRROR_HEADER]: header }, signal })
    if (answer.status !== 200 || !answer.body) throw new Error(`The answer is ${answer.status}.`)
    return answer.body
  }
}

/** What broke, in the words of the system: a code where there is one. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  if (cause instanceof Error) return cause.name === 'TimeoutError' ? 'no answer in time' : cause.message
  return String(cause)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
