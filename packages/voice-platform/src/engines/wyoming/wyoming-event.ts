import { z } from 'zod'
import { parsed } from '../openai/exchange.js'

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

/** Puts events together from pieces of any length. */
export class WyomingReader {
  #bytes = Buffer.alloc(0)

  /** The events that are complete. Throws a `RangeError` for bytes that are none. */
  read(piece: Buffer): WyomingEvent[] {
    this.#bytes = Buffer.concat([this.#bytes, piece])
    const events: WyomingEvent[] = []
    for (let event = this.#next(); event; event = this.#next()) events.push(event)
    return events
  }

  #next(): WyomingEvent | undefined {
    const end = this.#bytes.indexOf('\n')
    if (end < 0) {
      if (this.#bytes.length > MOST_HEADER) throw new RangeError('A line is too long.')
      return undefined
    }
    const line = header.safeParse(parsed(this.#bytes.subarray(0, end).toString()))
    if (!line.success) throw new RangeError('A line is no event.')
    const { type, data, data_length, payload_length } = line.data
    const dataEnd = end + 1 + (data_length ?? 0)
    const whole = dataEnd + (payload_length ?? 0)
    if (this.#bytes.length < whole) return undefined
    const more = data_length ? parsed(this.#bytes.subarray(end + 1, dataEnd).toString()) : undefined
    const payload = this.#bytes.subarray(dataEnd, whole)
    this.#bytes = this.#bytes.subarray(whole)
    return { type, data: { ...data, ...z.record(z.string(), z.unknown()).catch({}).parse(more) }, payload }
  }
}
