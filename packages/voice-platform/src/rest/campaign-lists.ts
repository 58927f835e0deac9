import { loopTurn } from '@heyline/kit/loop-turn'
import { NoTurnError, WaitingLine } from '@heyline/kit/waiting-line'
import type { CampaignDesk, CampaignWindow } from '../campaigns/campaign-desk.js'
import { campaignView } from '../campaigns/campaign-view.js'
import { ApiError } from '../resources/api-error.js'

const LINE = { atOnce: 1, waiting: 10, longestMs: 10_000 }

/** Lists of campaigns. One may have all customers, 20 MB: one list is read at a time, and written a campaign a turn, as calls go on meanwhile. */
export class CampaignLists {
  readonly #line = new WaitingLine(LINE)

  /** Each campaign as JSON, and how many there are. Rejects with an `ApiError` where too many lists are asked for at once. */
  read(
    desk: CampaignDesk,
    window: CampaignWindow,
    orgId: string,
  ): Promise<{ written: string[]; total: number }> {
    return this.#line
      .run(async () => {
        const { campaigns, total } = await desk.list(window)
        const written: string[] = []
        for (const campaign of campaigns) {
          await loopTurn()
          written.push(JSON.stringify(campaignView(campaign, orgId)))
        }
        return { written, total }
      })
      .catch(refuseCrowd)
  }
}

/** One by one, each in a turn of its own: a campaign with all its customers is large. */
export async function* oneATurn(written: readonly string[]): AsyncGenerator<string[], void> {
  for (const text of written) {
    await loopTurn()
    yield [text]
  }
}

function refuseCrowd(error: unknown): never {
  if (!(error instanceof NoTurnError)) throw error
  throw new ApiError(503, 'Too many lists of campaigns are asked for. Try again in a moment.', {
    cause: error,
    retryAfterSeconds: 5,
  })
}
