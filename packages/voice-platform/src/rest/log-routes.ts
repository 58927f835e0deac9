import type { Hono } from 'hono'
import { z } from 'zod'
import { callLogOf } from '../logs/call-log.js'
import { logView } from '../logs/log-entry.js'
import type { LogStore } from '../logs/log-store.js'
import type { PlatformLog } from '../logs/platform-log.js'
import { type PageWindow, pageMetadata, pageWindow } from '../resources/list-page.js'
import { isWithin } from '../resources/list-window.js'
import type { Doorkeeper } from './access.js'
import { parse } from './parse-request.js'

export interface LogRoutes {
  logs: LogStore
  log: PlatformLog
  doorkeeper: Doorkeeper
}

const id = z.uuid()
const chosen = {
  type: z.enum(['API', 'Webhook', 'Call', 'Provider']).optional(),
  assistantId: id.optional(),
  phoneNumberId: id.optional(),
  customerId: z.string().max(100).optional(),
  squadId: id.optional(),
  callId: id.optional(),
}
const listLogs = z.strictObject({ ...pageWindow, ...chosen, webhookType: z.string().max(100).optional() })
const deleteLogs = z.strictObject(chosen)
const listCallLog = z.strictObject({ ...pageWindow, callId: id })
const deleteCallLog = z.strictObject({ callId: id })

export function serveLogs(app: Hono, { logs, log, doorkeeper }: LogRoutes): void {
  app.get('/logs', async (context) => {
    await doorkeeper.admit(context.req.raw, 'private')
    const query = parse(context.req.query(), listLogs)
    await log.flush()
    const { results, metadata } = await logs.page(query, query)
    return context.json({ results: results.map(logView), metadata })
  })
  app.delete('/logs', async (context) => {
    await doorkeeper.admit(context.req.raw, 'private')
    const filter = parse(context.req.query(), deleteLogs)
    await log.flush()
    await logs.delete(filter)
    return context.body(null, 204)
  })
  app.get('/log', async (context) => {
    await doorkeeper.admit(context.req.raw, 'private')
    const query = parse(context.req.query(), listCallLog)
    await log.flush()
    const { row, messages, since } = await logs.ofCall(query.callId)
    const lines = callLogOf(row, messages).filter(({ time }) => {
      const at = new Date(time)
      return isWithin(at, query) && (since === undefined || at > since)
    })
    if (query.sortOrder === 'DESC') lines.reverse()
    return context.json(pageOf(lines, query))
  })
  app.delete('/log', async (context) => {
    await doorkeeper.admit(context.req.raw, 'private')
    const { callId } = parse(context.req.query(), deleteCallLog)
    await log.flush()
    await logs.forgetCall(callId)
    return context.body(null, 204)
  })
}

const pageOf = <Line>(lines: readonly Line[], window: PageWindow) => ({
  results: lines.slice((window.page - 1) * window.limit, window.page * window.limit),
  metadata: pageMetadata(window, lines.length),
})
