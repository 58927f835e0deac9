import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
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
    const browser = spawn(chromium(), [...flags, 'about:blank'], { stdio: 'ignore', detached: true })
    return new PlainChromium(browser, profile)
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
    const { pid } = this.#process
    const ended = once(this.#process, 'exit')
    // With its helper processes, which would go on writing into the profile.
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    await ended
    await removeFolder(this.#profile)
  }
}

/** Removes what others may still write into: `rmSync` by itself lists a folder once, and tries again only to remove the folder. */
async function removeFolder(path: string): Promise<void> {
  for (let left = 50; ; left--) {
    try {
      return rmSync(path, { recursive: true, force: true })
    } catch (error) {
      if (left === 0) throw error
      await setTimeout(100)
    }
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
