/** What a message of a speech server says. Binary messages are audio. */
export type SpeechSaid =
  | { type: 'audio'; bytes: Uint8Array }
  /** The text is spoken to its end. */
  | { type: 'spoken' }
  | { type: 'failed'; message: string }

/** How one kind of server is asked for speech: PCM16 mono 16 kHz, one text at a time. */
export interface SpeechKind {
  engine: string
  url: string
  headers: Readonly<Record<string, string>>
  silenceMs?: number | undefined
  /** Sent first, and last. */
  opening: readonly string[]
  goodbye?: string
  speak(text: string): readonly string[]
  /** What a text message says; undefined where it is no JSON. */
  read(message: unknown): readonly SpeechSaid[]
}
