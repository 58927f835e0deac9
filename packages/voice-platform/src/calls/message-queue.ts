import { Lanes } from '../work/lanes.js'
import { MessageShare } from './message-share.js'

/** What waits in one queue at most. Each message holds a whole call in memory. */
const ALL = { messages: 1_000, bytes: 16_000_000 }
/** What comes often, of all calls together. The other half is left to messages of which a call has three or four, such as its report. */
const OFTEN = { messages: 500, bytes: 8_000_000 }
/** What comes often, of one call. */
const OFTEN_IN_A_CALL = { messages: 50, bytes: 1_000_000 }

/** A message of one call. */
export interface QueuedMessage {
  callId: string
  /** Address of an assistant's own server, which may be slow or gone; undefined for the installation's. */
  server?: string | undefined
  /** As often as somebody speaks or types. Its loss matters less than that of another message. */
  comesOften?: boolean
}

/**
 * Server messages that wait for their turn: those of a call in order, those of different calls side by side. An assistant's own server has half
 * of what the others leave, so that one that does not answer never takes the whole queue.
 */
export class MessageQueue {
  readonly #lanes = new Lanes()
  readonly #all = new MessageShare(ALL)
  readonly #often = new MessageShare(OFTEN)
  /** Of each call that has messages in `#often`. */
  readonly #calls = new Map<string, MessageShare>()
  /** Of each assistants' server that has messages in `#all`. */
  readonly #servers = new Map<string, MessageShare>()
  /** Whether messages that come often were dropped since the queue was empty, and whether others were. */
  readonly #dropped = new Set<boolean>()

  /** Messages that wait or are on their way. */
  get length(): number {
    return this.#all.messages
  }

  /** False where no more of this size may wait. */
  hasRoom(message: QueuedMessage, bytes: number): boolean {
    const { server } = message
    if (server !== undefined && !this.#all.hasRoomFor(this.#ofServer(server), bytes)) return false
    return this.#sharesOf(message).every((share) => share.hasRoom(bytes))
  }

  /** Sends a message of this size after those of the same call. `send` never rejects. */
  add(message: QueuedMessage, bytes: number, send: () => Promise<void>): void {
    const { callId, server, comesOften } = message
    if (comesOften) this.#calls.set(callId, this.#ofCall(callId))
    if (server !== undefined) this.#servers.set(server, this.#ofServer(server))
    const shares = this.#sharesOf(message)
    for (const share of shares) share.take(bytes)
    void this.#lanes.run(callId, async () => {
      await send()
      for (const share of shares) share.giveBack(bytes)
      if (this.#calls.get(callId)?.messages === 0) this.#calls.delete(callId)
      if (server !== undefined && this.#servers.get(server)?.messages === 0) this.#servers.delete(server)
      if (this.#all.messages === 0) this.#dropped.clear()
    })
  }

  /** A message was dropped. True for the first one since the queue was empty, and for the first that does not come often. */
  drop({ comesOften = false }: QueuedMessage): boolean {
    const isFirst = !this.#dropped.has(comesOften)
    this.#dropped.add(comesOften)
    return isFirst
  }

  /** Resolves when it is empty. */
  idle(): Promise<void> {
    return this.#lanes.idle()
  }

  #sharesOf({ callId, server, comesOften }: QueuedMessage): MessageShare[] {
    return [
      this.#all,
      ...(comesOften ? [this.#often, this.#ofCall(callId)] : []),
      ...(server !== undefined ? [this.#ofServer(server)] : []),
    ]
  }

  #ofServer(server: string): MessageShare {
    return this.#servers.get(server) ?? new MessageShare(ALL)
  }

  #ofCall(callId: string): MessageShare {
    return this.#calls.get(callId) ?? new MessageShare(OFTEN_IN_A_CALL)
  }
}
