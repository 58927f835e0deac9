import type { Clock } from '@heyline/kit/clock'
import type { HeaderLines } from './dialog.js'
import type { SipHeaders } from './sip-headers.js'

/** The least and the most that a session's time is taken for, in seconds. */
const LEAST = 90
const MOST = 86_400
/** The wait where both sides have sent an INVITE at once, in milliseconds (RFC 3261 14.1). */
const AGAIN_MS = { from: 2_100, to: 4_000 }

/** Says that we know about the time of sessions. */
export const TIMER: [string, string] = ['supported', 'timer']

/** Who sends a request, and who answers it. */
type Role = 'uac' | 'uas'

interface SessionTime {
  seconds: number
  refresher: Role
}

/** `Session-Expires`, where it is there. Who refreshes is the answering side unless it says another. */
function timeOf(headers: SipHeaders, refresher: Role): SessionTime | undefined {
  const [, seconds, said] =
    /^(\d{1,9})[ \t]*(?:;.*refresher[ \t]*=[ \t]*(uac|uas))?/i.exec(headers.get('session-expires') ?? '') ??
    []
  if (seconds === undefined) return undefined
  return {
    seconds: Math.min(MOST, Math.max(LEAST, Number(seconds))),
    refresher: said === undefined ? refresher : said.toLowerCase() === 'uac' ? 'uac' : 'uas',
  }
}

/** What our 2xx says of the time that a request of theirs asks for. */
export function timerAnswer(headers: SipHeaders): HeaderLines {
  const knowsTimer = headers.all('supported').some((name) => name.toLowerCase() === 'timer')
  const time = timeOf(headers, knowsTimer ? 'uac' : 'uas')
  if (!time) return []
  const refresher = knowsTimer ? time.refresher : 'uas'
  return [
    ['session-expires', `${time.seconds};refresher=${refresher}`],
    ...(refresher === 'uac' ? ([['require', 'timer']] as const) : []),
  ]
}

export interface SessionTimerOptions {
  clock: Clock
  /** It is our turn to show that the call goes on. */
  refresh(seconds: number): void
  /** Nobody has shown it in time. */
  expire(): void
}

/** The time that a call is good for unless either side shows that it goes on (RFC 4028). Without one, it is good until it ends. */
export class SessionTimer {
  readonly #options: SessionTimerOptions
  #stops: Array<() => void> = []

  constructor(options: SessionTimerOptions) {
    this.#options = options
  }

  /** Takes what a 2xx says. `role` is ours in its request. */
  follow(headers: SipHeaders, role: Role): void {
    this.end()
    const time = timeOf(headers, 'uas')
    if (!time) return
    const { clock, refresh, expire } = this.#options
    const { seconds, refresher } = time
    if (refresher === role) this.#stops.push(clock.after(seconds * 500, () => refresh(seconds)))
    this.#stops.push(clock.after((seconds - Math.min(32, seconds / 3)) * 1000, expire))
  }

  /** Our turn comes again soon: the other side had the same in mind. */
  again(seconds: number): void {
    const { clock, refresh } = this.#options
    const waitMs = AGAIN_MS.from + Math.random() * (AGAIN_MS.to - AGAIN_MS.from)
    this.#stops.push(clock.after(waitMs, () => refresh(seconds)))
  }

  /** Idempotent. */
  end(): void {
    for (const stop of this.#stops.splice(0)) stop()
  }
}
