import { pauseCalls } from '../../gate/switches.js'
import { callRequest } from '../desk.js'
import { type Attack, block, stranger, times } from './attack.js'

/** A check with tokens that name their id and their page. */
const humanCheck = {
  isToken: (token: string) => token !== '',
  verify: async (token: string, { slug }: { slug: string }) => {
    const [kind, id, page] = token.split(' ')
    return kind === 'good' && page === slug ? id : undefined
  },
}
const token = (text: string) => ({ headers: { 'x-human-check': text } })
const key = (text: string) => ({ headers: { 'idempotency-key': text } })

const ended = (id: string) => ({
  type: 'status-update',
  status: 'ended',
  endedReason: 'customer-busy',
  call: { id },
})
const report = (id: string) => ({
  type: 'end-of-call-report',
  endedReason: 'customer-did-not-answer',
  cost: 0,
  artifact: {},
  analysis: {},
  call: { id },
})

/** Repeated and forged requests, tokens, keys and messages. */
export const forgeries: Attack[] = [
  {
    name: 'a key again and again',
    async run({ ask, hangUp }) {
      for (const place of times(6)) {
        await ask({ ...stranger(1), ...key('k-1'), address: stranger(place).address })
        await ask({ ...stranger(1), ...key('k-1'), phone: block(place + 20) })
        await hangUp()
      }
    },
    calls: 1,
  },
  {
    name: 'a key of its own for each request',
    async run({ ask, hangUp }) {
      for (const place of times(6)) {
        await ask({ ...stranger(place), ...key(`k-${place}`), phone: block(1) })
        if (place === 3) await hangUp()
      }
    },
    calls: 1,
  },
  {
    name: 'a human check answered once, used by many',
    options: { humanCheck },
    async run({ ask, hangUp }) {
      for (const place of times(5)) {
        await ask({ ...stranger(place), slug: 'acme', ...token('good t-1 acme') })
        await hangUp()
      }
      await Promise.all(
        times(5).map((place) => ask({ ...stranger(place + 5), slug: 'acme', ...token('good t-1 acme') })),
      )
    },
    calls: 1,
  },
  {
    name: 'a human check that is missing, wrong, or of another page',
    options: { humanCheck },
    async run({ ask }) {
      await ask(stranger(1))
      for (const text of ['', 'bad t-1 page-2', 'good t-1 acme', 'good'])
        await ask({ ...stranger(2), ...token(text) })
    },
    calls: 0,
  },
  {
    name: 'forged news that a call has ended, to free its number',
    async run({ ask, hook, dialled }) {
      await ask({ ...stranger(1), phone: block(1) })
      const [id = ''] = await dialled()
      for (const secret of ['', 'wrong', 'hook-secre', 'hook-secret-2']) await hook(ended(id), secret)
      for (const place of times(4)) await ask({ ...stranger(place + 2), phone: block(1) })
    },
    calls: 1,
  },
  {
    name: 'forged reports that calls cost nothing, to free the money',
    gate: { dayBudget: 1_500_000 },
    async run({ ask, hook, dialled }) {
      for (const place of times(2)) await ask(stranger(place))
      for (const id of await dialled()) {
        await hook(report(id), 'wrong')
        await hook(ended(id), 'wrong')
      }
      for (const place of times(3)) await ask(stranger(place + 2))
    },
    calls: 2,
  },
  {
    name: 'requests while all calls are paused',
    async run({ db, ask }) {
      await pauseCalls(db)
      for (const place of times(3)) await ask({ ...stranger(place), ...key(`k-${place}`) })
      for (const place of times(3)) await ask({ ...stranger(place), ...key(`k-${place}`) })
    },
    calls: 0,
  },
  {
    name: 'links and methods that must not dial',
    async run({ send }) {
      const query = `http://localhost/functions/v1/call-me?phone=${encodeURIComponent(block(1))}&slug=acme`
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) await send(new Request(query, { method }))
      const body = JSON.stringify({ phone: block(1), slug: 'acme' })
      for (const method of ['PUT', 'PATCH'])
        await send(new Request(query, { method, body, headers: { 'content-type': 'application/json' } }))
      // A form of another site can send these without asking the browser's leave.
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
        await send(callRequest(body, { 'content-type': type }))
    },
    calls: 0,
  },
  {
    name: 'bodies that say more than they may',
    async run({ send }) {
      for (const more of [
        { force: true },
        { country: 'US' },
        { address: '10.0.0.1' },
        { phone: [block(1)] },
        { phone: { e164: block(1) } },
        { maxDurationSeconds: 43_200 },
      ])
        await send(callRequest({ phone: block(1), slug: 'acme', ...more }))
    },
    calls: 0,
  },
]
