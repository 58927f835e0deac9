/** More listeners than this on one event are most likely a leak, which is warned of once an event (spec 9). */
const MANY_LISTENERS = 10

export type Listener<Arguments extends unknown[]> = (...payload: Arguments) => void

/**
 * Events by name, each with the types of its arguments. A listener that throws stops neither the others nor the
 * emitter: the error goes to the browser's `error` event (or the console), once.
 */
export class Emitter<Events extends Record<keyof Events, unknown[]>> {
  readonly #listeners: { [Name in keyof Events]?: Listener<Events[Name]>[] } = {}
  readonly #warned = new Set<keyof Events>()

  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): this {
    const listeners = [...(this.#listeners[name] ?? []), listener]
    this.#listeners[name] = listeners
    if (listeners.length > MANY_LISTENERS && !this.#warned.has(name)) {
      this.#warned.add(name)
      console.warn(`${listeners.length} listeners for ${String(name)}: a leak? Use off().`)
    }
    return this
  }

  /** Takes off the listener that was put on last; without one, all of the event. */
  off<Name extends keyof Events>(name: Name, listener?: Listener<Events[Name]>): this {
    const listeners = this.#listeners[name] ?? []
    const index = listener ? listeners.lastIndexOf(listener) : -1
    if (!listener) delete this.#listeners[name]
    else if (index >= 0) this.#listeners[name] = listeners.filter((_, at) => at !== index)
    return this
  }

  emit<Name extends keyof Events>(name: Name, ...payload: Events[Name]): void {
    for (const listener of this.#listeners[name] ?? []) {
      try {
        listener(...payload)
      } catch (error) {
        report(error)
      }
    }
  }
}

/** Tells of an error that nobody catches: the browser's `error` event, or the console where there is none. */
export function report(error: unknown): void {
  const tell = globalThis.reportError ?? console.error
  tell(error)
}
