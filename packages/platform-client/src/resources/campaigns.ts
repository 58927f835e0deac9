import type {
  Campaign,
  CreateCampaign,
  ListCampaigns,
  ListCampaignsPage,
  UpdateCampaign,
} from '../api/campaign.js'
import type { Page, Pages } from '../api/page.js'
import type { RequestOptions } from '../request/request-input.js'

/** Calls to lists of customers. */
export interface Campaigns {
  /** The newest campaigns first, 100 unless `limit` says otherwise: `GET /campaign`. */
  list(query?: ListCampaigns, options?: RequestOptions): Promise<Campaign[]>

  /** One page of the campaigns: `GET /campaign/paginated`. */
  listPage(query?: ListCampaignsPage, options?: RequestOptions): Promise<Page<Campaign>>

  /** All campaigns, page after page: `GET /campaign/paginated`. */
  pages(query?: ListCampaignsPage, options?: RequestOptions): Pages<Campaign>

  /** Calls every customer of a list, at once or as `schedulePlan` says: `POST /campaign`. Sent once, never repeated. */
  create(body: CreateCampaign, options?: RequestOptions): Promise<Campaign>

  /** One campaign, with the counts of its calls: `GET /campaign/{id}`. */
  get(id: string, options?: RequestOptions): Promise<Campaign>

  /** Changes the fields that are given; `status: 'ended'` ends it: `PATCH /campaign/{id}`. */
  update(id: string, body: UpdateCampaign, options?: RequestOptions): Promise<Campaign>

  /** `DELETE /campaign/{id}`. */
  delete(id: string, options?: RequestOptions): Promise<Campaign | undefined>
}
