import { Readable, Writable } from 'node:stream'
import { type Terminal, terminalOf } from '../command/terminal/terminal.js'

/** A terminal that is no person's, and keeps what is written. */
export interface BufferedTerminal extends Terminal {
  /** What is on standard output. */
  printed(): string
  /** What is on standard error. */
  complained(): string
}

/** With these settings and no others. */
export function bufferedTerminal(env: Terminal['env'], input = ''): BufferedTerminal {
  const [out, printed] = buffer()
  const [err, complained] = buffer()
  return Object.assign(terminalOf({ env, input: Readable.from([Buffer.from(input)]), out, err }), {
    printed,
    complained,
  })
}

function buffer(): [Writable, () => string] {
  const parts: Buffer[] = []
  const stream = new Writable({
    write(part: Buffer, _, done) {
      parts.push(part)
      done()
    },
  })
  return [stream, () => Buffer.concat(parts).toString('utf8')]
}
