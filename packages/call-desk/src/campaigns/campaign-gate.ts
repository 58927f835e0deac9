import type { GateSettings, Limit } from '../gate/gate-settings.js'

/** The part that campaigns may use of what visitors need, too. */
const SHARE = 3 / 4

/**
 * The gate as campaigns meet it: the limits of one visitor's page are none of theirs, and of the calls at once, the starts and the money
 * something is left to visitors: of a limit of more than one at least one. A campaign would else take each place as soon as it is free, for days.
 */
export function campaignGate(settings: GateSettings): GateSettings {
  const { concurrent, prefixLimits, countryLimits, startLimits } = settings
  return {
    ...settings,
    slugLimits: [],
    slugConcurrent: undefined,
    concurrent: concurrent === undefined ? undefined : allButOne(concurrent),
    prefixLimits: prefixLimits.map(shareOf),
    countryLimits: countryLimits.map(shareOf),
    startLimits: startLimits.map(shareOf),
    budgetShare: SHARE,
  }
}

const allButOne = (most: number): number => (most > 1 ? most - 1 : most)

const shareOf = ({ most, windowMs }: Limit): Limit => ({
  most: Math.min(allButOne(most), Math.ceil(most * SHARE)),
  windowMs,
})
