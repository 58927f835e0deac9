/** Of messages, and of their bytes. */
export interface MessageAmount {
  messages: number
  bytes: number
}

/** How much of a queue some messages may take, and how much they have taken. */
export class MessageShare {
  readonly #most: MessageAmount
  #messages = 0
  #bytes = 0

  constructor(most: MessageAmount) {
    this.#most = most
  }

  get messages(): number {
    return this.#messages
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Whether one more message of this size fits. */
  hasRoom(bytes: number): boolean {
    return this.#messages < this.#most.messages && this.#bytes + bytes <= this.#most.bytes
  }

  /** Whether one more message of this size fits, and the messages of `part`, which are among these, take no more than half of what the others leave. */
  hasRoomFor(part: MessageShare, bytes: number): boolean {
    const ofOthers = { messages: this.#messages - part.messages, bytes: this.#bytes - part.bytes }
    return (
      this.hasRoom(bytes) &&
      2 * (part.messages + 1) <= this.#most.messages - ofOthers.messages &&
      2 * (part.bytes + bytes) <= this.#most.bytes - ofOthers.bytes
    )
  }

  take(bytes: number): void {
    this.#messages += 1
    this.#bytes += bytes
  }

  giveBack(bytes: number): void {
    this.#messages -= 1
    this.#bytes -= bytes
  }
}
