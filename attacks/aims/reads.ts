import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Attack, DIRECT, stranger, times } from '../attack.js'
import type { AttackedServer } from '../attacked-server.js'
import type { Target } from '../target.js'

export const VISITORS = '/-/backend/rest/v1/visitors'
/** A regular expression that looks ahead, and takes exponential time behind that; as part of an address. */
export const LOOKAHEAD = encodeURIComponent(`(?=(a|a?)+$)${'(?=.*.*.*.*.*b)'.repeat(20)}`)
const LISTED = 18
/** So long a prompt that all listed visitors just fit into one answer. */
const PROMPT = 'A long prompt. '.repeat(6_000)

export const keyOf = ({ keys }: AttackedServer) => ({ apikey: keys.publishable, 'x-visitor-slug': 'default' })

/** The longest of an honest visitor's pages while something goes on, in ms. */
async function longestPage(target: Target, meanwhile: Promise<unknown>): Promise<number> {
  let isOver = false
  void meanwhile.finally(() => {
    isOver = true
  })
  let longest = 0
  do {
    const asked = performance.now()
    const status = await target.page(stranger(9_000))
    if (status !== 200) throw new Error(`The page answered ${status}`)
    longest = Math.max(longest, performance.now() - asked)
    await delay(50)
  } while (!isOver)
  await meanwhile
  return longest
}

/** Looking ahead before what takes exponential time. */
export const regularExpressions: Attack = {
  aim: 'the database: three reads with a regular expression that looks ahead',
  settings: DIRECT,
  bounds: [
    { what: 'expressions that were taken', before: '3', most: 0 },
    { what: 'the longest wait for an honest page', before: '18 s', most: 2_000, unit: 'ms' },
  ],
  async run(target) {
    const path = `${VISITORS}?select=slug&system=match.${LOOKAHEAD}`
    const asked = Promise.all(
      times(3).map((place) => target.status(stranger(place), path, { headers: keyOf(target) })),
    )
    const longest = await longestPage(target, asked)
    return [(await asked).filter((status) => status !== 400).length, longest]
  },
}

/** One column fifteen hundred times, under names of its own and under its own name. */
export const columns: Attack = {
  aim: 'the line out: one column 1,500 times in one answer',
  settings: DIRECT,
  bounds: [{ what: 'the longest answer', before: '30 MB', most: 2, unit: 'MB' }],
  async run(target) {
    await target.addVisitors([{ slug: 'long', name: 'Long', system: PROMPT.slice(0, 20_000), listed: true }])
    const selections = [
      times(1_500).map(() => 'system'),
      times(1_500).map((place) => `c${place}:system`),
      times(100).map((place) => `c${place}:system::text`),
    ]
    const lengths = await Promise.all(
      selections.map(async (selection, place) => {
        const path = `${VISITORS}?slug=eq.long&select=${selection.join(',')}`
        const answer = await target.ask(stranger(place), path, { headers: keyOf(target) })
        return (await answer.arrayBuffer()).byteLength
      }),
    )
    return [Math.max(...lengths) / 1_000_000]
  },
}

/** Visitors whose list is the longest answer that can be had. */
export const listLongest = (target: Target): Promise<void> =>
  target.addVisitors(
    times(LISTED).map((place) => ({ slug: `long-${place}`, name: 'Long', system: PROMPT, listed: true })),
  )

/** Somebody who asks for all that is listed sixteen times, and does not read. */
export async function deafReader(target: AttackedServer, from: string): Promise<Socket> {
  const head = Object.entries(keyOf(target)).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `GET ${VISITORS}?select=* HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${from}\r\n${head.join('')}\r\n`
  const socket = connect(Number(new URL(target.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  socket.write(request.repeat(16))
  return socket
}

/** The longest answer that can be had, asked for again and again by those who do not read it. */
export const deafReaders: Attack = {
  aim: 'memory: forty clients that ask for the longest answer, and do not read',
  settings: DIRECT,
  bounds: [{ what: 'growth of the memory', before: '3.6 GB', most: 300, unit: 'MB' }],
  async run(target) {
    await listLongest(target)
    const before = target.memory
    const sockets = await Promise.all(times(40).map((place) => deafReader(target, stranger(place))))
    let most = 0
    for (const _ of times(50)) {
      await delay(100)
      most = Math.max(most, target.memory - before)
    }
    for (const socket of sockets) socket.destroy()
    return [most]
  },
}

/** Names of people, tried as fast as answers come. */
export const slugs: Attack = {
  aim: 'visitors’ links: guesses from one address for five seconds, by pages and by reads',
  bounds: [
    { what: 'guesses that were answered', before: '3,000', most: 40 },
    { what: 'the longest wait for an honest page', before: 'not measured', most: 2_000, unit: 'ms' },
  ],
  async run(target) {
    const until = performance.now() + 5_000
    let answered = 0
    const guess = async (worker: number) => {
      const isPage = worker % 2 === 0
      for (let place = 0; performance.now() < until; place += 1) {
        const slug = `lead-${worker}-${place}`
        const path = isPage ? `/${slug}` : `${VISITORS}?select=slug,name&slug=eq.${slug}`
        const headers = { ...keyOf(target), 'x-visitor-slug': slug }
        const status = await target.status(stranger(1), path, { headers })
        // A page whose lookup is not done in time says nothing of the visitor.
        if (status === (isPage ? 404 : 200) && performance.now() < until) answered += 1
      }
    }
    const longest = await longestPage(target, Promise.all(times(8).map(guess)))
    return [answered, longest]
  },
}

/** A page of a stranger whose name leads to 127.0.0.1. */
export const foreignNames: Attack = {
  aim: 'what only this machine reads: a foreign name that leads to it',
  settings: { PUBLIC_URL: '', TRUST_PROXY: '0' },
  bounds: [{ what: 'answers other than a refusal', before: 'all', most: 0 }],
  async run(target) {
    const { port } = new URL(target.url)
    const paths = ['/default', '/-/health', `${VISITORS}?select=slug`, '/-/phone', '/-/office/calls']
    const answers = await Promise.all(
      paths.map(async (path) => {
        const socket = connect(Number(port), '127.0.0.1')
        socket.write(`GET ${path} HTTP/1.1\r\nhost: rebound.example:${port}\r\nconnection: close\r\n\r\n`)
        const [head]: Buffer[] = await once(socket, 'data')
        socket.destroy()
        return String(head).slice('HTTP/1.1 '.length, 12)
      }),
    )
    return [answers.filter((status) => status !== '421').length]
  },
}
