// npm run fuzz -- [--count 60000] [--seed N] [--from N] [--database pglite|postgres|postgres://…] [--memory 700]
// An attack with the public key, and then many hostile requests, valid and broken, with it and with the secret key, against a
// server process of its own. It fails on a server error, a missing answer, a secret in an answer with the public key, a process
// that ended or one that takes more memory (in MB) than it may. The same seed makes the same requests.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { attack, preyOf } from '../packages/backend/src/testing/attack/attack.js'
import { asCurl, fuzz } from '../packages/backend/src/testing/fuzz/fuzz.js'
import { startFuzzedServer } from './fuzzed-server.js'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60000' },
    seed: { type: 'string', default: String(randomInt(1_000_000_000)) },
    from: { type: 'string', default: '0' },
    database: { type: 'string', default: 'pglite' },
    memory: { type: 'string', default: '700' },
  },
})
const count = whole(values.count)
const seed = whole(values.seed)
const from = whole(values.from)
const memoryLimit = whole(values.memory)
const again = `npm run fuzz -- --seed ${seed} --database ${values.database.replace(/:\/\/.*/, '://…')}`
console.log(
  `seed ${seed}: ${count} requests from number ${from} on ${values.database.split('://')[0]}\n${again}\n`,
)

const server = await startFuzzedServer(values.database)
let failed = 0
try {
  await server.plant()
  await attackIt()
  await fuzzIt()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  failed += 1
} finally {
  await server.stop()
}
console.log(failed === 0 ? '\nnothing found' : `\n${failed} found`)
process.exitCode = failed === 0 ? 0 : 1

async function attackIt() {
  const { findings, transcript } = await attack(server.base, preyOf(server.keys.publishable))
  console.log(`attack with the public key: ${transcript.length} probes, ${findings.length} found something`)
  for (const { aim, why, request } of findings)
    console.log(`  ${aim}: ${why}\n    ${asCurl(server.base, request)}`)
  failed += findings.length
}

async function fuzzIt() {
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
      const memory = server.memory() ?? 0
      least = Math.min(least, memory)
      most = Math.max(most, memory)
      if (sent % 6000 === 0) console.log(`  ${sent} sent, ${memory} MB`)
      if (memory > memoryLimit) throw new Error(`The server takes ${memory} MB, more than ${memoryLimit}`)
    },
  })
  const { sent, statuses, valid, shown, failures } = report
  const ok = Object.entries(statuses).reduce(
    (all, [status, many]) => all + (Number(status) < 300 ? many : 0),
    0,
  )
  console.log(
    [
      `fuzz: ${sent} requests in ${Math.round((performance.now() - started) / 1000)} s, memory ${least} to ${most} MB`,
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

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`"${text}" is not a whole number`)
  return Number(text)
}

function share(part: number, all: number): string {
  return all === 0 ? 'none' : `${Math.round((100 * part) / all)}%`
}
