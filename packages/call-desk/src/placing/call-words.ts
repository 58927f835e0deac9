import type { Db } from '@heyline/database'
import { CAMPAIGN_SLUG } from '../call/campaign-slug.js'
import type { VisitorLookup } from '../call/visitor-lookup.js'
import { AssistantGreeting, type AssistantGreetingOptions } from './assistant-greeting.js'
import { AssistantGreetings } from './assistant-greetings.js'
import { findCampaignCall } from './campaign-call.js'
import type { CallToPlace } from './place-call.js'

export type Words = Pick<CallToPlace, 'visitor' | 'firstMessage' | 'campaign'>

/** How long an assistant's own first message is kept, in milliseconds. */
const KEPT_MS = 60_000

/** Finds what is said in a call: the visitor's words or the campaign's, and the stored assistant's where they have none. */
export class CallWords {
  readonly #db: Db
  readonly #visitors: VisitorLookup
  readonly #greeting: AssistantGreeting
  readonly #greetings: AssistantGreetings

  constructor(options: Omit<AssistantGreetingOptions, 'keptMs'> & { db: Db; visitors: VisitorLookup }) {
    this.#db = options.db
    this.#visitors = options.visitors
    const kept = { ...options, keptMs: KEPT_MS }
    this.#greeting = new AssistantGreeting(kept)
    this.#greetings = new AssistantGreetings(kept)
  }

  /** Looks for what most calls need. */
  start(): void {
    void this.#greeting.get()
  }

  /** Undefined where whom the request is for is gone. Rejects where that cannot be read. */
  async of({ id, slug }: { id: string; slug: string }): Promise<Words | undefined> {
    if (slug === CAMPAIGN_SLUG) {
      const campaign = await findCampaignCall(this.#db, id)
      if (!campaign) return undefined
      const { firstMessage, hasServer } = await this.#greetings.of(campaign.assistantId)
      return { visitor: { slug }, campaign: { ...campaign, hasServer }, firstMessage }
    }
    const visitor = await this.#visitors.find(slug)
    if (!visitor) return undefined
    const firstMessage = visitor.first_message?.trim() ? undefined : await this.#greeting.get()
    return { visitor, firstMessage }
  }

  /** Calls off the looks at assistants. */
  close(): void {
    this.#greeting.close()
    this.#greetings.close()
  }
}
