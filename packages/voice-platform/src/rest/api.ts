import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import type { Logger } from 'pino'
import { z } from 'zod'
import { ApiError } from '../api-error.js'
import { storedAssistant } from '../assistants/assistant-schema.js'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { createCall, createWebCall } from '../calls/call-request.js'
import type { CallStore } from '../calls/call-store.js'
import { callView } from '../calls/call-view.js'
import type { PhoneCalls } from '../calls/phone-calls.js'
import type { WebCalls } from '../calls/web-calls.js'
import { listWindow } from '../list-window.js'
import { accessOf, type PlatformKeys } from './access.js'
import { MAX_BODY_BYTES, parse, parseBody } from './parse-body.js'
import { isOpenPath, isPlatformPath } from './unserved-paths.js'

export interface ApiOptions {
  keys: PlatformKeys
  /** Origins of pages that may use the API. */
  origins: readonly string[]
  store: CallStore
  assistants: AssistantStore
  webCalls: WebCalls
  phoneCalls: PhoneCalls
  /** Requests wait for this; while it is rejected they answer 500. */
  ready: Promise<void>
  logger: Logger
}

const id = z.uuid()
const listCalls = z.strictObject({
  ...listWindow,
  id: id.optional(),
  assistantId: id.optional(),
  phoneNumberId: id.optional(),
})
const listAssistants = z.strictObject(listWindow)

/** The platform's REST API, as far as it is served; the rest of the platform's paths answer 501. */
export function createApi(options: ApiOptions): Hono {
  const { keys, store, assistants, webCalls, phoneCalls } = options
  const app = new Hono({ strict: false })
  const requirePrivate = (context: Context) => accessOf(context.req.raw, keys, 'private')

  app.use(
    cors({ origin: [...options.origins], allowHeaders: ['authorization', 'content-type'], maxAge: 600 }),
  )
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new ApiError(413, `The body is larger than ${MAX_BODY_BYTES} bytes.`)
      },
    }),
  )
  app.use(async (_context, next) => {
    await options.ready
    await next()
  })

  app.post('/call/web', async (context) => {
    const access = accessOf(context.req.raw, keys, 'public')
    const body = await parseBody(context.req.raw, createWebCall)
    return context.json(await webCalls.create(body, { trusted: access === 'private' }), 201)
  })
  app.post('/call', async (context) => {
    requirePrivate(context)
    return context.json(await phoneCalls.create(await parseBody(context.req.raw, createCall)), 201)
  })
  app.get('/call', async (context) => {
    requirePrivate(context)
    const calls = await store.list(parse(context.req.query(), listCalls))
    return context.json(calls.map(callView))
  })
  app.get('/call/:id', async (context) => {
    requirePrivate(context)
    const callId = parse(context.req.param('id'), id.describe('id'))
    const call = await store.find(callId)
    if (!call) throw new ApiError(404, `Call ${callId} does not exist.`)
    return context.json(callView(call))
  })
  app.post('/assistant', async (context) => {
    requirePrivate(context)
    return context.json(await assistants.create(await parseBody(context.req.raw, storedAssistant)), 201)
  })
  app.get('/assistant', async (context) => {
    requirePrivate(context)
    return context.json(await assistants.list(parse(context.req.query(), listAssistants)))
  })

  app.notFound((context) => {
    const { method, path } = context.req
    if (!isPlatformPath(path)) throw new ApiError(404, `Cannot ${method} ${path}`)
    if (!isOpenPath(path)) requirePrivate(context)
    throw new ApiError(501, `${method} ${path} is not served by the built-in voice platform.`)
  })
  app.onError((error, context) => {
    if (error instanceof ApiError) return context.json(error.body, error.status)
    options.logger.error({ err: error, method: context.req.method }, 'platform request failed')
    const failure = new ApiError(500, 'Internal server error')
    return context.json(failure.body, failure.status)
  })
  return app
}
