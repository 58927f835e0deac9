// npm run fuzz -- [--count 60000] [--doors 6000] [--rooms 300] [--seed N] [--from N] [--database pglite|postgres|postgres://…] [--memory 700]
// An attack with the public key, and then many hostile requests, valid and broken, with it and with the secret key, against a
// server process of its own: `--count` of them on PGlite and then as many on Postgres where that is installed, or on `--database`
// alone. It fails on a server error, a missing answer, a secret in an answer with the public key, a process that ended or one that
// takes more memory (in MB) than it may. On PGlite it takes 490 from the first requests on, and 590 at times: it peaks and comes back, whether
// 60,000 requests come or 80,000. Then `--doors` requests go to the webhook, the hook, the platform, chats, live status and notes of
// browser calls, and `--rooms` clients send anything into rooms. At last the server starts anew, makes the browser calls itself and asks for
// a human check, and as many requests go to the doors once more: no server error, an answer to each, nothing forged is taken, no call or
// assistant that was accepted is lost, and each door opens to some. How long right and wrong guesses take is printed, not judged. The same seed makes the
// same requests.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { findPostgres } from '@heyline/database/testing'
import { attack, preyOf } from '../packages/backend/src/testing/attack/attack.js'
import { comparedTimes } from '../packages/backend/src/testing/attack/timing.js'
import { asCurl, fuzz } from '../packages/backend/src/testing/fuzz/fuzz.js'
import { fuzzDoors, statusLines } from './doors/fuzz-doors.js'
import { fuzzRooms } from './doors/fuzz-rooms.js'
import { type FuzzedServer, startFuzzedServer } from './fuzzed-server.js'

/** How often each guess is timed. */
const TIMED_ROUNDS = 200

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60000' },
    seed: { type: 'string', default: String(randomInt(1_000_000_000)) },
    from: { type: 'string', default: '0' },
    doors: { type: 'string', default: '6000' },
    rooms: { type: 'string', default: '300' },
    database: { type: 'string' },
    memory: { type: 'string', default: '700' },
  },
})
const seed = whole(values.seed)
const from = whole(values.from)
const memoryLimit = whole(values.memory)
const databases = values.database ? [values.database] : ['pglite', ...(findPostgres() ? ['postgres'] : [])]
const count = whole(values.count)
const doors = whole(values.doors)
const rooms = whole(values.rooms)
let failed = 0
for (const database of databases) await run(database)
console.log(failed === 0 ? '\nnothing found' : `\n${failed} found`)
process.exitCode = failed === 0 ? 0 : 1

async function run(database: string) {
  const again = `npm run fuzz -- --seed ${seed} --from ${from} --count ${count} --doors ${doors} --rooms ${rooms} --database ${database.replace(/:\/\/.*/, '://…')}`
  console.log(
    `\n${database.split('://')[0]}, seed ${seed}: ${count} requests from number ${from}\n${again}\n`,
  )
  const server = await startFuzzedServer(database)
  try {
    await server.plant()
    await attackIt(server)
    await timeIt(server)
    await fuzzIt(server)
    await fuzzDoorsOf(server)
    await fuzzRoomsOf(server)
    await server.mint()
    await fuzzDoorsOf(server)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    failed += 1
  } finally {
    await server.stop()
  }
}

async function attackIt(server: FuzzedServer) {
  const { findings, transcript } = await attack(server.base, preyOf(server.keys.publishable))
  console.log(`attack with the public key: ${transcript.length} probes, ${findings.length} found something`)
  for (const { aim, why, request } of findings)
    console.log(`  ${aim}: ${why}\n    ${asCurl(server.base, request)}`)
  failed += findings.length
}

async function timeIt(server: FuzzedServer) {
  const pairs = await comparedTimes(server.base, preyOf(server.keys.publishable), { rounds: TIMED_ROUNDS })
  console.log(
    [
      'time of an answer to a right and to a wrong guess at a hidden row (medians):',
      ...pairs.map(
        ({ guess, right, wrong }) => `  ${guess}: ${right.toFixed(2)} ms right, ${wrong.toFixed(2)} ms wrong`,
      ),
    ].join('\n'),
  )
}

async function fuzzIt(server: FuzzedServer) {
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  const started = performance.now()
  const report = await fuzz({
    base: server.base,
    keys: server.keys,
    seed,
    from,
    count,
    plant: server.plant,
    afterRound(sent) {
      const memory = boundedMemory(server)
      least = Math.min(least, memory)
      most = Math.max(most, memory)
      if (sent % 6000 === 0) console.log(`  ${sent} sent, ${memory} MB`)
    },
  })
  const { sent, statuses, valid, shown, failures } = report
  const ok = Object.entries(statuses).reduce(
    (all, [status, many]) => all + (Number(status) < 300 ? many : 0),
    0,
  )
  console.log(
    [
      `fuzz: ${sent} requests in ${Math.round((performance.now() - started) / 1000)} s, memory ${least} to ${most} MB (fails above ${memoryLimit})`,
      `  statuses: ${Object.entries(statuses)
        .map(([status, many]) => `${many} × ${status}`)
        .join(', ')}`,
      `  went well: ${share(ok, sent)} of all; of the valid ones ${share(valid.public.ok, valid.public.sent)} with the public key, ${share(valid.service.ok, valid.service.sent)} with the secret one`,
      `  a visitor was shown to whoever named it ${shown} times`,
      ...failures.map(
        ({ index, request, why }) => `  number ${index}: ${why}\n    ${asCurl(server.base, request)}`,
      ),
    ].join('\n'),
  )
  failed += failures.length
}

async function fuzzDoorsOf(server: FuzzedServer) {
  const before = boundedMemory(server)
  const report = await fuzzDoors({
    url: server.url,
    keys: server.doorKeys,
    browserCalls: server.browserCalls,
    seed,
    from,
    count: doors,
    afterRound: () => void boundedMemory(server),
  })
  console.log(
    `doors, browser calls ${server.browserCalls}: ${report.sent} requests, memory ${before} MB before and ${boundedMemory(server)} MB after`,
  )
  console.log([...statusLines(report), ...report.failures.map((why) => `  ${why}`)].join('\n'))
  failed += report.failures.length
}

async function fuzzRoomsOf(server: FuzzedServer) {
  const before = boundedMemory(server)
  const { rooms: many, closes, failures } = await fuzzRooms(server.url, server.doorKeys, seed, rooms)
  const closed = Object.entries(closes).map(([code, times]) => `${times} × ${code}`)
  console.log(`rooms: ${many} clients, memory ${before} MB before and ${boundedMemory(server)} MB after`)
  console.log([`  closed with ${closed.join(', ')}`, ...failures.map((why) => `  ${why}`)].join('\n'))
  failed += failures.length
}

/** What the server takes now, in MB. Throws where that is more than it may. */
function boundedMemory(server: FuzzedServer): number {
  const memory = server.memory()
  if (memory > memoryLimit) throw new Error(`The server takes ${memory} MB, more than ${memoryLimit}`)
  return memory
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`"${text}" is not a whole number`)
  return Number(text)
}

function share(part: number, all: number): string {
  return all === 0 ? 'none' : `${Math.round((100 * part) / all)}%`
}
