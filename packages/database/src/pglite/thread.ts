import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { optimiseLater } from '../wasm/tier-up.js'

/** One that was started early, and that nobody has taken yet. */
let early: Worker | undefined

/**
 * Has the thread of the next PGlite load its code at once, before anybody knows the directory: a process that does this first has its database
 * earlier, as what else it loads is loaded meanwhile. A thread that nobody takes keeps no process alive.
 */
export function startThreadEarly(): void {
  if (early) return
  const thread = startThread()
  early = thread
  thread.unref()
  // One that breaks is left alone: the next will say why.
  thread.once('error', () => {})
  thread.once('exit', () => {
    if (early === thread) early = undefined
  })
}

/** A thread that PGlite can run in, once it is told which directory to open. It is its taker's alone. */
export function takeThread(): Worker {
  const thread = early ?? startThread()
  early = undefined
  thread.ref()
  return thread
}

function startThread(): Worker {
  // A worker thread loads no TypeScript, so it is found as the package's users would: in `dist`.
  const file = createRequire(import.meta.url).resolve('@heyline/database/pglite-worker')
  optimiseLater()
  return new Worker(file, {
    execArgv: [],
    name: 'pglite',
    // Postgres checks its own stack, but WebAssembly's calls lie on the thread's: it must be the larger one.
    // A young generation of the usual size only lets garbage lie for longer: 70 MB of memory, and no statement the faster.
    resourceLimits: { stackSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  })
}
