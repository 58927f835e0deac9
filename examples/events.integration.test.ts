import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { createDelivery, type Delivery, recordEvent } from '@heyline/timeline'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** A loaded machine takes its time. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 30_000 })

const fileOf = (example: string) => fileURLToPath(new URL(example, import.meta.url))
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

let db: Db
let delivery: Delivery
const closers: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  db = await openTestDb()
  closers.push(() => db.close())
  delivery = createDelivery({
    db,
    key: randomBytes(32),
    allowPrivate: true,
    linkOf: ({ id }) => `https://demo.example/-/office/timeline/events/${id}`,
    pageOf: () => 'https://demo.example/-/console/',
    logger: pino({ level: 'silent' }),
  })
  closers.push(() => delivery.close())
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Somebody opens a page, and the real sender tells a receiver. */
async function tell(url: string, secrets: string[]) {
  await delivery.endpoints.setOfSettings({ url, secrets })
  await recordEvent(db, { type: 'page.opened', slug: 'acme', actor: 'visitor', payload: {} })
  await delivery.start()
}
async function settled() {
  const { rows } = await db.query<{ state: string; status: number; error: string | null }>(
    `select d.state, a.status, a.error from timeline.deliveries d
     join timeline.attempts a on a.endpoint_id = d.endpoint_id and a.event_seq = d.event_seq`,
  )
  return rows
}

describe('the plain receiver', () => {
  async function receiverWith(secret: string) {
    const child: ChildProcess = spawn(process.execPath, [fileOf('webhook-receiver/receiver.js')], {
      env: { PATH: process.env.PATH, PORT: '0', EVENTS_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    closers.push(async () => {
      child.kill()
      await once(child, 'exit')
    })
    let output = ''
    child.stdout?.on('data', (piece) => {
      output += piece
    })
    await eventually(() => output).toMatch(/^Waiting at \S+\n/)
    return { url: /Waiting at (\S+)/.exec(output)?.[1] ?? '', printed: () => output }
  }

  it('takes what Heyline signs, with either secret while one is exchanged', async () => {
    const [secret, former] = [newSecret(), newSecret()]
    const { url, printed } = await receiverWith(former)
    await tell(url, [secret, former])
    await eventually(settled).toEqual([{ state: 'delivered', status: 204, error: null }])
    expect(printed()).toMatch(/page\.opened acme https:\/\/demo\.example\/-\/office\/timeline\/events\//)
  })

  it('refuses what another secret signed', async () => {
    const { url, printed } = await receiverWith(newSecret())
    await tell(url, [newSecret()])
    await eventually(settled).toEqual([{ state: 'pending', status: 401, error: 'It answered 401' }])
    expect(printed()).not.toContain('page.opened')
  })

  it('refuses what is not a message', async () => {
    const { url } = await receiverWith(newSecret())
    expect((await fetch(url)).status).toBe(405)
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(401)
  })
})

describe('the code node of n8n', () => {
  const workflow: {
    nodes: { name: string; parameters: { jsCode?: string; options?: { rawBody?: boolean } } }[]
  } = JSON.parse(readFileSync(fileOf('n8n/workflow.json'), 'utf8'))
  const code = workflow.nodes.find(({ parameters }) => parameters.jsCode)?.parameters.jsCode ?? ''

  type Node = (require: NodeJS.Require, $input: unknown, $env: unknown) => Promise<unknown>
  const AsyncFunction = (async () => {}).constructor as new (...words: string[]) => Node
  /** As n8n does: with the raw body as binary data, and the library that it allows. */
  const run = (headers: IncomingHttpHeaders, body: Buffer, secret: string) =>
    new AsyncFunction('require', '$input', '$env', code).call(
      { helpers: { getBinaryDataBuffer: async () => body } },
      createRequire(import.meta.url),
      { all: () => [{ json: { headers } }] },
      { EVENTS_SECRET: secret },
    )

  it('accepts what Heyline signs, and nothing else', async () => {
    const messages: { headers: IncomingHttpHeaders; body: Buffer }[] = []
    const server = createServer(async (request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece)
      messages.push({ headers: request.headers, body: Buffer.concat(pieces) })
      response.writeHead(200).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(async () => void server.close())
    const secret = newSecret()
    await tell(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, [secret])
    await eventually(() => messages).toHaveLength(1)
    const [{ headers, body } = { headers: {}, body: Buffer.from('') }] = messages
    const wanted = [
      { json: { id: headers['webhook-id'], type: 'page.opened', slug: 'acme', actor: 'visitor' } },
    ]
    expect(await run(headers, body, secret)).toMatchObject(wanted)
    expect(await run(headers, body, `${newSecret()},${secret}`)).toMatchObject(wanted)
    await expect(run(headers, body, newSecret())).rejects.toThrow('The signature is wrong')
    await expect(run(headers, Buffer.concat([body, Buffer.from(' ')]), secret)).rejects.toThrow()
  })

  it('gets the bytes as they came', () => {
    expect(workflow.nodes[0]?.parameters.options?.rawBody).toBe(true)
  })
})
