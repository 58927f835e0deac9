import type { Logger } from 'pino'
import { EngineError } from '../engines/engine.js'

/** Logs each failing engine once a call, since a broken one fails at every turn. */
export class EngineTroubles {
  readonly #logger: Logger
  readonly #known = new Set<string>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  report(error: unknown): void {
    const engine = error instanceof EngineError ? error.engine : 'engine'
    if (this.#known.has(engine)) return
    this.#known.add(engine)
    this.#logger.warn({ err: error, engine }, 'an engine failed; the call goes on')
  }
}
