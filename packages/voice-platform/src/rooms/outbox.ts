/** Most bytes (characters of text) that are held for a client: a minute of speech. Beyond it the oldest are forgotten. */
const MOST_HELD = 2_000_000

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
  #held: Held[] = []
  #size = 0
  #position = 0

  /** A frame is sent now, or would be if the client were there. */
  add(
    frame: Frame,
    { isSent, id, isMark = false }: { isSent: boolean; id?: number; isMark?: boolean },
  ): void {
    const position = isSent ? ++this.#position : Number.POSITIVE_INFINITY
    this.#held.push({ frame, isSpeech: isMark || typeof frame !== 'string', id, position })
    this.#size += frame.length
    let forgotten = 0
    while (this.#size > MOST_HELD) this.#size -= this.#held[forgotten++]?.frame.length ?? 0
    if (forgotten > 0) this.#held.splice(0, forgotten)
  }

  /** The client has answered a mark or a clear. */
  answered(id: number): void {
    const at = this.#held.findIndex((held) => held.id === id)
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

  #keep(isKept: (held: Held, index: number) => boolean): void {
    this.#held = this.#held.filter(isKept)
    this.#size = this.#held.reduce((size, { frame }) => size + frame.length, 0)
  }
}
