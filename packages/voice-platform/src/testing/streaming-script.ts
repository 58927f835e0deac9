import type { WebSocket } from 'ws'

/** What goes wrong: a refused key, a close in the middle, frames without sense, no answer, an error by the wire, items out of order. */
export type StreamingFault = 'refuse' | 'cut' | 'garbage' | 'silent' | 'flood' | 'error' | 'out-of-order'

/** What the stand-in does; each may be changed between connections. */
export interface StreamingScript {
  /** What all speech says. */
  transcript: string
  /** From the end of speech, or a commit, to its final words, in milliseconds. */
  finalMs: number
  /** From a text to its first sound. */
  voiceMs: number
  fault: StreamingFault | undefined
}

export interface StreamingConnection {
  url: URL
  headers: Readonly<Record<string, unknown>>
  /** The text messages of the client, as JSON. */
  messages: Record<string, unknown>[]
  /** Bytes of audio that came as binary messages. */
  audioBytes: number
  isClosed: boolean
}

export type Serve = (socket: WebSocket, script: StreamingScript, connection: StreamingConnection) => void
