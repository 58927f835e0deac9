import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UnpackedPackage } from '../../apps/server/src/testing/unpacked-package.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'

const EMBED = fileURLToPath(new URL('../../packages/web-call/dist/embed', import.meta.url))

const COLD_ROUNDS = 3
const WARM_ROUNDS = 5
/** Of a base image: Node 24 (its program of linux-x64), and Debian's libraries, time zones and certificates beside it. */
const NODE_BYTES = 127_000_000
const DEBIAN_BYTES = 28_000_000

/** The size of `npm run package`, and from the spawn of its command to 'Heyline is ready', where nothing else is installed. */
export async function measurePackage(): Promise<Figure[]> {
  const unpacked = UnpackedPackage.make()
  try {
    const bytes = unpacked.unpackedBytes()
    return [
      limited({ what: 'tarball', value: unpacked.packedBytes, limit: 50_000_000, show: MB }),
      limited({
        what: 'unpacked',
        value: bytes,
        limit: 120_000_000,
        show: MB,
        beside: `${unpacked.files().length} files`,
      }),
      limited({
        what: 'image, figured',
        value: NODE_BYTES + DEBIAN_BYTES + bytes,
        limit: 250_000_000,
        show: MB,
        beside: `${MB(NODE_BYTES)} Node, ${MB(DEBIAN_BYTES)} Debian, and the package`,
      }),
      limited({
        what: '<heyline-call>, brotli',
        value: elementBytes(),
        limit: 20_000,
        show: kB,
        beside: 'with its audio thread',
      }),
      ...(await starts(unpacked)),
    ]
  } finally {
    unpacked.remove()
  }
}

/** The script that a page elsewhere loads, and the file of its audio thread. */
function elementBytes(): number {
  const files = readdirSync(EMBED).filter((name) => /^(heyline-call|worklet-.*)\.js\.br$/.test(name))
  return files.reduce((sum, name) => sum + statSync(join(EMBED, name)).size, 0)
}

/** On a new data directory, and then again on what that left. */
async function starts(unpacked: UnpackedPackage): Promise<Figure[]> {
  const cold: number[] = []
  const warm: number[] = []
  const empty = median(Array.from({ length: WARM_ROUNDS }, emptyMs))
  for (let round = 0; round < COLD_ROUNDS; round += 1) {
    const directory = join(unpacked.workingDirectory, `data-${round}`)
    cold.push(await startMs(unpacked, directory))
    if (round > 0) continue
    for (let again = 0; again < WARM_ROUNDS; again += 1) warm.push(await startMs(unpacked, directory))
    rmSync(directory, { recursive: true })
  }
  return [
    figure(`cold start (median of ${COLD_ROUNDS})`, cold, 4_000, empty),
    figure(`warm start (median of ${WARM_ROUNDS})`, warm, 2_000, empty),
  ]
}

async function startMs(unpacked: UnpackedPackage, directory: string): Promise<number> {
  const spawned = performance.now()
  const server = await unpacked.start({ DATA_DIR: directory })
  const took = performance.now() - spawned
  await server.stop()
  return took
}

/** What Node takes to run nothing: says how fast the machine is. */
function emptyMs(): number {
  const spawned = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return performance.now() - spawned
}

const figure = (what: string, times: readonly number[], limit: number, empty: number): Figure => {
  const value = median(times)
  const beside = `slowest ${ms(Math.max(...times))}; ${(value / empty).toFixed(0)} × a Node that runs nothing (${ms(empty)})`
  return limited({ what, value, limit, show: ms, beside })
}

const kB = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`
const MB = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
