import type { Queryable } from '@heyline/database'
import type { PhoneNumber } from '../call/phone-number.js'
import { type BreakerReason, checkBreaker } from './breaker.js'
import { partOfBudget } from './campaign-share.js'
import { type Asked, factsStatement, readFacts } from './gate-facts.js'
import type { GateSettings } from './gate-settings.js'
import { type Findings, isFlood, judge } from './judge.js'
import { longestCost } from './longest-cost.js'
import { refuseNumber } from './number-rules.js'
import { zonesOf } from './quiet-hours.js'
import type { Refusal } from './refusal.js'

/** Everything that the gate decides by. */
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

/** What the gate decided. After this only the ledger can still refuse. */
export interface Verdict {
  refusal: Refusal | undefined
  /** A refusal is not to be stored, the ledger's neither. */
  flood: boolean
  /** This request opened the breaker, which is to be logged as an error. */
  tripped?: BreakerReason
  /** What to reserve before the request is stored; undefined if calls cost nothing. */
  spend?: Spend
}

/** The numbers that calls are made from, E.164. It rejects where they can't be read: then nothing is called. */
export type OwnNumbers = () => Promise<readonly string[]>

/** Decides which calls may be placed. It knows only the settings and the database, so that many processes act as one gate. */
export class Gate {
  readonly settings: GateSettings
  readonly #ownNumbers: () => Promise<readonly string[]>
  readonly #statement: string

  constructor(settings: GateSettings, ownNumbers: OwnNumbers = async () => []) {
    this.settings = settings
    this.#ownNumbers = ownNumbers
    this.#statement = factsStatement(settings)
  }

  /** What can be found out before the transaction: the rules for the number, and its time zones. */
  async open(asked: Asked): Promise<Case> {
    const { mode, hours } = this.settings
    const numberRefusal = await this.refuseNumber(asked.number)
    const zones = mode === 'full' && hours && !numberRefusal ? await zonesOf(asked.number.e164) : []
    return { ...asked, numberRefusal, zones }
  }

  /** Why no call goes to this number, whoever asks. */
  async refuseNumber(number: PhoneNumber): Promise<Refusal | undefined> {
    if (this.settings.mode === 'simulated') return undefined
    return refuseNumber(number, this.settings, await this.#ownNumbers())
  }

  /** Call this inside the transaction that stores the request and holds the gate's lock. */
  async decide(tx: Queryable, opened: Case, found: Pick<Findings, 'checkFailed' | 'busy'>): Promise<Verdict> {
    const facts = await readFacts(tx, this.#statement, opened)
    const tripped = facts.paused || facts.breakerOpen ? undefined : await checkBreaker(tx, this.settings)
    if (tripped) facts.breakerOpen = true
    const spend = this.#spend(opened.number.country)
    const refusal = judge(facts, { ...opened, ...found, worstCase: spend?.amount }, this.settings)
    return {
      refusal,
      flood: isFlood(facts, refusal ?? 'budget_exhausted'),
      ...(tripped && { tripped }),
      ...(spend && !refusal && { spend }),
    }
  }

  /** The most that the call can cost: the longest call, at the highest price. */
  #spend(country: string): Spend | undefined {
    const { mode, simulatedPrice, countries, maxSeconds, dayBudget, monthBudget } = this.settings
    const { budgetShare = 1 } = this.settings
    const price = mode === 'simulated' ? simulatedPrice : countries.get(country)
    if (price === undefined) return undefined
    return {
      amount: longestCost(maxSeconds, price),
      dayBudget: partOfBudget(dayBudget, budgetShare),
      monthBudget: partOfBudget(monthBudget, budgetShare),
    }
  }
}
