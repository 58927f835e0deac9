/** Most bytes of speech that are held for a client: a minute of it. Beyond it the oldest are forgotten. */
const MOST_SPEECH = 2_000_000
/** Most characters of text that are held for a client. Texts are not forgotten: beyond it no connection can follow. */
const MOST_TEXT = 2_000_000

type Frame = string | Uint8Array

interface Held {
  frame: Frame
  /** Speech, or a mark in it: of no use after a clear. */
  isSpeech: boolean
  /** Of a mark or a clear: the client's answer to it says that it has this frame and all before it. */
  id: number | undefined
  /** Which frame of the connection it was; more than any while it was sent over none. */
  position: number
}

/** What was sent to a client and may not have come: a connection that breaks takes with it what is on its way. */
export class Outbox {
  /** More text was sent than is held: a client that lost its connection now would miss some. */
  isTorn = false
  #held: Held[] = []
  #size = { speech: 0, text: 0 }
  #position = 0

  /** A frame is sent now, or would be if the client were there. */
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

  /** The client has answered a mark or a clear; it has all that was sent before. */
  answered(id: number): void {
    const at = this.#held.findIndex((held) => held.id === id)
    if (at < 0) return
    this.isTorn = false
    this.#keep((_, index) => index > at)
  }

  /** Speech up to now is not to be heard any more. */
  clear(): void {
    this.#keep(({ isSpeech }) => !isSpeech)
  }

  /** A connection begins, whose client has so many frames of the one before. Answers what is to be sent over it. */
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
