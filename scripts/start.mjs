// `npm start`: builds what is stale, then becomes the server. It is one process, because npm passes signals on to no other: Ctrl-C and
// SIGTERM end the build while it runs, and after it the server, in order. package.json says `exec`, so that no shell stands between; Windows
// has no `exec`, and takes what follows `||`. That is also where npm puts words after `npm start --`: elsewhere they are lost.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** @type {NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const server = new URL('../apps/server/bin/heyline.js', import.meta.url)

const ended = await build()
if (ended.signal) process.kill(process.pid, ended.signal)
else if (ended.code !== 0) process.exit(ended.code ?? 1)
else {
  process.argv.splice(2, 0, 'start')
  await import(server.href)
}

/** Resolves with the build's exit code, and with the signal that ended it early. @returns {Promise<{ code: number | null, signal?: NodeJS.Signals }>} */
async function build() {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('build.mjs', import.meta.url)), '--unchecked'],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      // A group of its own: the compilers' processes end with it.
      detached: process.platform !== 'win32',
    },
  )
  /** @type {NodeJS.Signals | undefined} */
  let signal
  const end = (/** @type {NodeJS.Signals} */ told) => {
    signal ??= told
    endGroup(child)
  }
  for (const name of SIGNALS) process.on(name, end)
  const [code] = await once(child, 'exit')
  for (const name of SIGNALS) process.off(name, end)
  return { code, signal }
}

/** @param {import('node:child_process').ChildProcess} child */
function endGroup({ pid }) {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid)
  } catch {
    // It has ended meanwhile.
  }
}
