import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { openEvents } from './events-end.js'

/** A loaded machine takes its time. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 30_000 })

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

let db: Db
const closers: (() => unknown)[] = []
beforeEach(async () => {
  db = await openTestDb()
  closers.push(() => db.close())
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})
const open = (env: Record<string, string>) =>
  openEvents({
    settings: readSettings(env),
    db,
    keys: { secret: 'sb_secret_of_this_test' },
    publicUrl: 'https://demo.example',
    mail: undefined,
    logger: pino({ level: 'silent' }),
  })

it('tells the endpoint of the settings, and forgets it when they are unset', async () => {
  const told: { body: string; headers: Record<string, string> }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    told.push({ body, headers: request.headers as Record<string, string> })
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const events = await open({ EVENTS_URL: url, EVENTS_SECRET: SECRET, EVENTS_ALLOW_PRIVATE: 'on' })
  await db.query("insert into public.visitors (slug, name) values ('acme', 'Acme')")
  await eventually(() => told).toHaveLength(1)
  await events.close()
  const [{ body, headers } = { body: '', headers: {} }] = told
  new Webhook(SECRET).verify(body, headers)
  const { id } = JSON.parse(body).data
  expect(JSON.parse(body)).toMatchObject({
    type: 'visitor.created',
    data: { slug: 'acme', actor: 'operator', link: `https://demo.example/-/office/timeline/event?id=${id}` },
  })

  const without = await open({})
  expect(await without.endpoints.list()).toEqual([])
  await without.close()
})
