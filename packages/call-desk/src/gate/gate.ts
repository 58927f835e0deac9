import type { Queryable } from '@heyline/database'
import { type BreakerReason, checkBreaker } from './breaker.js'
import { type Asked, factsStatement, readFacts } from './gate-facts.js'
import type { GateSettings } from './gate-settings.js'
import { isFlood, judge } from './judge.js'
import { refuseNumber } from './number-rules.js'
import { zonesOf } from './quiet-hours.js'
import type { Refusal } from './refusal.js'

/** What the gate looks at, ready to be decided. */
export interface Case extends Asked {
  numberRefusal: Refusal | undefined
  zones: readonly string[]
}

/** Money for a call, in millionths of a US dollar: what it may cost, and what may be spent. */
export interface Spend {
  amount: number
  dayBudget: number | undefined
  monthBudget: number | undefined
}

/** What the gate decided. Only the ledger stands after it. */
export interface Verdict {
  refusal: Refusal | undefined
  /** Nothing is to be stored of a refusal. */
  flood: boolean
  /** The breaker opened at this request: to be logged as an error. */
  tripped?: BreakerReason
  /** To be reserved before the request is stored; undefined where calls cost nothing. */
  spend?: Spend
}

/** Decides which calls may be placed. It knows only the settings and the database, so that many processes act as one gate. */
export class Gate {
  readonly settings: GateSettings
  readonly #ownNumbers: readonly string[]
  readonly #statement: string

  constructor(settings: GateSettings, ownNumbers: readonly string[] = []) {
    this.settings = settings
    this.#ownNumbers = ownNumbers
    this.#statement = factsStatement(settings)
  }

  /** What can be found out before the transaction: the rules for the number, and its time zones. */
  async open(asked: Asked): Promise<Case> {
    const { mode, hours } = this.settings
    if (mode === 'simulated') return { ...asked, numberRefusal: undefined, zones: [] }
    const numberRefusal = refuseNumber(asked.number, this.settings, this.#ownNumbers)
    const zones = hours && !numberRefusal ? await zonesOf(asked.number.e164) : []
    return { ...asked, numberRefusal, zones }
  }

  /** To be asked inside the transaction that stores the request, which holds the gate's lock. */
  async decide(tx: Queryable, opened: Case, checkFailed: boolean): Promise<Verdict> {
    const facts = await readFacts(tx, this.#statement, opened)
    const tripped = facts.paused || facts.breakerOpen ? undefined : await checkBreaker(tx, this.settings)
    if (tripped) facts.breakerOpen = true
    const refusal = judge(facts, { ...opened, checkFailed }, this.settings)
    const spend = refusal ? undefined : this.#spend(opened.number.country)
    return { refusal, flood: isFlood(facts), ...(tripped && { tripped }), ...(spend && { spend }) }
  }

  /** The worst case: the longest call, at the highest price. */
  #spend(country: string): Spend | undefined {
    const { mode, simulatedPrice, countries, maxSeconds, dayBudget, monthBudget } = this.settings
    const price = mode === 'simulated' ? simulatedPrice : countries.get(country)
    if (price === undefined) return undefined
    return { amount: Math.ceil(maxSeconds / 60) * price, dayBudget, monthBudget }
  }
}
