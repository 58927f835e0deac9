import { z } from 'zod'
import { boundedJson } from '../../work/bounded-json.js'
import { EngineError } from '../engine.js'
import { type EngineHosts, engineHosts } from '../engine-hosts.js'

/** How long a server may stay silent, before its answer and between two pieces of it, in milliseconds. */
const SILENCE_MS = 10_000
/** Most bytes of an answer in pieces: two minutes of 24 kHz speech. No reply has as much text. */
const MOST_BYTES = 6_000_000
/** What may come behind an answer that is complete, in milliseconds and bytes, so that its connection serves the next request, too. */
const REST_MS = 1_000
const MOST_REST = 16_000
/** Most of one that is read as a whole, and of one that says what is wrong. */
const MOST_WHOLE = 1_000_000
const MOST_ERROR = 64_000
/** Characters of an error's own words that are looked at. */
const MOST_WORDS = 2_000

/** Redirects after which the same request is sent again. */
const KEEPS_THE_REQUEST: ReadonlySet<number> = new Set([307, 308])

/** Where an OpenAI-compatible engine is, and what it serves. */
export interface OpenAiOptions {
  /** Base URL, with `/v1` where the server has it: `https://api.openai.com/v1`, `http://127.0.0.1:11434/v1`. */
  url: string
  /** Sent as bearer token. A server on your own machine needs none. */
  key?: string
  /** The engine's model (`whisper-1`, `gpt-4o-mini`, `tts-1`). */
  name?: string
  /** How long the server may stay silent, in milliseconds; 10 seconds when left out. */
  silenceMs?: number
  /** Instead of the process's. */
  hosts?: Pick<EngineHosts, 'whereKnown'>
}

const words = z
  .string()
  .catch('')
  .transform((text) => text.slice(0, MOST_WORDS))
const errorFields = z.object({
  code: z.unknown().optional(),
  type: z.unknown().optional(),
  param: words,
  message: words,
})
/** As OpenAI answers, or with the fields at the top (vLLM). */
const errorBody = z.union([z.object({ error: errorFields }).transform(({ error }) => error), errorFields])

const NAMES_TOOLS = /\b(tools?|tool_choice|functions?)\b/i
/** In an error of the server's own, other words may be there (“CUDA function failed”): it names tools, and behind them says no. */
const TOOLS = /\btools?\b/i
const REFUSES = /\b(requires?|(not|un)[ -]?supported)\b/i
/** One of them, by its place. */
const NAMES_ONE_TOOL = /\b(tools|functions)(\[|\.\d)/i

/** The server answered with another status than 2xx. Of its words only codes and names of parameters are kept. */
export class EngineRefusal extends EngineError {
  readonly status: number
  /** Its error code (`model_not_found`), or the error's type where it has no code. */
  readonly code: string | undefined
  /** The parameter that it says is not supported, by itself or with this value (`max_tokens`). */
  readonly unsupported: string | undefined
  /** It speaks of tools or functions, and of no single one. */
  readonly namesTools: boolean
  /** It speaks of `stream_options`, in whatever form: servers that check bodies strictly list the fields they do not know. */
  readonly namesStreamOptions: boolean

  constructor(engine: string, status: number, body: unknown, text = '') {
    const { code, type, param = '', message = '' } = errorBody.safeParse(body).data ?? {}
    const word = worded(code) ?? worded(type)
    super(engine, `the server answered ${status}${word ? ` (${word})` : ''}`)
    this.status = status
    this.code = word
    // Proxies pass the sentence on, but not always the fields.
    const named = /\bUnsupported (?:parameter|value): '(\w+)'/.exec(message)?.[1]
    this.unsupported = worded(word?.startsWith('unsupported_') ? param || named : named)
    const said = `${param} ${message}`
    this.namesStreamOptions = /\b(stream_options|include_usage)\b/.test(text)
    this.namesTools =
      (status < 500 ? NAMES_TOOLS.test(said) : refusesTools(said)) && !NAMES_ONE_TOOL.test(said)
  }
}

/**
 * One request to an OpenAI-compatible server and its answer, read piece by piece. A redirect to another server is not followed. When the signal aborts, it rejects with the signal's
 * reason. Any other failure, such as a server that stays silent for too long, is an `EngineError`; an answer that is not 2xx an `EngineRefusal`.
 * It has the server's status and error code, but not its words: these may contain keys or what was said.
 */
export class Exchange {
  readonly #engine: string
  readonly #options: OpenAiOptions
  readonly #signal: AbortSignal
  readonly #controller = new AbortController()
  readonly #abort = () => this.#controller.abort()
  #timer: NodeJS.Timeout | undefined
  #timedOut = false
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  /** What is left of the answer: all of it, what comes after its end, or nothing. */
  #left: 'answer' | 'rest' | 'nothing' = 'answer'

  constructor(engine: string, options: OpenAiOptions, signal: AbortSignal) {
    this.#engine = engine
    this.#options = options
    this.#signal = signal
  }

  /** Sends the request. Resolves when the answer's headers have come and its status is 2xx. Else rejects with an `EngineRefusal`. */
  async post(path: string, body: FormData | object): Promise<Response> {
    this.#signal.throwIfAborted()
    this.#signal.addEventListener('abort', this.#abort, { once: true })
    const headers: Record<string, string> = {}
    if (this.#options.key) headers.authorization = `Bearer ${this.#options.key}`
    const isForm = body instanceof FormData
    if (!isForm) headers['content-type'] = 'application/json'
    const sent = { method: 'POST', headers, body: isForm ? body : JSON.stringify(body) }
    const url = `${this.#options.url.replace(/\/+$/, '')}${path}`
    const first = await this.#ask(url, sent)
    const elsewhere = await this.#redirect(url, first)
    const response = elsewhere === undefined ? first : await this.#ask(elsewhere, sent)
    if (response.ok) return response
    const text = await this.#beginning(response)
    this.#signal.throwIfAborted()
    throw new EngineRefusal(this.#engine, response.status, boundedJson(text), text)
  }

  #ask(url: string, sent: RequestInit): Promise<Response> {
    const { hosts = engineHosts } = this.#options
    const { signal } = this.#controller
    return this.#step(() =>
      hosts.whereKnown(url, signal, () => fetch(url, { ...sent, redirect: 'manual', signal })),
    )
  }

  /**
   * Where a redirect leads that is followed: to the same server, once, as with a slash that was missing. What was said in a call goes to no other, and
   * to no address within our own network.
   */
  async #redirect(url: string, { status, headers, body }: Response): Promise<string | undefined> {
    const location = headers.get('location')
    if (status < 300 || status >= 400 || location === null) return undefined
    await body?.cancel()
    const to = URL.canParse(location, url) ? new URL(location, url) : undefined
    if (KEEPS_THE_REQUEST.has(status) && to?.origin === new URL(url).origin) return to.href
    throw this.error(`the server redirects (${status}), which is not followed; check its URL`)
  }

  /** The answer's bytes as they come. */
  async *bytes(response: Response, most = MOST_BYTES): AsyncGenerator<Uint8Array> {
    if (!response.body) return
    const reader = response.body.getReader()
    this.#reader = reader
    let total = 0
    for (;;) {
      const { done, value } = await this.#step(() => reader.read())
      if (done) this.#left = 'nothing'
      if (done) return
      total += value.length
      if (total > most) throw this.error(`the answer is longer than ${most} bytes`)
      yield value
    }
  }

  /** The answer as JSON. Undefined when it is not JSON, or has far more values than words. */
  async json(response: Response): Promise<unknown> {
    const decoder = new TextDecoder()
    let text = ''
    for await (const bytes of this.bytes(response, MOST_WHOLE))
      text += decoder.decode(bytes, { stream: true })
    return boundedJson(text + decoder.decode())
  }

  error(message: string, options?: ErrorOptions): EngineError {
    return new EngineError(this.#engine, message, options)
  }

  /** What was read says that the answer is complete: nothing of weight comes any more. */
  complete(): void {
    if (this.#left === 'answer') this.#left = 'rest'
  }

  /** Ends what is still under way. Always call it. Only what was not read to its end costs its connection. */
  close(): void {
    clearTimeout(this.#timer)
    this.#signal.removeEventListener('abort', this.#abort)
    if (this.#left === 'rest' && this.#reader) void this.#readRest(this.#reader)
    else if (this.#left !== 'nothing') this.#controller.abort()
  }

  async #readRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const late = setTimeout(this.#abort, REST_MS).unref()
    try {
      for (let total = 0; total <= MOST_REST; ) {
        const { done, value } = await reader.read()
        if (done) return
        total += value.length
      }
      this.#controller.abort()
    } catch {
      // It broke off, or was late: nobody waits for it.
    } finally {
      clearTimeout(late)
    }
  }

  /** As much of an error as is read, or as comes before it breaks off. */
  async #beginning(response: Response): Promise<string> {
    const decoder = new TextDecoder()
    let text = ''
    let left = MOST_ERROR
    try {
      for await (const bytes of this.bytes(response)) {
        text += decoder.decode(bytes.subarray(0, left), { stream: true })
        left -= bytes.length
        if (left <= 0) break
      }
    } catch {
      // Its status says enough.
    }
    return text
  }

  async #step<T>(work: () => Promise<T>): Promise<T> {
    const { silenceMs = SILENCE_MS } = this.#options
    this.#timer = setTimeout(() => {
      this.#timedOut = true
      this.#controller.abort()
    }, silenceMs)
    try {
      return await work()
    } catch (cause) {
      this.#signal.throwIfAborted()
      if (this.#timedOut) throw this.error(`the server was silent for ${silenceMs} ms`)
      throw this.error('the server could not be reached or broke off; check its URL', { cause })
    } finally {
      clearTimeout(this.#timer)
    }
  }
}

function refusesTools(words: string): boolean {
  const at = words.search(TOOLS)
  return at >= 0 && REFUSES.test(words.slice(at))
}

/** A code or a parameter's name; undefined for anything else. */
function worded(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z][a-z_]{1,49}$/.test(value) ? value : undefined
}
