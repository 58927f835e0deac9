import { connect } from 'node:net'
import type { Asked } from '../ask.js'
import { type Attack, DIRECT, stranger, times } from '../attack.js'
import type { AttackedServer } from '../attacked-server.js'
import type { Target } from '../target.js'

/** Takes messages of anybody, and looks then whose they are. */
const HOOK = '/-/hooks/platform'

/** Sends one request of somebody at this address; resolves when it is over. */
export type Send = (from: string) => Promise<unknown>

/** How many times as much processor time a request costs as a plain one that is refused too; 0 where the system does not tell. */
async function costBeside(target: Target, costly: Send, plain: Send): Promise<number> {
  const ticks = async (send: Send, first: number) => {
    const before = target.processorTicks
    for (const place of times(100)) await send(stranger(first + place))
    return target.processorTicks - before
  }
  // The first ones also pay for what is loaded and compiled.
  await ticks(plain, 0)
  const plainTicks = await ticks(plain, 1_000)
  return (await ticks(costly, 2_000)) / Math.max(1, plainTicks)
}

/** A message to the hook with this list of signatures. */
export const signed =
  (target: AttackedServer, signature: string): Send =>
  (from) => {
    const headers = {
      'webhook-id': 'x',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': signature,
    }
    return target.status(from, HOOK, { body: {}, headers })
  }

export const MANY_SIGNATURES = 'a '.repeat(7_000)

/** A list of signatures, each compared with each of ours. */
export const signatures: Attack = {
  aim: 'everybody’s time: messages to the platform’s hook with seven thousand signatures, without a key',
  bounds: [{ what: 'times the work of one with a single signature', before: '25', most: 5 }],
  async run(target) {
    return [await costBeside(target, signed(target, MANY_SIGNATURES), signed(target, 'a'))]
  },
}

const WEB_CALL = '/-/platform/call/web'

/** A request for a browser call with so many messages that are none. */
const wrong = ({ keys }: AttackedServer, count: number): Asked => ({
  body: { assistantOverrides: { model: { messages: Array(count).fill({}) } } },
  headers: { authorization: `Bearer ${keys.platformPublic}` },
})
export const wrongly =
  (target: AttackedServer, count: number): Send =>
  (from) =>
    target.status(from, WEB_CALL, wrong(target, count))

/** A body in which twenty thousand things are wrong, each of them told. */
export const values: Attack = {
  aim: 'everybody’s time: requests for browser calls with twenty thousand messages that are none',
  settings: DIRECT,
  bounds: [
    { what: 'times the work of one with a single message', before: '107', most: 8 },
    { what: 'the answer', before: '3.8 MB', most: 5, unit: 'kB' },
  ],
  async run(target) {
    const answer = await target.ask(stranger(5_000), WEB_CALL, wrong(target, 20_000))
    const kilobytes = (await answer.arrayBuffer()).byteLength / 1_000
    return [await costBeside(target, wrongly(target, 20_000), wrongly(target, 1)), kilobytes]
  },
}

const FIFTY = times(50).map(() => 's contains p')
export const COMPARISONS = `{% for i in (1..1000) %}{% if ${FIFTY.join(' or ')} %}a{% endif %}{% endfor %}Hello`

/** Asks for a browser call with this template as its first message. */
export function greetedBy(target: AttackedServer, from: string, firstMessage: string): Promise<number> {
  const headers = { authorization: `Bearer ${target.keys.platformPublic}` }
  const variableValues = { s: 'a'.repeat(2_000), p: `${'a'.repeat(500)}b${'a'.repeat(500)}` }
  const assistantOverrides = { firstMessage, variableValues }
  return target.status(from, WEB_CALL, {
    body: { assistantId: target.assistantId, assistantOverrides },
    headers,
  })
}

/** A first message that has fifty texts looked for, a thousand times, each of which the other almost is. */
export const templates: Attack = {
  aim: 'everybody’s time: a browser call whose first message is a template full of comparisons',
  settings: DIRECT,
  bounds: [{ what: 'processor time of one request', before: '28', most: 1, unit: 's' }],
  async run(target) {
    await greetedBy(target, stranger(0), 'Hello')
    const before = target.processorTicks
    const status = await greetedBy(target, stranger(1), COMPARISONS)
    if (status !== 201) throw new Error(`The call was not opened: ${status}`)
    return [(target.processorTicks - before) / 100]
  },
}

export const CRUMBS = '1\r\nx\r\n'.repeat(11_000)

/** A message to the hook in these chunks. */
export function chunked(target: AttackedServer, chunks: string): Send {
  const { hostname, port } = new URL(target.url)
  return async (from) => {
    const client = connect(Number(port), hostname).on('error', () => undefined)
    const over = new Promise((resolve) => client.once('data', resolve).once('close', resolve))
    client.write(
      `POST ${HOOK} HTTP/1.1\r\nhost: demo.example\r\nx-forwarded-for: ${from}\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
    )
    await over
    client.destroy()
  }
}

/** As many chunks of one byte as Node reads at once, or one chunk of the same length. */
export const crumbs: Attack = {
  aim: 'everybody’s time: messages to the platform’s hook in eleven thousand chunks of one byte',
  bounds: [{ what: 'times the work of one in a single chunk', before: '11', most: 4 }],
  async run(target) {
    const one = `${CRUMBS.length.toString(16)}\r\n${'x'.repeat(CRUMBS.length)}\r\n`
    return [await costBeside(target, chunked(target, CRUMBS), chunked(target, one))]
  },
}
