import type { Db } from '@heyline/database'
import { Loop } from '@heyline/kit/loop'
import type { Logger } from 'pino'
import { alertBreaker } from '../gate/breaker.js'
import { Gate, type OwnNumbers } from '../gate/gate.js'
import type { GateSettings } from '../gate/gate-settings.js'
import { readSwitches } from '../gate/switches.js'
import type { DeskMeasures } from '../run/desk-measures.js'
import { errorCode } from '../run/error-code.js'
import { askForCustomer } from './ask-for-customer.js'
import type { Campaign, CampaignFault, CampaignPlan, NewCampaign } from './campaign.js'
import { campaignGate } from './campaign-gate.js'
import { advanceCampaigns, hasDueCampaigns } from './campaign-progress.js'
import { type CampaignWindow, readCampaign, readCampaigns } from './campaign-reading.js'
import { changeCampaign, createCampaign, deleteCampaign, endCampaign } from './campaign-store.js'

export interface CampaignsOptions {
  db: Db
  gate: GateSettings
  ownNumbers?: OwnNumbers | undefined
  timings: { pollMs: number; campaignWaitMs: number }
  measures?: DeskMeasures | undefined
  logger: Logger
  /** Milliseconds, which only go on. For tests. */
  now?: () => number
}

/** Customers that one look asks the gate for at most: visitors wait for its lock, too. */
const BATCH = 5

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** Stores campaigns, and brings their customers into the queue, one after the other, as the gate lets them pass. */
export class Campaigns {
  readonly #options: CampaignsOptions
  readonly #gate: Gate
  readonly #loop: Loop
  readonly #now: () => number
  /** The gate refuses everybody until then. */
  #waitUntil = 0

  constructor(options: CampaignsOptions) {
    const { gate, ownNumbers, timings, logger, now = () => performance.now() } = options
    this.#options = options
    this.#gate = new Gate(campaignGate(gate), ownNumbers)
    this.#now = now
    this.#loop = new Loop({
      everyMs: timings.pollMs,
      run: () => this.work(),
      onError: (error) =>
        logger.error({ reason: errorCode(error) }, 'campaigns could not be brought further'),
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** Asks for no more calls; those that are stored are others' to place. */
  close(): Promise<void> {
    return this.#loop.close()
  }

  /** All of it is stored, or nothing. */
  async create(campaign: NewCampaign): Promise<Campaign | CampaignFault> {
    const made = await createCampaign(this.#options.db, campaign)
    if ('fault' in made) return made
    this.#options.logger.info({ campaignId: made.id, customers: made.calls.length }, 'campaign created')
    return made
  }

  list(window: CampaignWindow): Promise<{ campaigns: Campaign[]; total: number }> {
    return readCampaigns(this.#options.db, window)
  }

  get(id: string): Promise<Campaign | undefined> {
    return readCampaign(this.#options.db, id)
  }

  /** Undefined where there is none. */
  change(id: string, change: Partial<CampaignPlan>): Promise<Campaign | CampaignFault | undefined> {
    return changeCampaign(this.#options.db, id, change)
  }

  end(id: string): Promise<Campaign | undefined> {
    return endCampaign(this.#options.db, id)
  }

  delete(id: string): Promise<Campaign | undefined> {
    return deleteCampaign(this.#options.db, id)
  }

  /** The campaign that a call of the platform is part of, by its name, which is the id of our request. */
  async ofCall(name: string): Promise<string | undefined> {
    if (!isUuid(name)) return undefined
    const { rows } = await this.#options.db.query<{ id: string }>(
      'select campaign_id as id from call_desk.campaign_customers where request_id = $1',
      [name],
    )
    return rows[0]?.id
  }

  /** One look at all that is due. */
  async work(): Promise<void> {
    const { db, timings, logger, measures } = this.#options
    if (!(await hasDueCampaigns(db))) return
    for (const campaignId of await advanceCampaigns(db)) logger.info({ campaignId }, 'campaign ended')
    if (this.#now() < this.#waitUntil || (await readSwitches(db)).pausedAt !== null) return
    for (let asked = 0; asked < BATCH; asked++) {
      const answer = await askForCustomer(db, this.#gate)
      if (answer.result === 'nobody') return
      if (answer.result === 'stored')
        logger.info({ requestId: answer.requestId, state: 'queued' }, 'call request')
      if (answer.result === 'refused') measures?.refused('phone', 'out', answer.refusal)
      if (answer.result !== 'waits') continue
      if (answer.tripped) alertBreaker(logger, answer.tripped)
      if (!answer.ofAll) continue
      this.#waitUntil = this.#now() + timings.campaignWaitMs
      return
    }
  }
}
