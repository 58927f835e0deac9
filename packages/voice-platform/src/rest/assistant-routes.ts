import type { Assistant } from '@heyline/platform-client'
import type { Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { z } from 'zod'
import { AssistantLists } from '../assistants/assistant-lists.js'
import { storedAssistant } from '../assistants/assistant-schema.js'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { listVersions, versionNumber } from '../assistants/assistant-versions.js'
import { shownNumbers } from '../assistants/tool-schema.js'
import type { PhoneNumberStore } from '../numbers/phone-number-store.js'
import { ApiError } from '../resources/api-error.js'
import { pageWindow } from '../resources/list-page.js'
import { listWindow } from '../resources/list-window.js'
import type { Doorkeeper } from './access.js'
import { aroundPage, BARE, inTurns, textsAnswer } from './json-list.js'
import { parse, parseBody, resourceId } from './parse-request.js'
import { withoutServerSecrets, writtenInTurns } from './server-secrets.js'

const listAssistants = z.strictObject(listWindow)
const listAssistantsPage = z.strictObject(pageWindow)

export interface AssistantRoutes {
  assistants: AssistantStore
  numberStore: PhoneNumberStore
  doorkeeper: Doorkeeper
  logger: Logger
}

/** Throws an `ApiError` 400 where a transfer of these tools would show a number that is not ours. */
export async function refuseForeignNumbers(
  tools: readonly unknown[],
  numberStore: PhoneNumberStore,
): Promise<void> {
  const [foreign] = await numberStore.foreign(shownNumbers(tools))
  if (foreign !== undefined)
    throw new ApiError(
      400,
      `A transfer cannot show the callerId ${foreign}: it is none of your phone numbers.`,
    )
}

export function serveAssistants(
  app: Hono,
  { assistants, numberStore, doorkeeper, logger }: AssistantRoutes,
): void {
  const admit = (context: Context) => doorkeeper.admit(context.req.raw, 'private')
  const bodyOf = async (context: Context) => {
    const settings = await parseBody(context.req.raw, storedAssistant)
    await refuseForeignNumbers(settings.model?.tools ?? [], numberStore)
    return settings
  }
  const lists = new AssistantLists(assistants)
  const failed = (err: unknown) => logger.error({ err }, 'a list of assistants broke off')
  const writeFor = (context: Context) => (some: readonly Assistant[]) =>
    writtenInTurns(some, doorkeeper.seesSecrets(context.req.raw) ? (one) => one : withoutServerSecrets)

  app.post('/assistant', async (context) => {
    await admit(context)
    return context.json(await assistants.create(await bodyOf(context)), 201)
  })
  app.get('/assistant', async (context) => {
    await admit(context)
    const texts = await lists.list(parse(context.req.query(), listAssistants), writeFor(context))
    return textsAnswer(context, inTurns(doorkeeper, context, texts), { ...BARE, failed })
  })
  app.get('/v2/assistant', async (context) => {
    await admit(context)
    const window = parse(context.req.query(), listAssistantsPage)
    const { metadata, ...texts } = await lists.page(window, writeFor(context))
    return textsAnswer(context, inTurns(doorkeeper, context, texts), { ...aroundPage(metadata), failed })
  })
  app.get('/assistant/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await assistants.get(id)))
  })
  app.patch('/assistant/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await assistants.update(id, await bodyOf(context))))
  })
  app.put('/assistant/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await assistants.replace(id, await bodyOf(context))))
  })
  app.get('/assistant/:id/version', async (context) => {
    await admit(context)
    const id = resourceId(context)
    existing(id, await assistants.get(id))
    return context.json(await assistants.versions.page(id, parse(context.req.query(), listVersions)))
  })
  app.post('/assistant/:id/version/:version/restore', async (context) => {
    await admit(context)
    const id = resourceId(context)
    const version = parse(context.req.param('version'), versionNumber)
    existing(id, await assistants.get(id))
    // What was allowed once may be refused by now, such as the number of a transfer.
    const settings = await assistants.versions.find(id, version)
    if (!settings)
      throw new ApiError(404, `Assistant ${id} has no version ${version}: the last fifty are kept.`)
    await refuseForeignNumbers(parse(settings, storedAssistant).model?.tools ?? [], numberStore)
    return context.json(existing(id, await assistants.restore(id, version)))
  })
  app.delete('/assistant/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await assistants.delete(id)))
  })
}

function existing(id: string, assistant: Assistant | undefined): Assistant {
  if (!assistant) throw new ApiError(404, `Assistant ${id} does not exist.`)
  return assistant
}
