import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** That of this tree; `HEYLINE_COMMAND` names the one of another build, to compare with. */
const COMMAND =
  process.env.HEYLINE_COMMAND ?? fileURLToPath(new URL('../apps/server/bin/heyline.js', import.meta.url))
/** A bound for a start that hangs; a machine with other work may take half a minute. */
const START_LIMIT_MS = 90_000

/** The keys of a server's built-in ends that tests use. */
export interface Keys {
  publishable: string
  secret: string
  platformPublic: string
  platformPrivate: string
}

/** A server process of its own, as `npm start` runs it, on a free port and an own data directory. */
export class RunningHeyline {
  readonly dataDirectory: string
  /** Everything it has printed so far. */
  output = ''
  errors = ''
  url = ''
  private process: ChildProcess | undefined
  private environment: Record<string, string>
  private knownKeys: Promise<Keys> | undefined

  private constructor(dataDirectory: string, environment: Record<string, string>) {
    this.dataDirectory = dataDirectory
    this.environment = environment
  }

  static async start(environment: Record<string, string> = {}): Promise<RunningHeyline> {
    const server = new RunningHeyline(mkdtempSync(join(tmpdir(), 'heyline-e2e-')), environment)
    try {
      await server.run()
    } catch (error) {
      // One that was too slow runs on otherwise, and nobody would end it.
      await server.stop()
      throw error
    }
    return server
  }

  /** Ends the process as a person would (or as a crash does), and starts another on the same data, with these settings changed. */
  async restart(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM', changed: Record<string, string> = {}) {
    await this.end(signal)
    this.environment = { ...this.environment, ...changed }
    await this.run()
  }

  /** Of the built-in platform's own assistant, as the banner says it; empty where it says none. */
  get assistantId(): string {
    return /Assistant +(\S+)/.exec(this.output)?.[1] ?? ''
  }

  /** Resident memory of the process, in MB; undefined where the system does not tell. Throws where the process has ended. */
  get memory(): number | undefined {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(this.told('status') ?? '')?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  }

  /** Processor time that the process has taken, in ticks of a hundredth of a second; undefined where the system does not tell. */
  get processorTicks(): number | undefined {
    // What follows the name, which may hold anything.
    const fields = this.told('stat')
      ?.replace(/^.*\) /s, '')
      .split(' ')
    return fields && Number(fields[11]) + Number(fields[12])
  }

  /** What the system tells of the process in this file; undefined where there is none. */
  private told(file: string): string | undefined {
    const { process: running } = this
    if (running?.exitCode !== null || running.signalCode !== null)
      throw new Error(`The server has ended: ${this.errors}`)
    const path = `/proc/${running.pid}/${file}`
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  }

  /** Runs the `heyline` command on the same data directory. */
  async command(...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
    const child = spawn(process.execPath, [COMMAND, ...words], {
      env: this.env(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk) => out.push(chunk))
    child.stderr.on('data', (chunk) => err.push(chunk))
    const [code] = await once(child, 'close')
    return { code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }
  }

  /** What `heyline keys` prints; asked for once. */
  keys(): Promise<Keys> {
    this.knownKeys ??= this.command('keys', '--json').then(({ out }) => JSON.parse(out))
    return this.knownKeys
  }

  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
    const { process: running } = this
    this.process = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    running.kill(signal)
    await once(running, 'exit')
  }

  async stop() {
    await this.end()
    rmSync(this.dataDirectory, { recursive: true, force: true })
  }

  private env() {
    const { PATH, HOME } = process.env
    // Many people's tests come from one address here, and miss visitors on purpose: none of them may wait for the others.
    const VISITOR_MISS_LIMIT = 'off'
    // A developer's own settings are not the tests'.
    const ENV_FILE = 'off'
    // A test that stops a server does not wait for its calls.
    const own = { ENV_FILE, PORT: '0', DATA_DIR: this.dataDirectory, VISITOR_MISS_LIMIT, DRAIN_SECONDS: '0' }
    return { PATH, HOME, ...own, ...this.environment }
  }

  private async run() {
    const child = spawn(process.execPath, [COMMAND, 'start'], {
      env: this.env(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.process = child
    this.output = ''
    child.stderr.on('data', (chunk) => {
      this.errors += chunk
    })
    this.url = await new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no start in time: ${this.output}${this.errors}`)),
        START_LIMIT_MS,
      )
      child.stdout.on('data', (chunk) => {
        this.output += chunk
        const url = /Heyline is ready at (\S+)/.exec(this.output)?.[1]
        if (!url) return
        clearTimeout(timer)
        resolve(url)
      })
      child.once('exit', (code) => {
        clearTimeout(timer)
        reject(new Error(`the server ended with ${code}: ${this.output}${this.errors}`))
      })
    })
  }
}
