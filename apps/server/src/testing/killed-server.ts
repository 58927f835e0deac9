import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openKeyRing } from '../keys/key-ring.js'
import { readSettings } from '../settings/settings.js'
import { spawnHeyline, testDirectory } from './heyline-command.js'
import { listeningUrl } from './listening-url.js'

/** A server that is killed and started again, on the same data. */
export class KilledServer {
  /** Undefined while it does not run. */
  url: string | undefined
  readonly dataDirectory: string
  readonly #environment: Record<string, string>
  readonly #remove: () => void
  #child: ChildProcess | undefined

  constructor(environment: Record<string, string>) {
    const { path, remove } = testDirectory()
    this.dataDirectory = path
    this.#environment = environment
    this.#remove = remove
  }

  async start(): Promise<void> {
    const child = spawnHeyline(['start'], {
      PORT: '0',
      DATA_DIR: this.dataDirectory,
      DRAIN_SECONDS: '0',
      ...this.#environment,
    })
    this.#child = child
    this.url = await listeningUrl(child)
  }

  /** As a crash does it (SIGKILL), or as an operator does. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child
    this.url = undefined
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  /** The answer of the operator's API. */
  admin(path: string): Promise<Response> {
    const settings = readSettings({ ...this.#environment, DATA_DIR: this.dataDirectory })
    const { secret } = openKeyRing(this.dataDirectory, settings.keys)
    const headers = { authorization: `Bearer ${secret}` }
    return fetch(`${this.url}/-/office${path}`, { headers })
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL')
    this.#remove()
  }
}
