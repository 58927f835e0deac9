import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import type { CarrierEvents, DialRequest, LegEnd } from '../carriers/carrier.js'
import {
  createTwilioCarrier,
  type TwilioCarrier,
  type TwilioCarrierOptions,
} from '../carriers/twilio/twilio-carrier.js'
import type { Link } from '../link/link.js'
import { clockedDb } from './clocked-db.js'
import { listen, shut, textOf } from './local-server.js'
import { openPlatformDb } from './platform-db.js'
import { TwilioStandIn } from './twilio-stand-in.js'

export const CALL_ID = '8f14e45f-ceea-467f-a8f0-3d2c1b5a9e01'

/** A Twilio carrier behind a real server, and Twilio's stand-in at the other end. */
export interface TwilioWire {
  carrier: TwilioCarrier
  standIn: TwilioStandIn
  clock: ManualClock
  db: Db
  /** Where the carrier's server listens. */
  url: string
  /** Every line that was logged. */
  log: string[]
  close(): Promise<void>
}

/** A wire whose carrier is connected, and what it reported. */
export interface TwilioBench extends TwilioWire {
  /** `ringing`, `answered`, `ended hung-up`, … in order. */
  reports: string[]
  /** The calls that were reported as picked up, as often as they were. */
  pickedUp: string[]
  links: Link[]
}

let shared: Db | undefined

/** Gives all tests of a file one database, as opening one takes longer than they do. To be called at the top of the file. */
export function shareDb(): void {
  beforeAll(async () => {
    shared = await openPlatformDb()
  })
  afterAll(async () => {
    await shared?.close()
    shared = undefined
  })
}

export async function openWire(
  options: Partial<TwilioCarrierOptions> = {},
  holderOf?: (callId: string) => TwilioCarrier | undefined,
): Promise<TwilioWire> {
  const { db: _, ...withoutDb } = options
  const standIn = new TwilioStandIn()
  await standIn.listen()
  const server = createServer()
  const url = await listen(server)
  const clock = new ManualClock()
  const carrierClock = options.clock ?? clock
  const log: string[] = []
  const db = options.db ?? shared ?? (await openPlatformDb())
  const carrier = createTwilioCarrier({
    accountSid: standIn.accountSid,
    authToken: standIn.authToken,
    apiUrl: standIn.url,
    publicUrl: url,
    clock,
    db: carrierClock instanceof ManualClock ? clockedDb(db, carrierClock) : db,
    logger: pino({ level: 'debug' }, { write: (line: string) => void log.push(line) }),
    ...withoutDb,
  })
  serve(server, carrier, url, holderOf)
  const close = async () => {
    await carrier.close()
    await standIn.close()
    await shut(server)
    if (db === shared) await db.query('delete from voice_platform.carrier_legs')
    else if (!options.db) await db.close()
  }
  return { carrier, standIn, clock, db, url, log, close }
}

/** `holderOf` names the carrier of another process that holds a call, where one does. */
export async function openBench(
  options: Partial<TwilioCarrierOptions> = {},
  holderOf?: (callId: string) => TwilioCarrier | undefined,
): Promise<TwilioBench> {
  const wire = await openWire(options, holderOf)
  const reports: string[] = []
  const pickedUp: string[] = []
  const links: Link[] = []
  const events: CarrierEvents = {
    onRinging: () => void reports.push('ringing'),
    onPickedUp: async (callId) => void pickedUp.push(callId),
    onAnswered: (_callId, link, by) => {
      reports.push(by ? `answered by ${by}` : 'answered')
      links.push(link)
    },
    onIncoming: async () => ({ refusal: 'rejected' }),
    onMachine: () => void reports.push('machine'),
    onBackFromTransfer: (_callId, link, why) => {
      reports.push(`back ${why}`)
      links.push(link)
    },
    onEnded: (_callId, end: LegEnd) => void reports.push(`ended ${end}`),
  }
  wire.carrier.connect(events, {
    askHolder: async (callId, question) => await holderOf?.(callId)?.answer?.(callId, question),
  })
  return { ...wire, reports, pickedUp, links }
}

export const dialRequest = (to = '+12025550123'): DialRequest => ({
  callId: CALL_ID,
  to,
  from: '+12025550100',
  ringSeconds: 25,
})

/** Places a call; resolves when it rings. */
export async function ring(bench: TwilioBench, more: Partial<DialRequest> = {}) {
  const leg = await bench.carrier.dial({ ...dialRequest(), ...more })
  await until(() => expect(bench.reports).toEqual(['ringing']))
  return { ...bench, leg, call: bench.standIn.call }
}

/** The calls in hand, as all processes see them. */
export const legsOf = async ({ db }: Pick<TwilioWire, 'db'>) =>
  (await db.query<Record<string, unknown>>('select * from voice_platform.carrier_legs order by created_at'))
    .rows

/** After how many milliseconds the only call in hand is looked at, from when it was stored. */
export const looksInMs = async ({ db }: Pick<TwilioWire, 'db'>) => {
  const { rows } = await db.query<{ ms: number }>(
    'select extract(epoch from look_at - created_at)::float8 * 1000 as ms from voice_platform.carrier_legs',
  )
  const [row] = rows
  if (!row || rows.length > 1) throw new Error(`There are ${rows.length} calls in hand.`)
  return row.ms
}

/** No call is in hand any more. */
export const expectNoLegs = (wire: Pick<TwilioWire, 'db'>) =>
  vi.waitFor(async () => expect(await legsOf(wire)).toEqual([]), { timeout: 5_000, interval: 5 })

/** Waits for what comes over sockets. */
export const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 5_000, interval: 5 })

function serve(
  server: Server,
  carrier: TwilioCarrier,
  url: string,
  holderOf?: (callId: string) => TwilioCarrier | undefined,
): void {
  server.on('request', async (request: IncomingMessage, response) => {
    const method = request.method ?? 'GET'
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    const body = method === 'GET' ? null : await textOf(request)
    const answer = await carrier.fetch(new Request(url + request.url, { method, headers, body }))
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  server.on('upgrade', (request, socket, head) => {
    const callId = /\/media\/([\w-]+)$/.exec(request.url ?? '')?.[1] ?? ''
    const taking = holderOf?.(callId) ?? carrier
    sockets.handleUpgrade(request, socket, head, (accepted) =>
      taking.acceptMedia(accepted, { url: request.url ?? '', headers: request.headers }),
    )
  })
}
