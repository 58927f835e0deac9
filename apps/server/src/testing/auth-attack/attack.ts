import type { Aim } from './holes.js'
import { confuse } from './programs/confusion.js'
import { crowd } from './programs/crowding.js'
import { enumerate } from './programs/enumeration.js'
import { escalate } from './programs/escalation.js'
import { fixate } from './programs/fixation.js'
import { guessCodes } from './programs/guessing.js'
import { reachOthers } from './programs/others.js'
import { replay } from './programs/replay.js'
import { time } from './programs/timing.js'
import type { Target } from './target.js'

/** Attacks accounts and operators over HTTP alone. Each program resolves with what it got that it must not, in words. */
export const PROGRAMS: Readonly<Record<Aim, (at: Target) => Promise<string[]>>> = {
  enumeration: enumerate,
  timing: time,
  'code guessing': guessCodes,
  replay,
  'token confusion': confuse,
  fixation: fixate,
  'role escalation': escalate,
  'things of others': reachOthers,
  'crowding out': crowd,
}
