import { type Clock, systemClock } from '@heyline/kit/clock'
import type { Finding } from '../doctor/finding.js'

/** How long findings are good, in ms. */
const GOOD_MS = 10_000

interface Run {
  findings: Promise<Finding[]>
  /** Undefined while it runs. */
  endedAt: number | undefined
}

/** Runs the doctor for whoever asks: one run at a time, which all who ask meanwhile share, and one in ten seconds. */
export class HealthRuns {
  readonly #examine: () => Promise<Finding[]>
  readonly #clock: Pick<Clock, 'monotonic'>
  #last: Run | undefined

  constructor(examine: () => Promise<Finding[]>, clock: Pick<Clock, 'monotonic'> = systemClock) {
    this.#examine = examine
    this.#clock = clock
  }

  findings(): Promise<Finding[]> {
    if (this.#last && this.#isGood(this.#last)) return this.#last.findings
    const run: Run = { findings: this.#examine(), endedAt: undefined }
    this.#last = run
    run.findings.then(
      () => {
        run.endedAt = this.#clock.monotonic()
      },
      // Whoever asks next tries again.
      () => {
        this.#last = undefined
      },
    )
    return run.findings
  }

  #isGood({ endedAt }: Run): boolean {
    return endedAt === undefined || this.#clock.monotonic() - endedAt < GOOD_MS
  }
}
