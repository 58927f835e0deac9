import type { LegEnd } from '../carrier.js'

/** What a number does, whatever phones are open. */
export interface SimulatedNumber {
  rings: boolean
  /** Left out: the call ends when it has rung long enough. */
  endsAfterMs?: number
  end: LegEnd
}

/** Magic numbers, of the range that is kept for fiction and tests (555-01XX). */
export const SIMULATED_NUMBERS: Readonly<Record<string, SimulatedNumber>> = {
  '+12025550101': { rings: true, end: 'no-answer' },
  '+12025550102': { rings: false, endsAfterMs: 500, end: 'busy' },
  '+12025550103': { rings: true, endsAfterMs: 2_000, end: 'voicemail' },
}
