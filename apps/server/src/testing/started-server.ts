import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { spawnHeyline, testDirectory } from './heyline-command.js'
import { listeningUrl } from './listening-url.js'
import { readServerKeys } from './server-keys.js'

/** A server's process on a free port, with data of its own. */
export class StartedServer {
  readonly url: string
  /** Opens all of the platform's API. */
  readonly platformKey: string
  /** Lines of the log that are errors. */
  readonly errors: string[] = []
  readonly #child: ChildProcess
  readonly #remove: () => void

  private constructor(child: ChildProcess, url: string, platformKey: string, remove: () => void) {
    this.#child = child
    this.url = url
    this.platformKey = platformKey
    this.#remove = remove
    child.stderr?.on('data', (text: string) => {
      this.errors.push(...text.split('\n').filter((line) => /"level":(50|60)/.test(line)))
    })
  }

  /** Resolves when it listens; rejects with what it said when it ends before. */
  static async start(environment: Record<string, string> = {}): Promise<StartedServer> {
    const { path, remove } = testDirectory()
    const child = spawnHeyline(['start'], { PORT: '0', DATA_DIR: path, DRAIN_SECONDS: '0', ...environment })
    const url = await listeningUrl(child)
    return new StartedServer(child, url, readServerKeys(path).platformPrivate, remove)
  }

  /** Ends the process, and removes its data. */
  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await exited
    this.#remove()
  }
}
