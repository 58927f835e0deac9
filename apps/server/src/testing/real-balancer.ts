import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type FileParts, nginxPaths } from './proxy-files.js'

/** The balancers that `deploy/` has a file for. */
export type BalancerName = 'haproxy' | 'nginx' | 'caddy'

/** Debian keeps two of them where only root looks. */
const PATH = [process.env.PATH, '/usr/sbin'].join(delimiter)
const START_MS = 20_000

interface Program {
  file: string
  /** What shows that it is installed. */
  version: string
  /** What replaces parts of the file: the port, and where the program keeps what is its own. */
  parts(port: number, directory: string): [string, string][]
  words(file: string, directory: string): string[]
}

const PROGRAMS: Record<BalancerName, Program> = {
  haproxy: {
    file: 'haproxy.cfg',
    version: '-v',
    parts: (port) => [['bind :80', `bind 127.0.0.1:${port}`]],
    words: (file) => ['-db', '-f', file],
  },
  nginx: {
    file: 'nginx.conf',
    version: '-v',
    parts: (port, directory) => [
      ['listen 80;', `listen 127.0.0.1:${port};`],
      ['\nhttp {\n', `\nhttp {\naccess_log off;\n${nginxPaths(directory)}`],
    ],
    words: (file, directory) => [
      ...['-p', directory, '-c', file, '-e', 'stderr'],
      '-g',
      `daemon off; error_log stderr; pid ${join(directory, 'pid')};${process.getuid?.() === 0 ? ' user root;' : ''}`,
    ],
  },
  caddy: {
    file: 'Caddyfile',
    version: 'version',
    parts: (port) => [
      ['\n:80 {\n', `\n:${port} {\n\tbind 127.0.0.1\n`],
      ['\n{\n', '\n{\n\tadmin off\n'],
    ],
    words: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
}

/** The addresses of the servers in each file. */
const SERVERS = ['10.0.0.1:3000', '10.0.0.2:3000']

export const isInstalled = (name: BalancerName): boolean =>
  spawnSync(name, [PROGRAMS[name].version], { env: { PATH } }).error === undefined

/** A port of 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export interface BalancerFile {
  /** Instead of the file of `deploy/`. */
  text?: (parts: FileParts) => string
  /** Whether it serves; by default whether pages come through. */
  isUp?: (balancer: RealBalancer) => Promise<boolean>
}

/** A real balancer with its file of `deploy/`, on a port of this machine, before two servers. */
export class RealBalancer {
  /** What it has said so far. */
  said = ''
  /** Where it keeps what is its own. */
  get directory(): string {
    return this.#directory
  }

  readonly #child: ChildProcess
  readonly #directory: string
  readonly #file: string

  private constructor(
    name: BalancerName,
    port: number,
    servers: readonly string[],
    own: BalancerFile['text'],
  ) {
    const { file, parts, words } = PROGRAMS[name]
    this.#directory = mkdtempSync(join(tmpdir(), `heyline-${name}-`))
    const text = own
      ? own({ port, server: servers[0] ?? '', directory: this.#directory })
      : deployed(file, [...addressesOf(servers), ...parts(port, this.#directory)])
    this.#file = join(this.#directory, file)
    writeFileSync(this.#file, text)
    const env = {
      PATH,
      HOME: this.#directory,
      XDG_CONFIG_HOME: this.#directory,
      XDG_DATA_HOME: this.#directory,
    }
    this.#child = spawn(name, words(this.#file, this.#directory), { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (text) => {
        this.said += text
      })
  }

  /** `servers` are addresses such as `127.0.0.1:3000`. Resolves when pages come through. */
  static async start(
    name: BalancerName,
    port: number,
    servers: readonly string[],
    { text, isUp = () => servesPages(port) }: BalancerFile = {},
  ): Promise<RealBalancer> {
    const balancer = new RealBalancer(name, port, servers, text)
    const until = performance.now() + START_MS
    while (performance.now() < until) {
      if (await isUp(balancer)) return balancer
      await pause(50)
    }
    await balancer.stop()
    throw new Error(`${name} does not serve: ${balancer.said}`)
  }

  /** Takes nginx the server out, as docs/instances.md says: what is open there goes on. Undone by the second call. */
  setDown(server: string, isDown: boolean): void {
    const [line, other] = [`server ${server} max_fails`, `server ${server} down max_fails`]
    const text = readFileSync(this.#file, 'utf8')
    writeFileSync(this.#file, isDown ? exchanged(text, line, other) : exchanged(text, other, line))
    this.#child.kill('SIGHUP')
  }

  async stop(): Promise<void> {
    const { exitCode, signalCode } = this.#child
    if (exitCode === null && signalCode === null) {
      const gone = once(this.#child, 'exit')
      // At once: HAProxy and nginx would wait for their clients after another signal.
      this.#child.kill('SIGTERM')
      const late = setTimeout(() => this.#child.kill('SIGKILL'), START_MS)
      await gone
      clearTimeout(late)
    }
    rmSync(this.#directory, { recursive: true, force: true })
  }
}

async function servesPages(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/-/live`).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.ok ?? false
}

const addressesOf = (servers: readonly string[]): [string, string][] =>
  SERVERS.map((address, index) => [address, servers[index] ?? ''])

/** A file of `deploy/` with these parts replaced. */
function deployed(file: string, parts: readonly [string, string][]): string {
  let text = readFileSync(fileURLToPath(new URL(`../../../../deploy/${file}`, import.meta.url)), 'utf8')
  for (const [part, other] of parts) text = exchanged(text, part, other)
  return text
}

/** The text with this part, which it has once, replaced. */
function exchanged(text: string, part: string, other: string): string {
  if (text.split(part).length !== 2) throw new Error(`'${part}' is not once in the balancer's file.`)
  return text.replace(part, other)
}
