import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { Server, Socket } from 'node:net'
import workerThreads from 'node:worker_threads'

/** A unit test runs by itself: whoever needs a socket, a process or a thread is an integration test, and is named so. */
function refuse(what: string): never {
  throw new Error(`A unit test opens ${what}: name its file *.integration.test.ts`)
}

Server.prototype.listen = () => refuse('a server')
Socket.prototype.connect = () => refuse('a socket')
for (const name of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const)
  Object.assign(childProcess, { [name]: () => refuse('a process') })
Object.assign(workerThreads, {
  Worker: class {
    constructor() {
      refuse('a thread')
    }
  },
})
syncBuiltinESMExports()
