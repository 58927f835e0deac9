// `npm run dev`: the packages are compiled as they change, and the server starts anew; Vite serves the page from its sources.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The compiler writes many files at once: the server starts when they have been quiet for so long, in ms. */
const QUIET_MS = 300

const built = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' })
if (built.status !== 0) process.exit(built.status ?? 1)

const compiler = spawn(join(root, 'node_modules/.bin/tsc'), ['-b', '--watch', '--preserveWatchOutput'], {
  cwd: root,
  stdio: 'inherit',
})
let server = startServer()
/** @type {NodeJS.Timeout | undefined} */
let timer
let restarting = false

for (const folder of [
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
  'apps/server',
]) {
  const dist = join(root, folder, 'dist')
  if (existsSync(dist)) watch(dist, { recursive: true }, restartSoon)
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
compiler.on('exit', stop)

function startServer() {
  const started = spawn(process.execPath, ['apps/server/bin/heyline.js', 'start', '--dev'], {
    cwd: root,
    stdio: 'inherit',
    // What is tried here does not run against the data of an `.env` by accident.
    env: { ...process.env, ENV_FILE: process.env.ENV_FILE ?? 'off' },
  })
  started.on('exit', (code) => {
    if (started === server && !restarting && code !== 0)
      console.error('The server ended: it starts again at the next change')
  })
  return started
}

/** @param {string} _event @param {string | null} file */
function restartSoon(_event, file) {
  if (!file?.endsWith('.js')) return
  clearTimeout(timer)
  timer = setTimeout(restart, QUIET_MS)
}

/** The old server frees the port and the data directory before the new one takes them. */
function restart() {
  if (restarting) return
  restarting = true
  const again = () => {
    restarting = false
    server = startServer()
  }
  if (server.exitCode !== null || server.signalCode !== null) return again()
  server.once('exit', again)
  // As Ctrl-C does: nobody waits here for running calls.
  server.kill('SIGINT')
}

function stop() {
  clearTimeout(timer)
  compiler.kill('SIGTERM')
  server.kill('SIGTERM')
  server.once('exit', () => process.exit())
  if (server.exitCode !== null) process.exit()
}
