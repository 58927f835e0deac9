import type { Recognition } from './speech-recognition.js'

/** A browser's speech recognition that hears what a test says, under the name that Chromium gives it. */
export class ScriptedRecognition implements Recognition {
  /** All that were made, in order. */
  static readonly made: ScriptedRecognition[] = []
  /** The next start throws this. */
  static refusal: Error | undefined
  continuous = false
  interimResults = false
  lang = ''
  onstart: Recognition['onstart'] = null
  onresult: Recognition['onresult'] = null
  onerror: Recognition['onerror'] = null
  onend: Recognition['onend'] = null
  track: MediaStreamTrack | undefined
  isAborted = false
  readonly #results: { isFinal: boolean; 0: { transcript: string } }[] = []

  constructor() {
    ScriptedRecognition.made.push(this)
  }

  /** The latest. Throws when none was made. */
  static get latest(): ScriptedRecognition {
    const latest = ScriptedRecognition.made.at(-1)
    if (!latest) throw new Error('Nobody has asked for speech recognition.')
    return latest
  }

  start(track: MediaStreamTrack): void {
    if (ScriptedRecognition.refusal) throw ScriptedRecognition.refusal
    this.track = track
  }

  abort(): void {
    this.isAborted = true
  }

  listen(): void {
    this.onstart?.()
  }

  /** The last result grows, in as many pieces; or another one begins behind a final one. */
  hear(...pieces: string[]): void {
    this.#result(pieces, false)
  }

  /** The last result is final. */
  conclude(text: string): void {
    this.#result([text], true)
  }

  end(error?: string): void {
    if (error) this.onerror?.({ error })
    this.onend?.()
  }

  #result(pieces: string[], isFinal: boolean): void {
    while (this.#results.length > 0 && this.#results.at(-1)?.isFinal === false) this.#results.pop()
    const resultIndex = this.#results.length
    for (const transcript of pieces) this.#results.push({ isFinal, 0: { transcript } })
    this.onresult?.({ resultIndex, results: this.#results })
  }
}
