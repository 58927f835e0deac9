import type { IncomingMessage } from 'node:http'

/** Takes work that may go on when nobody waits for it any more. */
export type Keep = (work: Promise<unknown>) => void

/** What still goes on for a request that was answered, or whose client went away. */
export class UnfinishedWork {
  readonly #going = new WeakMap<IncomingMessage, Set<Promise<unknown>>>()

  /** Keeps work of this request until it has ended, however it ends. */
  keeperOf(request: IncomingMessage): Keep {
    return (work) => {
      const going = this.#going.get(request) ?? new Set()
      this.#going.set(request, going)
      const over: Promise<unknown> = work.then(ended, ended).then(() => going.delete(over))
      going.add(over)
    }
  }

  /** Resolves when all that goes on now has ended; undefined where nothing does. Never rejects. */
  of(request: IncomingMessage): Promise<unknown> | undefined {
    const going = this.#going.get(request)
    return going === undefined || going.size === 0 ? undefined : Promise.all(going)
  }
}

const ended = () => {}
