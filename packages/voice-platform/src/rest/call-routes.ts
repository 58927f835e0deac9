import type { Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { AssistantStore } from '../assistants/assistant-store.js'
import type { CallArchive, CallPageFilter } from '../calls/call-archive.js'
import { findCallAssistant, type Scripts } from '../calls/call-assistant.js'
import type { CallControl } from '../calls/call-control.js'
import { CallLists, type ListedPage, OUTLINES, wholeCalls } from '../calls/call-lists.js'
import { createCall, createWebCall, listCalls, listCallsPage, updateCall } from '../calls/call-request.js'
import type { CallRow } from '../calls/call-row.js'
import { callView, monitored, withRecording } from '../calls/call-view.js'
import { controlBody, readControlMessage } from '../calls/control-message.js'
import type { PhoneCalls } from '../calls/phone-calls.js'
import { publicWebCall, refuseTrustedSettings } from '../calls/public-call-request.js'
import type { PublicWebCalls } from '../calls/public-calls.js'
import { PUBLIC_BODY } from '../calls/public-limits.js'
import { asksForSocket, createSocketCall } from '../calls/socket-call-request.js'
import type { WebCalls } from '../calls/web-calls.js'
import type { RecordingUrls } from '../recording/recording-url.js'
import type { Doorkeeper } from './access.js'
import { refuseRestricted } from './access.js'
import type { DailyClients } from './daily-clients.js'
import { aroundPage, BARE, inTurns, textsAnswer } from './json-list.js'
import { parse, parseBody, resourceId } from './parse-request.js'
import { withoutServerSecrets } from './server-secrets.js'

export interface CallRoutes {
  archive: CallArchive
  assistants: AssistantStore
  /** Where squads are stored. */
  scripts: Scripts
  webCalls: WebCalls
  publicCalls: PublicWebCalls
  phoneCalls: PhoneCalls
  control: CallControl
  dailyClients: DailyClients
  /** Signs the addresses of recordings. */
  recordingUrls?: RecordingUrls | undefined
  /** The address of this API as clients see it. */
  apiUrl: string
  doorkeeper: Doorkeeper
  logger: Logger
}

export function serveCalls(
  app: Hono,
  {
    archive,
    assistants,
    scripts,
    webCalls,
    publicCalls,
    phoneCalls,
    control,
    dailyClients,
    recordingUrls,
    apiUrl,
    doorkeeper,
    logger,
  }: CallRoutes,
): void {
  const view = (row: CallRow) => monitored(withRecording(callView(row), row, recordingUrls), apiUrl)
  const admit = (context: Context) => doorkeeper.admit(context.req.raw, 'private')
  const placePhoneCall = (body: unknown) => phoneCalls.create(parse(body, createCall))
  const placeSocketCall = async (body: unknown) => {
    const wanted = parse(body, createSocketCall)
    const chosen = await findCallAssistant(wanted, assistants, { scripts })
    return await webCalls.inRoom(() => webCalls.createForSocket(chosen, wanted.name))
  }
  const placeCall = async (context: Context) => {
    await admit(context)
    const body = await parseBody(context.req.raw, z.unknown())
    const call = await (asksForSocket(body) ? placeSocketCall(body) : placePhoneCall(body))
    return context.json(monitored(call, apiUrl), 201)
  }
  const lists = new CallLists(archive, wholeCalls(view))
  const listsWithoutSecrets = new CallLists(
    archive,
    wholeCalls((row) => withoutServerSecrets(view(row))),
  )
  const listsFor = (context: Context) =>
    doorkeeper.seesSecrets(context.req.raw) ? lists : listsWithoutSecrets
  const failed = (err: unknown) => logger.error({ err }, 'a list of calls broke off')
  const servePage = (path: string, read: (filter: CallPageFilter, context: Context) => Promise<ListedPage>) =>
    app.get(path, async (context) => {
      await admit(context)
      const idAny = context.req.queries('idAny')
      const query = parse({ ...context.req.query(), ...(idAny && { idAny }) }, listCallsPage)
      const { metadata, ...texts } = await read(query, context)
      return textsAnswer(context, inTurns(doorkeeper, context, texts), { ...aroundPage(metadata), failed })
    })

  app.post('/call/web', async (context) => {
    const request = context.req.raw
    const grant = await doorkeeper.admit(request, 'public')
    if (grant.access === 'private') {
      const body = await parseBody(request, createWebCall)
      const chosen = await findCallAssistant(body, assistants, { scripts })
      const call = await webCalls.inRoom(() => webCalls.create(chosen))
      dailyClients.notice(request, call.id)
      return context.json(monitored(call, apiUrl), 201)
    }
    if (grant.isPublicKey) publicCalls.refuseKey()
    publicCalls.refuseLately(request)
    const body = await parseBody(request, createWebCall, PUBLIC_BODY)
    refuseRestricted(grant, request, body)
    refuseTrustedSettings(body)
    parse(body, publicWebCall)
    // The public key may not steer calls, so it learns no address for that.
    const call = await publicCalls.create(request, body)
    dailyClients.notice(request, call.id)
    return context.json(call, 201)
  })
  app.post('/call', placeCall)
  app.post('/call/phone', placeCall)
  app.get('/call', async (context) => {
    await admit(context)
    const texts = await listsFor(context).list(parse(context.req.query(), listCalls))
    return textsAnswer(context, inTurns(doorkeeper, context, texts), { ...BARE, failed })
  })
  app.get('/call/:id', async (context) => {
    await admit(context)
    return context.json(view(await archive.get(resourceId(context))))
  })
  app.patch('/call/:id', async (context) => {
    await admit(context)
    const { name } = await parseBody(context.req.raw, updateCall)
    return context.json(view(await archive.rename(resourceId(context), name)))
  })
  app.delete('/call/:id', async (context) => {
    await admit(context)
    return context.json(callView(await archive.delete(resourceId(context))))
  })
  app.post('/call/:id/control', async (context) => {
    await admit(context)
    const id = resourceId(context)
    await control.obey(id, readControlMessage(await parseBody(context.req.raw, controlBody)))
    return context.json({})
  })
  servePage('/v2/call', (filter, context) => listsFor(context).page(filter))
  const outlines = new CallLists(archive, OUTLINES)
  servePage('/v2/call/metadata', (filter) => outlines.page(filter))
}
