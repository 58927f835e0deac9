import { type Clock, systemClock } from '../clock/clock.js'

/** Lines of one kind in a minute, where nobody says otherwise. */
const MOST_LINES = 20
const MINUTE_MS = 60_000

/** What pino's logger has, as far as it is used here. */
export interface LineLogger {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

type Level = keyof LineLogger

export interface BoundedLogOptions {
  logger: LineLogger
  /** Lines of one kind in a minute; 20. */
  mostLines?: number
  /** For tests. */
  clock?: Clock
}

/**
 * The log of what strangers can cause as often as they like. Each kind has so many lines a minute; a last line counts the rest. A flood of
 * one kind hides no other kind.
 */
export class BoundedLog {
  readonly #logger: LineLogger
  readonly #mostLines: number
  readonly #clock: Clock
  readonly #minutes = new Map<string, { level: Level; lines: number; stop(): void }>()

  constructor({ logger, mostLines = MOST_LINES, clock = systemClock }: BoundedLogOptions) {
    this.#logger = logger
    this.#mostLines = mostLines
    this.#clock = clock
  }

  info(kind: string, fields: object, text: string): void {
    this.#write('info', kind, fields, text)
  }

  warn(kind: string, fields: object, text: string): void {
    this.#write('warn', kind, fields, text)
  }

  error(kind: string, fields: object, text: string): void {
    this.#write('error', kind, fields, text)
  }

  /** Tells what was left out. Idempotent. */
  close(): void {
    for (const kind of [...this.#minutes.keys()]) this.#end(kind)
  }

  #write(level: Level, kind: string, fields: object, text: string) {
    const minute = this.#minutes.get(kind) ?? this.#begin(kind, level)
    minute.lines += 1
    if (minute.lines <= this.#mostLines) this.#logger[level]({ kind, ...fields }, text)
  }

  #begin(kind: string, level: Level) {
    const minute = { level, lines: 0, stop: this.#clock.after(MINUTE_MS, () => this.#end(kind)) }
    this.#minutes.set(kind, minute)
    return minute
  }

  #end(kind: string) {
    const minute = this.#minutes.get(kind)
    if (!minute) return
    minute.stop()
    this.#minutes.delete(kind)
    const leftOut = minute.lines - this.#mostLines
    // What was worth a line of information is worth no warning together.
    if (leftOut > 0)
      this.#logger[minute.level === 'info' ? 'info' : 'warn'](
        { kind, leftOut },
        'more of these in the last minute',
      )
  }
}
