import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { callerId } from '../calls/caller-id.js'
import type {
  CampaignDesk,
  CampaignFault,
  FindCampaignDesk,
  StoredCampaign,
} from '../campaigns/campaign-desk.js'
import {
  campaignChange,
  newCampaign,
  type SchedulePlan,
  scheduleFault,
  storedCustomer,
} from '../campaigns/campaign-schema.js'
import { campaignView } from '../campaigns/campaign-view.js'
import type { OrgStore } from '../orgs/org-store.js'
import { ApiError } from '../resources/api-error.js'
import { pageMetadata, pageWindow } from '../resources/list-page.js'
import { listWindow } from '../resources/list-window.js'
import type { Doorkeeper } from './access.js'
import { CampaignLists, oneATurn } from './campaign-lists.js'
import { aroundPage, BARE, jsonListAnswer } from './json-list.js'
import { parse, parseBody, resourceId } from './parse-request.js'

const listCampaigns = z.strictObject(listWindow)
const listCampaignsPage = z.strictObject({
  ...pageWindow,
  id: z.uuid().optional(),
  status: z.enum(['scheduled', 'in-progress', 'ended']).optional(),
})

const ONLY_ASSISTANTS =
  'Campaigns of workflows and squads are not served by the built-in voice platform, as the desk bounds what one assistant says: give assistantId.'

export interface CampaignRoutes {
  db: Db
  clock: Clock
  doorkeeper: Doorkeeper
  assistants: AssistantStore
  orgs: OrgStore
  campaigns?: FindCampaignDesk | undefined
  logger: Logger
}

/** Campaigns, which the call desk keeps: it alone decides who is called, and when. */
export function serveCampaigns(app: Hono, options: CampaignRoutes): void {
  const { db, clock, doorkeeper, assistants, orgs, logger } = options
  const lists = new CampaignLists()
  const failed = (err: unknown) => logger.error({ err }, 'a list of campaigns broke off')

  const admit = async (context: Context): Promise<CampaignDesk> => {
    const { raw, method, path } = context.req
    await doorkeeper.admit(raw, 'private')
    const desk = options.campaigns?.()
    if (desk) return desk
    throw ApiError.notServed(
      `${method} ${path} is not served by the built-in voice platform: it needs the call desk, through whose gate a campaign calls.`,
    )
  }
  const checkSpeaker = async (given: {
    assistantId?: string | undefined
    workflowId?: unknown
    squadId?: unknown
  }): Promise<void> => {
    if (given.workflowId !== undefined || given.squadId !== undefined)
      throw ApiError.notServed(ONLY_ASSISTANTS)
    if (given.assistantId !== undefined && !(await assistants.find(given.assistantId)))
      throw new ApiError(400, `Couldn't get assistant: ${given.assistantId} does not exist.`)
  }
  const timesOf = (plan: SchedulePlan) => {
    const fault = scheduleFault(plan, clock.now())
    if (fault !== undefined) throw new ApiError(400, fault)
    return { earliestAt: plan.earliestAt, latestAt: plan.latestAt ?? null }
  }
  const orgId = async () => (await orgs.get()).id
  const shown = async (
    context: Context,
    found: StoredCampaign | CampaignFault | undefined,
    status: 200 | 201 = 200,
  ) => {
    if (!found) throw new ApiError(404, `Campaign ${context.req.param('id')} does not exist.`)
    if ('fault' in found) throw new ApiError(400, found.fault)
    return context.json(campaignView(found, await orgId()), status)
  }

  app.post('/campaign', async (context) => {
    const desk = await admit(context)
    const body = await parseBody(context.req.raw, newCampaign)
    await checkSpeaker(body)
    const { name, assistantId, phoneNumberId, schedulePlan, customers } = body
    if (assistantId === undefined) throw new ApiError(400, ['assistantId must be a string'])
    await callerId(db, phoneNumberId)
    const times = schedulePlan ? timesOf(schedulePlan) : { earliestAt: null, latestAt: null }
    const plan = { name, assistantId, phoneNumberId, ...times }
    return shown(context, await desk.create({ ...plan, customers: customers.map(storedCustomer) }), 201)
  })
  app.get('/campaign', async (context) => {
    const desk = await admit(context)
    const window = parse(context.req.query(), listCampaigns)
    const { written } = await lists.read(desk, window, await orgId())
    return jsonListAnswer(context, { ...BARE, items: oneATurn(written), failed })
  })
  app.get('/campaign/paginated', async (context) => {
    const desk = await admit(context)
    const window = parse(context.req.query(), listCampaignsPage)
    const { written, total } = await lists.read(desk, window, await orgId())
    const around = aroundPage(pageMetadata(window, total))
    return jsonListAnswer(context, { ...around, items: oneATurn(written), failed })
  })
  app.get('/campaign/:id', async (context) => {
    const desk = await admit(context)
    return shown(context, await desk.get(resourceId(context)))
  })
  app.patch('/campaign/:id', async (context) => {
    const desk = await admit(context)
    const id = resourceId(context)
    const { status, schedulePlan, ...body } = await parseBody(context.req.raw, campaignChange)
    await checkSpeaker(body)
    const { name, assistantId, phoneNumberId } = body
    if (phoneNumberId !== undefined) await callerId(db, phoneNumberId)
    const change = {
      ...(name !== undefined && { name }),
      ...(assistantId !== undefined && { assistantId }),
      ...(phoneNumberId !== undefined && { phoneNumberId }),
      ...(schedulePlan && timesOf(schedulePlan)),
    }
    const changed = Object.keys(change).length > 0 ? await desk.change(id, change) : await desk.get(id)
    if (status === undefined || !changed || 'fault' in changed) return shown(context, changed)
    return shown(context, await desk.end(id))
  })
  app.delete('/campaign/:id', async (context) => {
    const desk = await admit(context)
    return shown(context, await desk.delete(resourceId(context)))
  })
}
