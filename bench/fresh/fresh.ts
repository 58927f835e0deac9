import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listeningUrl } from '../../apps/server/src/testing/listening-url.js'
import { limited } from '../report/limit.js'
import { type Figure, ms } from '../report/table.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LIMIT_MS = 30_000
/** What hangs is ended. */
const PATIENCE_MS = 300_000

/** From a clean clone of the last commit to 'Heyline is ready': `npm ci` with what npm's cache has, then `npm start`. */
export async function measureFresh(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'heyline-fresh-'))
  const clone = join(folder, 'heyline')
  try {
    await promisify(execFile)('git', ['clone', '--quiet', ROOT, clone])
    const installed = await timed(() =>
      promisify(execFile)('npm', ['ci', '--silent'], { cwd: clone, env: plain(), timeout: PATIENCE_MS }),
    )
    const started = await startMs(clone, join(folder, 'data'))
    return [
      { what: 'npm ci', value: ms(installed), beside: "from npm's cache as it is" },
      { what: "npm start → 'Heyline is ready'", value: ms(started), beside: 'builds everything' },
      limited({ what: 'both', value: installed + started, limit: LIMIT_MS, show: ms }),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function startMs(cwd: string, data: string): Promise<number> {
  const child = spawn('npm', ['start'], {
    cwd,
    env: { ...plain(), ENV_FILE: 'off', PORT: '0', DATA_DIR: data },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
  })
  const ended = once(child, 'exit')
  try {
    return await timed(() => listeningUrl(child))
  } finally {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await ended
    }
  }
}

/** The environment without what the npm of this run has put there, and without its settings of ours. */
function plain(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_EXTRA_CA_CERTS, ...others } = process.env
  const registry = Object.entries(others).filter(([name]) =>
    /^((https?|no)_proxy|npm_config_(registry|cache))$/i.test(name),
  )
  return Object.fromEntries([
    ...Object.entries({ PATH, HOME, TMPDIR, NODE_EXTRA_CA_CERTS }).filter(([, value]) => value !== undefined),
    ...registry,
  ])
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
