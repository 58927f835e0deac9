import type { Writable } from 'node:stream'
import type { Tty } from './terminal.js'
import { textFor } from './terminal-text.js'

/** The reader of standard output has closed it, as in `heyline calls export | head`. That is no error. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed'
}

/** Writes a part of a long text, which steers no terminal, and resolves when it is written. Rejects with an `OutputClosed` when the reader has gone. */
export function printText(text: string, out: Writable & Tty): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(textFor(out, text), (error) => {
      if (!error) return resolve()
      const isClosed = 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')
      reject(isClosed ? new OutputClosed('standard output is closed', { cause: error }) : error)
    })
  })
}
