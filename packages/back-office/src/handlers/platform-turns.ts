import type { Asked } from '../access/asked.js'

/** The turns of what makes the voice platform read much. */
export type PlatformTurns = <Done>(asked: Pick<Asked, 'readMuch'>, work: () => Promise<Done>) => Promise<Done>

/**
 * The built-in platform reads from our database: that waits as searches do. What a hosted one answers takes no turn, because a slow one would
 * hold up all who read from the database.
 */
export const platformTurns =
  (isHosted: boolean): PlatformTurns =>
  ({ readMuch }, work) =>
    isHosted ? work() : readMuch(work)
