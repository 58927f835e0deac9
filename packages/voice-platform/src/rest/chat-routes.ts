import type { Chat } from '@heyline/platform-client'
import type { Context, Hono } from 'hono'
import type { Logger } from 'pino'
import type { AssistantStore } from '../assistants/assistant-store.js'
import type { PublicWebCalls } from '../calls/public-calls.js'
import { PUBLIC_BODY } from '../calls/public-limits.js'
import { askedChat } from '../chats/asked-chat.js'
import {
  type ChatEvents,
  deltas,
  responseEvents,
  responseOf,
  webDeltas,
  webView,
  wholeAnswer,
} from '../chats/chat-events.js'
import { chatTexts } from '../chats/chat-lists.js'
import { createChat, createWebChat, listChats } from '../chats/chat-request.js'
import { chatView } from '../chats/chat-row.js'
import type { ChatStore } from '../chats/chat-store.js'
import type { Chats, RunningChat } from '../chats/chats.js'
import { eventBody } from '../chats/event-body.js'
import type { WebChats } from '../chats/web-chats.js'
import { ApiError } from '../resources/api-error.js'
import { type Doorkeeper, refuseRestricted } from './access.js'
import { aroundPage, inTurns, textsAnswer } from './json-list.js'
import { MOST_VALUES, parse, parseBody, resourceId } from './parse-request.js'
import { withoutServerSecrets } from './server-secrets.js'

/** What is asked at once with the private key. */
const BODY = { bytes: 250_000, values: MOST_VALUES }

export interface ChatRoutes {
  assistants: AssistantStore
  publicCalls: PublicWebCalls
  chats: Chats
  chatStore: ChatStore
  webChats: WebChats
  doorkeeper: Doorkeeper
  logger: Logger
}

/** The two forms of an answer, to a server and to a page: the platform's own, and that of OpenAI's Responses API, which streams unless it is told not to. */
const RESPONSES = { events: responseEvents, whole: responseOf }
const FORMS = [
  {
    ...{ path: '', streams: false, own: { events: deltas, whole: (chat: Chat): object => chat } },
    web: { events: webDeltas, whole: webView },
  },
  { path: '/responses', streams: true, own: RESPONSES, web: RESPONSES },
] as const

export function serveChats(
  app: Hono,
  { assistants, publicCalls, chats, chatStore, webChats, doorkeeper, logger }: ChatRoutes,
): void {
  const admit = (context: Context) => doorkeeper.admit(context.req.raw, 'private')
  const failed = (err: unknown) => logger.error({ err }, 'a list of chats broke off')

  for (const { path, own, web, streams } of FORMS) {
    app.post(`/chat${path}`, async (context) => {
      await admit(context)
      const { stream = streams, ...body } = await parseBody(context.req.raw, createChat, BODY)
      const start = { ...(await askedChat(body, assistants, chats)), isStreamed: stream }
      const gone = goneOf(context)
      return await answered(context, chats.begin(start, gone.signal), { stream, ...own, gone })
    })
    app.post(`/chat/web${path}`, async (context) => {
      const request = context.req.raw
      const grant = await doorkeeper.admit(request, 'public')
      const isStranger = grant.access !== 'private'
      if (grant.isPublicKey) publicCalls.refuseKey('The public key starts no chats here.')
      if (isStranger) publicCalls.refuseLately(request)
      const { stream = streams, ...body } = await parseBody(request, createWebChat, PUBLIC_BODY)
      if (isStranger) refuseRestricted(grant, request, { assistantId: body.assistantId })
      const gone = goneOf(context)
      const running = await webChats.begin(request, { ...body, stream }, isStranger, gone.signal)
      return await answered(context, running, { stream, ...web, gone })
    })
  }
  app.get('/chat', async (context) => {
    await admit(context)
    const { assistantId, sessionId, workflowId, ...window } = parse(context.req.query(), listChats)
    // No workflow answers chats.
    const none = workflowId === undefined ? {} : { 'null::text': workflowId }
    const equal = { assistant_id: assistantId, session_id: sessionId, ...none }
    const shown = (chat: Chat) =>
      doorkeeper.seesSecrets(context.req.raw) ? chat : withoutServerSecrets(chat)
    const { metadata, ...texts } = await chatTexts(chatStore, { window, equal, shown })
    return textsAnswer(context, inTurns(doorkeeper, context, texts), { ...aroundPage(metadata), failed })
  })
  app.get('/chat/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    const row = await chatStore.get(id)
    return context.json(existing(id, row && chatView(row)))
  })
  app.delete('/chat/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await chats.delete(id)))
  })
}

interface Form {
  stream: boolean
  events(running: RunningChat): ChatEvents
  whole(chat: Chat): object
  gone: AbortController
}

async function answered(
  context: Context,
  running: RunningChat,
  { stream, events, whole, gone }: Form,
): Promise<Response> {
  if (!stream) return context.json(whole(await wholeAnswer(running)), 201)
  const body = await eventBody(events(running), gone)
  return context.body(body, 201, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
}

/** Aborts when the client has gone. */
function goneOf(context: Context): AbortController {
  const gone = new AbortController()
  const { signal } = context.req.raw
  const abort = () => gone.abort(new ApiError(503, 'The client has gone.'))
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return gone
}

function existing(id: string, chat: Chat | undefined): Chat {
  if (!chat) throw new ApiError(404, `Chat ${id} does not exist.`)
  return chat
}
