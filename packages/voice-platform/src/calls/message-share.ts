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

  /** Whether one more message of this size fits. */
  hasRoom(bytes: number): boolean {
    return this.#messages < this.#most.messages && this.#bytes + bytes <= this.#most.bytes
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
