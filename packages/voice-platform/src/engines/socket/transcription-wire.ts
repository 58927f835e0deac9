/** What a message of a transcription server says. */
export type Said =
  /** Words of a segment; a segment without words yet keeps its place. */
  | { type: 'words'; key: string; text: string; isFinal: boolean }
  /** All words are final that were asked for. */
  | { type: 'flushed' }
  /** The words of so many samples from the beginning are final. `isPause`: a pause was heard behind them. */
  | { type: 'known'; samples: number; isPause: boolean }
  | { type: 'end-of-turn' }
  | { type: 'failed'; message: string }

/** How one kind of server is spoken to. One of it for each stream, since it may keep state. */
export interface TranscriptionWire {
  /** Sent first. */
  readonly opening: readonly string[]
  /** Sent last. */
  readonly goodbye?: string
  /** Sent now and then while no audio comes, so that the server waits for it. */
  readonly stay?: string
  audio(samples: Int16Array): string | Uint8Array
  /** Asks for the final words of all audio; so many samples have come since it was last asked. */
  flush(samples: number): readonly (string | Uint8Array)[]
  /** What a text message says; `message` is its JSON. */
  read(message: unknown): readonly Said[]
}

export interface SocketTranscriberOptions {
  /** Base URL: `wss://…` or `https://…`. */
  url: string
  key?: string | undefined
  /** The engine's model. */
  name?: string | undefined
  /** How long the server may stay silent, in milliseconds. */
  silenceMs?: number | undefined
}

/** What a kind needs to be a transcriber. */
export interface SocketKind {
  engine: string
  url: string
  headers: Readonly<Record<string, string>>
  silenceMs?: number | undefined
  wire(): TranscriptionWire
}

/** A base URL as one of a WebSocket, with this path unless it has one that ends with it, and these parameters. */
export function socketUrl(base: string, path: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(base.replace(/^http/, 'ws'))
  const before = url.pathname.replace(/\/+$/, '')
  const whole = before.endsWith(path) ? before : `${before}${path}`
  url.pathname = whole.replace(/\/v1\/v1\//, '/v1/')
  for (const [name, value] of Object.entries(parameters))
    if (!url.searchParams.has(name)) url.searchParams.set(name, value)
  return url.href
}

/** The header that holds a key; none without one. */
export const headersOf = (name: string, value: string | undefined): Record<string, string> =>
  value ? { [name]: value } : {}
