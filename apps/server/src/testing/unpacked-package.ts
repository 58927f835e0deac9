import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listeningUrl } from './listening-url.js'

const MAKE = fileURLToPath(new URL('../../../../scripts/package.mjs', import.meta.url))

/** What is built, as a package that somebody has unpacked outside of the repository, on a machine that has only Node. */
export class UnpackedPackage {
  /** Where it is unpacked. */
  readonly folder: string
  /** Of the tarball, in bytes. */
  readonly packedBytes: number
  /** Where its command runs, and its home: both are empty at first. */
  readonly workingDirectory: string
  readonly home: string
  readonly #root: string

  private constructor(root: string, tarball: string, folder: string) {
    this.#root = root
    this.folder = folder
    this.packedBytes = statSync(tarball).size
    this.workingDirectory = join(root, 'work')
    this.home = join(root, 'home')
    for (const empty of [this.workingDirectory, this.home]) mkdirSync(empty)
  }

  /** Makes and unpacks it, which takes some seconds of a processor. */
  static make(): UnpackedPackage {
    const root = mkdtempSync(join(tmpdir(), 'heyline-package-'))
    try {
      execFileSync(process.execPath, [MAKE, '--out', root], { stdio: ['ignore', 'ignore', 'inherit'] })
      const [name = ''] = readdirSync(root)
      const unpacked = join(root, 'unpacked')
      mkdirSync(unpacked)
      execFileSync('tar', ['-xzf', join(root, name), '-C', unpacked])
      const [folder = ''] = readdirSync(unpacked)
      return new UnpackedPackage(root, join(root, name), join(unpacked, folder))
    } catch (error) {
      rmSync(root, { recursive: true, force: true })
      throw error
    }
  }

  /** Where its data is, if no setting says otherwise. */
  get dataDirectory(): string {
    return join(this.workingDirectory, 'data')
  }

  /** Its files, as paths within it. */
  files(): string[] {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(this.folder, join(entry.parentPath ?? entry.path, entry.name)))
      .sort()
  }

  /** Of all its files, in bytes. */
  unpackedBytes(): number {
    return this.files().reduce((sum, file) => sum + statSync(join(this.folder, file)).size, 0)
  }

  /** Starts one of its programs with a home, these settings, and nothing else in its environment. */
  spawn(words: readonly string[], settings: Record<string, string> = {}, program = 'bin/heyline.js') {
    return this.node([join(this.folder, program), ...words], settings)
  }

  /** The same for Node itself. */
  node(words: readonly string[], settings: Record<string, string> = {}) {
    return spawn(process.execPath, words, {
      cwd: this.workingDirectory,
      env: { HOME: this.home, ...settings },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  }

  /** What a command prints. Rejects with what it complained of, if it fails. */
  async run(words: readonly string[], settings: Record<string, string> = {}): Promise<string> {
    const child = this.spawn(words, settings)
    child.stdin.end()
    const [out, err] = await Promise.all([
      child.stdout.toArray(),
      child.stderr.toArray(),
      once(child, 'close'),
    ])
    if (child.exitCode !== 0) throw new Error(Buffer.concat(err).toString())
    return Buffer.concat(out).toString()
  }

  /** Its server, as soon as it is ready. `output` has all that it says. */
  async start(settings: Record<string, string> = {}): Promise<StartedPackage> {
    const child = this.spawn(['start'], { PORT: '0', ...settings })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    const url = await listeningUrl(child)
    return {
      url,
      output: () => output,
      async stop() {
        if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        await exited
        return child.exitCode
      },
    }
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }
}

export interface StartedPackage {
  url: string
  output(): string
  /** Ends it with SIGTERM, and resolves with its exit code. */
  stop(): Promise<number | null>
}
