import { type DestinationStream, destination } from 'pino'

/** What is left of a line may stand before: the next begins on one of its own. */
const lostLine = (lost: number): string =>
  `\n${JSON.stringify({ level: 40, time: Date.now(), lost, msg: 'lines of the log could not be written, and are lost: is the disk of the log full?' })}\n`

/**
 * Writes lines to standard error, or to another open file. A line that can not be written, as where the disk is full, is lost; the next that can be
 * is preceded by one that says how many were. Never throws: no call ends because of its log.
 */
export class StandardError implements DestinationStream {
  readonly #fd: number
  #out: ReturnType<typeof destination>
  #hasFailed = false
  #lost = 0

  constructor(fd = 2) {
    this.#fd = fd
    this.#out = this.#open()
  }

  write(line: string): void {
    this.#hasFailed = false
    this.#out.write(this.#lost > 0 ? lostLine(this.#lost) + line : line)
    if (!this.#hasFailed) {
      this.#lost = 0
      return
    }
    this.#lost += 1
    // One that has failed once writes nothing more.
    this.#out = this.#open()
  }

  #open(): ReturnType<typeof destination> {
    const out = destination({ fd: this.#fd, sync: true })
    out.on('error', () => {
      this.#hasFailed = true
    })
    return out
  }
}
