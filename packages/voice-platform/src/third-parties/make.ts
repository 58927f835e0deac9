import { z } from 'zod'
import { neededText } from './needed-text.js'
import { partyList } from './party-list.js'
import { askParty, type Party } from './party-request.js'

/** Most scenarios that are listed. */
const MOST = '1000'

const ZONE = { error: 'must be a zone of Make, such as eu1' }
export const makeAccount = z.looseObject({
  apiKey: neededText('the API key of an account at Make'),
  teamId: neededText('the id of a team at Make'),
  /** A zone of Make: `eu1`, `us2`, or `us1.celonis`. */
  region: z.string(ZONE).regex(/^(eu|us)\d(\.celonis)?$/, ZONE),
})

const scenarios = z.looseObject({ scenarios: partyList(z.looseObject({ id: z.number() })) })
const hooks = z.looseObject({
  hooks: partyList(z.looseObject({ id: z.number(), scenarioId: z.number().nullish() })),
})

/** The scenarios of a team at Make (https://developers.make.com/api-documentation). */
export class Make {
  readonly #party: Party
  readonly #origin: string
  readonly #teamId: string

  constructor({ apiKey, teamId, region }: z.infer<typeof makeAccount>, fetch: Party['fetch']) {
    this.#party = { name: 'Make', headers: { authorization: `Token ${apiKey}` }, fetch }
    const [zone, celonis] = region.split('.')
    this.#origin = `https://${zone}.make${celonis ? '.celonis' : ''}.com`
    this.#teamId = teamId
  }

  /** As Make shows them. */
  workflows(): Promise<z.infer<typeof scenarios>> {
    const url = this.#url('/api/v2/scenarios')
    url.searchParams.set('pg[limit]', MOST)
    return askParty(this.#party, url, scenarios)
  }

  /** The hooks that start a scenario, as Make shows them. */
  async hooks(workflowId: string): Promise<z.infer<typeof hooks>> {
    const url = this.#url('/api/v2/hooks')
    url.searchParams.set('assigned', 'true')
    const all = await askParty(this.#party, url, hooks)
    return { hooks: all.hooks.filter(({ scenarioId }) => String(scenarioId) === workflowId) }
  }

  #url(path: string): URL {
    const url = new URL(path, this.#origin)
    url.searchParams.set('teamId', this.#teamId)
    return url
  }
}
