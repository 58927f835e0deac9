import { createHash } from 'node:crypto'

/** A picture, and the tag by which a client asks whether it has changed. */
export interface Preview {
  body: Uint8Array<ArrayBuffer>
  etag: string
}

export interface PreviewLimits {
  /** Most pictures that are kept. */
  count: number
  /** Most bytes that they and their names take. */
  bytes: number
  /** Most pictures that are drawn at a time: each holds a thread of the pool that files and names are read with, too. */
  drawing: number
  /** Most pictures that wait for that. */
  waiting: number
  /** Most names whose drawing failed that are remembered. */
  failed: number
}

/** How long a drawing that failed is not tried again, in ms: what a picture takes, it takes from everybody's. */
export const FAILURE_MS = 60_000

const LIMITS: PreviewLimits = { count: 500, bytes: 16_000_000, drawing: 2, waiting: 50, failed: 200 }

/** So many pictures are asked for at once that this one has to be asked for again. */
export class PreviewsBusyError extends Error {
  constructor() {
    super('Too many pictures are being drawn; ask again in a few seconds')
    this.name = 'PreviewsBusyError'
  }
}

/** Draws a name as a PNG. */
type Draw = (name: string) => Promise<Uint8Array<ArrayBuffer>>

/** The pictures by name. Drawn once however many ask, a few at a time; those asked for last are kept. */
export class PreviewStore {
  readonly #draw: Draw
  readonly #limits: PreviewLimits
  /** The one asked for last at the end. */
  readonly #kept = new Map<string, Preview>()
  /** The one that failed first at the start. */
  readonly #failed = new Map<string, { error: unknown; untilMs: number }>()
  readonly #coming = new Map<string, Promise<Preview>>()
  readonly #now: () => number
  readonly #queue: (() => void)[] = []
  #keptBytes = 0
  #drawing = 0

  constructor(draw: Draw, limits: Partial<PreviewLimits> = {}, now = Date.now) {
    this.#draw = draw
    this.#now = now
    this.#limits = { ...LIMITS, ...limits }
  }

  /** Rejects with `PreviewsBusyError` when too many wait, and with the drawing's error, for a minute without drawing again. */
  async get(name: string): Promise<Preview> {
    const kept = this.#kept.get(name)
    if (kept) {
      this.#kept.delete(name)
      this.#kept.set(name, kept)
      return kept
    }
    const failed = this.#failed.get(name)
    if (failed && this.#now() < failed.untilMs) throw failed.error
    const coming = this.#coming.get(name)
    if (coming) return coming
    if (this.#drawing >= this.#limits.drawing && this.#queue.length >= this.#limits.waiting)
      throw new PreviewsBusyError()
    const drawn = this.#drawInTurn(name).finally(() => this.#coming.delete(name))
    this.#coming.set(name, drawn)
    return drawn
  }

  async #drawInTurn(name: string): Promise<Preview> {
    if (this.#drawing < this.#limits.drawing) this.#drawing++
    else await new Promise<void>((resolve) => this.#queue.push(resolve))
    try {
      const body = await this.#draw(name)
      const preview = {
        body,
        etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      }
      this.#keep(name, preview)
      return preview
    } catch (error) {
      this.#rememberFailure(name, error)
      throw error
    } finally {
      // The place goes to the next in the queue, or is free.
      const next = this.#queue.shift()
      if (next) next()
      else this.#drawing--
    }
  }

  #rememberFailure(name: string, error: unknown) {
    this.#failed.delete(name)
    this.#failed.set(name, { error, untilMs: this.#now() + FAILURE_MS })
    for (const oldest of this.#failed.keys()) {
      if (this.#failed.size <= this.#limits.failed) return
      this.#failed.delete(oldest)
    }
  }

  #keep(name: string, preview: Preview) {
    this.#kept.set(name, preview)
    this.#keptBytes += bytesOf(name, preview)
    for (const [oldest, old] of this.#kept) {
      if (this.#kept.size <= this.#limits.count && this.#keptBytes <= this.#limits.bytes) return
      this.#kept.delete(oldest)
      this.#keptBytes -= bytesOf(oldest, old)
    }
  }
}

const bytesOf = (name: string, { body }: Preview) => 2 * name.length + body.length
