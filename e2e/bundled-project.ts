import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PACKAGES = ['kit', 'platform-client', 'room-protocol', 'web-call']
/** For npm's registry, and a bundler's first start. */
const START_LIMIT_MS = 90_000

/** Somebody's own project outside this repository, with our packages installed from their tarballs. */
export class BundledProject implements AsyncDisposable {
  readonly #folder: string
  #server: ChildProcess | undefined

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Installs `needs` (such as `vite@7.3.8`) from npm's registry, and our packages. */
  static async create(needs: string[], files: Record<string, string>): Promise<BundledProject> {
    const folder = mkdtempSync(join(tmpdir(), 'heyline-bundled-'))
    const project = new BundledProject(folder)
    try {
      for (const [path, text] of Object.entries({ ...files, 'package.json': '{ "type": "module" }' })) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      const packed = PACKAGES.flatMap((name) => ['--workspace', `packages/${name}`])
      await npm(ROOT, ['pack', ...packed, '--pack-destination', folder])
      const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
      await npm(folder, [
        'install',
        '--no-audit',
        '--no-fund',
        ...needs,
        ...tarballs.map((file) => `./${file}`),
      ])
      return project
    } catch (error) {
      await project[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Runs a program of the project to its end. */
  async run(script: string, ...words: string[]): Promise<void> {
    await promisify(execFile)(process.execPath, [join('node_modules', script), ...words], this.#options)
  }

  /** Starts a program of the project that serves, and resolves when something answers there. */
  async serve(url: string, script: string, ...words: string[]): Promise<void> {
    const child = spawn(process.execPath, [join('node_modules', script), ...words], {
      ...this.#options,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#server = child
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece))
    const end = Date.now() + START_LIMIT_MS
    while (!(await fetch(url).catch(() => undefined))?.ok) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`Nothing answers at ${url}: ${output}`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const server = this.#server
    if (server?.exitCode === null && server.signalCode === null) {
      const exited = once(server, 'exit')
      server.kill('SIGKILL')
      await exited
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  get #options() {
    const { PATH, HOME } = process.env
    return { cwd: this.#folder, env: { PATH, HOME, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: undefined } }
  }
}

const npm = (cwd: string, words: string[]) =>
  promisify(execFile)('npm', [...words, '--silent'], { cwd, shell: process.platform === 'win32' })
