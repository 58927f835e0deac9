import { z } from 'zod'
import { neededText } from './needed-text.js'
import { partyList } from './party-list.js'
import { askParty, type Party } from './party-request.js'

const ORIGIN = 'https://services.leadconnectorhq.com'
/** The version of its API that this speaks. */
const VERSION = '2021-07-28'
/** Most locations that are listed. */
const MOST = '1000'

export const goHighLevelAccount = z.looseObject({
  apiKey: neededText('the API key of an account at GoHighLevel'),
})

const workflows = z.looseObject({ workflows: partyList(z.looseObject({ id: z.string() })) })
const locations = z.looseObject({ locations: partyList(z.looseObject({ id: z.string() })) })

/** The workflows and locations of an account at GoHighLevel (https://highlevel.stoplight.io/docs/integrations). */
export class GoHighLevel {
  readonly #party: Party

  constructor({ apiKey }: z.infer<typeof goHighLevelAccount>, fetch: Party['fetch']) {
    const headers = { authorization: `Bearer ${apiKey}`, version: VERSION }
    this.#party = { name: 'GoHighLevel', headers, fetch }
  }

  /** As GoHighLevel shows them. */
  workflows(locationId: string): Promise<z.infer<typeof workflows>> {
    const url = new URL('/workflows/', ORIGIN)
    url.searchParams.set('locationId', locationId)
    return askParty(this.#party, url, workflows)
  }

  /** As GoHighLevel shows them. */
  locations(): Promise<z.infer<typeof locations>> {
    const url = new URL('/locations/search', ORIGIN)
    url.searchParams.set('limit', MOST)
    return askParty(this.#party, url, locations)
  }
}
