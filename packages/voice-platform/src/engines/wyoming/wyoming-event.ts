import { z } from 'zod'
import { boundedJson } from '../../work/bounded-json.js'

/** Most bytes of a header or of its data, and of a payload. */
const MOST_HEADER = 100_000
const MOST_PAYLOAD = 2_000_000

const header = z.object({
  type: z.string(),
  data: z.record(z.string(), z.unknown()).nullish(),
  data_length: z.number().int().min(0).max(MOST_HEADER).nullish(),
  payload_length: z.number().int().min(0).max(MOST_PAYLOAD).nullish(),
})

/** One event of the Wyoming protocol. */
export interface WyomingEvent {
  type: string
  data: Record<string, unknown>
  payload: Buffer
}

/** An event as bytes: a line of JSON, and its payload. */
export function wyomingBytes(type: string, data: object = {}, payload?: Uint8Array): Buffer {
  const line = { type, data, ...(payload && { payload_length: payload.length }) }
  return Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), payload ?? Buffer.alloc(0)])
}

/** An event whose line was read, and how many bytes of it follow. */
interface Begun {
  line: z.output<typeof header>
  rest: number
}

/** Puts events together from pieces of any length. However small they are, a byte is copied a few times, and a line read once. */
export class WyomingReader {
  /** What waits stands in here from `#from` to `#to`. */
  #bytes = Buffer.alloc(4_096)
  #from = 0
  #to = 0
  /** Up to here there is no end of a line. */
  #searched = 0
  #begun: Begun | undefined

  /** The events that are complete. Throws a `RangeError` for bytes that are none. */
  read(piece: Buffer): WyomingEvent[] {
    this.#makeRoom(piece.length)
    this.#to += piece.copy(this.#bytes, this.#to)
    const events: WyomingEvent[] = []
    for (let event = this.#next(); event; event = this.#next()) events.push(event)
    return events
  }

  #next(): WyomingEvent | undefined {
    this.#begun ??= this.#begin()
    if (!this.#begun || this.#to - this.#from < this.#begun.rest) return undefined
    const { line, rest } = this.#begun
    this.#begun = undefined
    const bytes = Buffer.from(this.#take(rest))
    const { type, data, data_length } = line
    const more = data_length ? boundedJson(bytes.subarray(0, data_length).toString()) : undefined
    const payload = bytes.subarray(data_length ?? 0)
    return { type, data: { ...data, ...z.record(z.string(), z.unknown()).catch({}).parse(more) }, payload }
  }

  #begin(): Begun | undefined {
    const end = this.#bytes.subarray(0, this.#to).indexOf('\n', this.#searched)
    if (end < 0) {
      this.#searched = this.#to
      if (this.#to - this.#from > MOST_HEADER) throw new RangeError('A line is too long.')
      return undefined
    }
    const line = header.safeParse(boundedJson(this.#take(end + 1 - this.#from).toString()))
    if (!line.success) throw new RangeError('A line is no event.')
    const { data_length, payload_length } = line.data
    return { line: line.data, rest: (data_length ?? 0) + (payload_length ?? 0) }
  }

  /** The next bytes, which are there, until more come. */
  #take(length: number): Buffer {
    this.#from += length
    this.#searched = this.#from
    return this.#bytes.subarray(this.#from - length, this.#from)
  }

  #makeRoom(length: number): void {
    if (this.#to + length <= this.#bytes.length) return
    const waiting = this.#to - this.#from
    const room = waiting + length
    const bytes = room * 2 > this.#bytes.length ? Buffer.alloc(room * 2) : this.#bytes
    this.#bytes.copy(bytes, 0, this.#from, this.#to)
    this.#bytes = bytes
    this.#searched -= this.#from
    this.#from = 0
    this.#to = waiting
  }
}
