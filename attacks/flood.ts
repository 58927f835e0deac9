import type { AttackedServer } from './attacked-server.js'
import type { Target } from './target.js'

/** Does the attack's next step, by its number from 0 on. Resolves when it is over; where the server cut it, it may reject. */
export type Step = (place: number) => Promise<unknown>

/** What of an attack can go on for as long as somebody likes. */
export interface Flood {
  what: string
  /** Settings of the server, besides those of every flood: it has a server of its own then. */
  settings?: Record<string, string>
  /** Steps that begin in a second; 125 where it is left out, as the first attack sent five hundred in four seconds. */
  perSecond?: number
  /** Steps under way at once, beyond which the attacker waits for his answers; 40 where it is left out. */
  atOnce?: number
  /** Writes what has to be there before, as the server's owner. */
  prepare?(target: Target): Promise<void>
  /** What the attacker does first; resolves with what he does again and again. */
  begin(server: AttackedServer): Step | Promise<Step>
}
