import { readdirSync, statSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { readServerKeys } from '../apps/server/src/testing/server-keys.js'
import { freePort } from '../e2e/free-port.js'
import { RunningHeyline } from '../e2e/running-heyline.js'
import { sendOver } from '../packages/backend/src/testing/wire.js'
import {
  type OpenAiStandIn,
  type StandInRequest,
  startOpenAiStandIn,
} from '../packages/voice-platform/src/testing/openai-stand-in.js'
import type { Attack } from './attack.js'
import { AttackedServer } from './attacked-server.js'
import { EmptyNumbers } from './empty-numbers.js'

/** How others reach the server, and one proxy in front: it names each client's address, and this machine is exempt from nothing. */
const PUBLIC = {
  PUBLIC_URL: 'https://demo.example',
  TRUST_PROXY: '1',
  VISITOR_MISS_LIMIT: '30/5m',
  CALL_HOURS: '00-24',
  HUMAN_CHECK: 'off',
}

/** A server process as strangers see it, with engines whose requests are counted. */
export class Target extends AttackedServer {
  readonly #heyline: RunningHeyline
  readonly #engines: OpenAiStandIn
  readonly #carrier: EmptyNumbers

  private constructor(url: string, heyline: RunningHeyline, engines: OpenAiStandIn, carrier: EmptyNumbers) {
    const keys = readServerKeys(heyline.dataDirectory)
    super({ url, keys, assistantId: heyline.assistantId })
    this.#heyline = heyline
    this.#engines = engines
    this.#carrier = carrier
  }

  static async start(settings: Attack['settings'] = {}): Promise<Target> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const engines = await startOpenAiStandIn({ reply: ['Yes.'] })
    const carrier = await EmptyNumbers.start(url)
    try {
      const counted = { MODEL_URL: engines.url, VOICE_URL: engines.url }
      const dialling = settings.CARRIER === 'twilio' ? carrier.settings : {}
      const PORT = String(port)
      const heyline = await RunningHeyline.start({ ...PUBLIC, ...counted, ...dialling, ...settings, PORT })
      return new Target(url, heyline, engines, carrier)
    } catch (error) {
      await Promise.all([engines.close(), carrier.close()])
      throw error
    }
  }

  /** Where calls go with `CARRIER=twilio`. */
  get carrier(): EmptyNumbers {
    return this.#carrier
  }

  /** What went out to the engines. */
  get engineRequests(): readonly StandInRequest[] {
    return this.#engines.requests
  }

  /** Lines of the log that are errors. */
  get errors(): string[] {
    return this.#heyline.errors.split('\n').filter((line) => /"level":(50|60)/.test(line))
  }

  /** The status of an honest visitor's page, over a connection of its own: none that the server ends for what came on it before. */
  async page(from: string): Promise<number> {
    const headers: [string, string][] = [['x-forwarded-for', from]]
    const request = { method: 'GET', path: '/default', headers }
    return (await sendOver(this.url, request, new Agent({ keepAlive: false }))).status
  }

  /** Writes visitors with the secret key, as their owner. */
  async addVisitors(rows: readonly object[]): Promise<void> {
    const { secret } = this.keys
    const headers = { apikey: secret }
    for (const row of rows) {
      const path = '/-/backend/rest/v1/visitors'
      const answer = await this.ask('127.0.0.1', path, { body: row, headers })
      if (!answer.ok) throw new Error(`The visitor was not written: ${await answer.text()}`)
    }
  }

  /** Resident memory of the server, in MB; 0 where the system does not tell. */
  get memory(): number {
    return this.#heyline.memory ?? 0
  }

  /** Processor time that it has taken, in hundredths of a second; 0 where the system does not tell. */
  get processorTicks(): number {
    return this.#heyline.processorTicks ?? 0
  }

  /** What its data takes on disk, in MB. */
  get disk(): number {
    const directory = this.#heyline.dataDirectory
    const sizes = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(
      (name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0,
    )
    return sizes.reduce((sum, size) => sum + size, 0) / 1_000_000
  }

  async stop(): Promise<void> {
    await this.#heyline.stop()
    await Promise.all([this.#engines.close(), this.#carrier.close()])
  }
}
