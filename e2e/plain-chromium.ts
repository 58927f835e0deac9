import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { chromium } from '../scripts/chromium.mjs'
import { CHROMIUM_FLAGS } from './chromium-flags.js'

/** A page as the browser lists it. */
interface Target {
  url: string
  type: string
  webSocketDebuggerUrl?: string
}

/** A Chromium without Playwright, which forbids its browsers to draw pages ahead. */
export class PlainChromium {
  readonly #process: ChildProcess
  readonly #profile: string

  private constructor(process: ChildProcess, profile: string) {
    this.#process = process
    this.#profile = profile
  }

  static start(userAgent: string): PlainChromium {
    const profile = mkdtempSync(join(tmpdir(), 'heyline-chromium-'))
    const flags = [
      ...CHROMIUM_FLAGS,
      '--headless',
      '--disable-blink-features=AutomationControlled',
      `--user-agent=${userAgent}`,
      `--user-data-dir=${profile}`,
      '--remote-debugging-port=0',
    ]
    return new PlainChromium(spawn(chromium(), [...flags, 'about:blank'], { stdio: 'ignore' }), profile)
  }

  /** The pages in its tabs; undefined while it starts. */
  async pages(): Promise<Target[] | undefined> {
    const file = join(this.#profile, 'DevToolsActivePort')
    if (!existsSync(file)) return undefined
    const [port] = readFileSync(file, 'utf8').split('\n')
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`)
    const targets: Target[] = await answer.json()
    return targets.filter(({ type }) => type === 'page')
  }

  /** Sends one command after the other to the page of this address. Resolves with the last one's result. */
  async send(url: string, commands: readonly [method: string, params: object][]): Promise<unknown> {
    const target = (await this.pages())?.find((page) => page.url === url)
    if (!target?.webSocketDebuggerUrl) throw new Error(`No tab shows ${url}`)
    const socket = new WebSocket(target.webSocketDebuggerUrl)
    await once(socket, 'open')
    let result: unknown
    for (const [id, [method, params]] of commands.entries()) {
      socket.send(JSON.stringify({ id, method, params }))
      result = await answerOf(socket, id)
    }
    socket.close()
    return result
  }

  /** What an expression is in the page of this address. */
  async evaluate(url: string, expression: string): Promise<unknown> {
    const answer = await this.send(url, [['Runtime.evaluate', { expression, returnByValue: true }]])
    return (answer as { result: { value: unknown } }).result.value
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill()
    await ended
    // Its helper processes end a little later, and write until then.
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

function answerOf(socket: WebSocket, id: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const read = (data: Buffer) => {
      const message: { id?: number; result?: unknown; error?: { message: string } } = JSON.parse(String(data))
      if (message.id !== id) return
      socket.off('message', read)
      if (message.error) reject(new Error(message.error.message))
      else resolve(message.result)
    }
    socket.on('message', read)
    socket.once('close', () => reject(new Error('The tab was closed')))
  })
}
