/** Most bytes of speech that are held for a client (a minute). Beyond it the oldest speech is dropped. */
const MOST_SPEECH = 2_000_000
/** Most characters of text that are held for a client. Text is never dropped: beyond this the client cannot come back. */
const MOST_TEXT = 2_000_000

type Frame = string | Uint8Array

interface Held {
  frame: Frame
  /** Speech, or a mark in it: of no use after a clear. */
  isSpeech: boolean
  /** The id of a mark or a clear. The client's answer to it confirms this frame and all before it. */
  id: number | undefined
  /** Its number on this connection. Infinite while it was not sent. */
  position: number
}

/** Frames that the client may not have received. A connection that breaks loses what is under way. */
export class Outbox {
  /** More text was sent than is held. A client that lost its connection now would miss some. */
  isTorn = false
  #held: Held[] = []
  #size = { speech: 0, text: 0 }
  #position = 0

  /** Adds a frame. `isSent` says whether it goes out now; the client may be away. */
  add(
    frame: Frame,
    { isSent, id, isMark = false }: { isSent: boolean; id?: number; isMark?: boolean },
  ): void {
    const position = isSent ? ++this.#position : Number.POSITIVE_INFINITY
    this.#held.push({ frame, isSpeech: isMark || typeof frame !== 'string', id, position })
    this.#size[kindOf(frame)] += frame.length
    while (this.#size.speech > MOST_SPEECH) this.#forgetSpeech()
    if (this.#size.text <= MOST_TEXT) return
    this.isTorn = true
    this.#keep(() => false)
  }

  /** The client has answered a mark or a clear, so it has everything before. */
  answered(id: number): void {
    const at = this.#held.findIndex((held) => held.id === id)
    if (at < 0) return
    this.isTorn = false
    this.#keep((_, index) => index > at)
  }

  /** Drops the speech that waits. */
  clear(): void {
    this.#keep(({ isSpeech }) => !isSpeech)
  }

  /** A new connection begins. `received` is how many frames of the last one the client has. Returns the frames to send again. */
  restart(received: number): Frame[] {
    this.#keep(({ position }) => position > received)
    this.#position = 0
    for (const held of this.#held) held.position = ++this.#position
    return this.#held.map(({ frame }) => frame)
  }

  #forgetSpeech(): void {
    const at = this.#held.findIndex(({ frame }) => kindOf(frame) === 'speech')
    for (const { frame } of this.#held.splice(at, 1)) this.#size.speech -= frame.length
  }

  #keep(isKept: (held: Held, index: number) => boolean): void {
    this.#held = this.#held.filter(isKept)
    this.#size = { speech: 0, text: 0 }
    for (const { frame } of this.#held) this.#size[kindOf(frame)] += frame.length
  }
}

const kindOf = (frame: Frame) => (typeof frame === 'string' ? 'text' : 'speech')
