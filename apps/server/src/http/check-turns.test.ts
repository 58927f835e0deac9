import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { checkTurns } from './check-turns.js'
import { ClientAddresses } from './client-addresses.js'

/** A server that counts what it handles at once, and how to ask it from an address. */
function opened() {
  const counted = { now: 0, most: 0, handled: 0 }
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.use(checkTurns(new ClientAddresses({ trustProxy: 1, logger: pino({ level: 'silent' }) })))
  app.all('*', async (context) => {
    counted.handled++
    counted.most = Math.max(counted.most, ++counted.now)
    await setImmediate()
    counted.now--
    return context.json({})
  })
  const ask = async (path: string, address: string, init: RequestInit = { method: 'POST' }) => {
    const incoming = new IncomingMessage(new Socket())
    incoming.headers['x-forwarded-for'] = address
    return (await app.request(path, init, { incoming })).status
  }
  return { counted, ask }
}

const times = (count: number) => Array.from({ length: count }, (_, place) => place)

it.each([
  '/-/hooks/platform',
  '/-/carriers/twilio/voice/a',
  '/-/platform/call/web',
  '/-/platform/call/web/',
  '/-/backend/auth/v1/token?grant_type=password',
  '/-/backend/auth/v1/recover',
  '/-/backend/auth/v1/verify',
  '/-/office/session/sign-in',
  '/-/office/session/set-up',
])('lets two requests of one address to %s be handled at a time, and ten of one network', async (path) => {
  const one = opened()
  expect(new Set(await Promise.all(times(100).map(() => one.ask(path, '203.0.113.7'))))).toEqual(
    new Set([200]),
  )
  expect(one.counted.most).toBe(2)
  const network = opened()
  await Promise.all(times(200).map((place) => network.ask(path, `203.0.113.${place}`)))
  expect(network.counted.most).toBe(10)
  const many = opened()
  await Promise.all(times(100).map((place) => many.ask(path, `203.0.${place}.7`)))
  expect(many.counted.most).toBe(100)
})

it('refuses those beyond a hundred of one address, and handles none that was given up', async () => {
  const { counted, ask } = opened()
  const given = new AbortController()
  const init = { method: 'POST', signal: given.signal }
  const asked = times(101).map((place) =>
    ask('/-/hooks/platform', '203.0.113.7', place < 50 ? init : undefined),
  )
  given.abort()
  expect(await asked[100]).toBe(503)
  await Promise.all(asked)
  expect(counted.handled).toBe(50)
})

it.each(['/-/platform/call', '/-/backend/rest/v1/visitors', '/default'])(
  'holds up nothing at %s',
  async (path) => {
    const { counted, ask } = opened()
    await Promise.all(times(20).map(() => ask(path, '203.0.113.7')))
    expect(counted.most).toBe(20)
  },
)
