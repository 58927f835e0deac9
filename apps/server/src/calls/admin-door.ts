import { RecordsError, type RecordsErrorCode } from '@heyline/call-desk'
import { LONG_PATIENCE_MS, PATIENCE_MS, refusalOf } from '../visitors/answer.js'
import { readJsonLines } from '../visitors/json-lines.js'

/** What a server says by these codes, it says for us; all else means that it can't be used. */
const PASSED_ON: readonly string[] = [
  'invalid_request',
  'invalid_phone',
  'invalid_id',
  'call_not_found',
  'several_calls',
  'slug_not_called',
  'not_listed',
  'call_running',
  'too_large',
] satisfies RecordsErrorCode[]

/** How a door says what went wrong. */
export interface DoorErrors {
  /** What the server said. */
  refused(code: string, message: string): Error
  /** It said nothing, or nothing that we understand. */
  unreachable(message: string, cause: unknown): Error
  /** One of these two. */
  isOurs(error: unknown): boolean
  /** The command that shows whether something was done. */
  look: string
}

const RECORDS_ERRORS: DoorErrors = {
  refused: (code, message) => new RecordsError(isPassedOn(code) ? code : 'calls_unreachable', message),
  unreachable: (message, cause) => new RecordsError('calls_unreachable', message, { cause }),
  isOurs: (error) => error instanceof RecordsError,
  look: 'heyline calls status',
}

/** A running server's `/-/admin`, opened with the secret key. Everything rejects with what `DoorErrors` makes, by default a `RecordsError`. */
export class AdminDoor {
  readonly #url: string
  readonly #secretKey: string
  readonly #errors: DoorErrors

  constructor(serverUrl: string, secretKey: string, errors = RECORDS_ERRORS) {
    this.#url = `${serverUrl}/-/admin`
    this.#secretKey = secretKey
    this.#errors = errors
  }

  get(path: string, query: Record<string, string | undefined> = {}): Promise<unknown> {
    const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
    return this.#json(`${path}?${new URLSearchParams(given)}`, {}, PATIENCE_MS)
  }

  /** What a body tells stands in no address, and so in no log of one. */
  post(path: string, body: unknown = {}, patienceMs = PATIENCE_MS): Promise<unknown> {
    return this.#json(path, { method: 'POST', body: JSON.stringify(body) }, patienceMs)
  }

  /** An answer of JSON lines, in parts as they come, until it ends or the signal is aborted. */
  async *lines(path: string, signal: AbortSignal = AbortSignal.timeout(LONG_PATIENCE_MS), asked?: unknown) {
    const init = asked === undefined ? {} : { method: 'POST', body: JSON.stringify(asked) }
    try {
      const { body } = await this.#answered(path, { ...init, signal })
      if (body) yield* readJsonLines(body)
    } catch (error) {
      if (this.#errors.isOurs(error)) throw error
      throw this.#errors.unreachable('The server stopped before it had sent all: try again', error)
    }
  }

  async #json(path: string, init: RequestInit, patienceMs: number): Promise<unknown> {
    const answer = await this.#answered(path, { ...init, signal: AbortSignal.timeout(patienceMs) })
    try {
      return await answer.json()
    } catch (error) {
      throw this.#errors.unreachable(this.#noAnswer(init), error)
    }
  }

  async #answered(path: string, init: RequestInit): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#secretKey}`, 'content-type': 'application/json' }
    let answer: Response
    try {
      answer = await fetch(`${this.#url}${path}`, { ...init, headers })
    } catch (error) {
      throw this.#errors.unreachable(this.#noAnswer(init), error)
    }
    if (answer.ok) return answer
    const { code, message } = await refusalOf(answer)
    throw this.#errors.refused(code, message)
  }

  #noAnswer({ method }: RequestInit): string {
    return method === 'POST'
      ? `The server sent no answer: whether it was done is unknown; look with ${this.#errors.look}`
      : 'The server sent no answer: try again'
  }
}

const isPassedOn = (code: string): code is RecordsErrorCode => PASSED_ON.includes(code)
