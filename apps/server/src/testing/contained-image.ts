import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const REPLAY = fileURLToPath(new URL('../../../../scripts/replay-image.mjs', import.meta.url))
/** What an image of Debian has, if it says nothing else. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** A read-only root with one volume, as a user without rights: what `docker run --read-only` does, by this machine's own tools. */
const CONTAINED = `
set -e
root=$1 volume=$2 inside=$3 user=$4 group=$5
shift 5
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"
mount --bind "$volume" "$root$inside"
exec nsenter --root="$root" --wd="$root$inside" --setuid="$user" --setgid="$group" "$@"`
const ALONE = ['--mount', '--pid', '--fork', '--kill-child']

/** Undefined where this machine allows it, else why not. */
export const notContained = (): string | undefined =>
  spawnSync('unshare', [...ALONE, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0
    ? undefined
    : 'this machine allows no mounts of its own, unshare --mount: be root'

/** As `scripts/image/replay.mjs` has it. */
interface Image {
  root: string
  env: Record<string, string>
  workdir: string
  user: string
  volumes: string[]
  entrypoint: string[]
  command: string[]
  healthcheck: string[]
}

/** The image of the Dockerfile, made without a container, and what runs in it. */
export class ContainedImage {
  readonly image: Image
  /** What is mounted at its one volume. */
  readonly volume: string
  readonly #folder: string

  private constructor(folder: string, image: Image) {
    this.#folder = folder
    this.image = image
    this.volume = join(folder, 'volume')
    mkdirSync(this.volume)
    // A new volume begins as the image has it.
    const { uid, gid } = statSync(join(image.root, image.workdir))
    chownSync(this.volume, uid, gid)
  }

  /** Runs all stages, which takes a minute or more, and asks npm's registry for what its cache lacks. */
  static make(): ContainedImage {
    const folder = mkdtempSync(join(tmpdir(), 'heyline-image-'))
    try {
      const said = execFileSync(process.execPath, [REPLAY, '--into', join(folder, 'stages')], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      return new ContainedImage(folder, JSON.parse(said))
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
  }

  /** Of all files in it, in bytes. */
  bytes(): number {
    return readdirSync(this.image.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  }

  /** `docker run` with its command, or with these words behind its entrypoint. */
  start(settings: Record<string, string>, words = this.image.command) {
    return this.#spawn([...this.image.entrypoint, ...words], settings)
  }

  /** `docker exec`: what a program says, and its exit code. */
  async run(words: readonly string[], settings: Record<string, string> = {}) {
    const child = this.#spawn(words, settings)
    const [out, err] = await Promise.all([
      child.stdout.toArray(),
      child.stderr.toArray(),
      once(child, 'close'),
    ])
    return {
      code: child.exitCode,
      out: Buffer.concat(out).toString(),
      err: Buffer.concat(err).toString(),
    }
  }

  /** `docker stop`: tells its first process, and resolves with the exit code. */
  async stop(child: ReturnType<ContainedImage['start']>): Promise<number | null> {
    const exited = once(child, 'exit')
    const [first = ''] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')
    process.kill(Number(first), 'SIGTERM')
    await exited
    return child.exitCode
  }

  #spawn(words: readonly string[], settings: Record<string, string>) {
    const { root, workdir, user, env } = this.image
    const place = [root, this.volume, workdir, ...user.split(':')]
    return spawn('unshare', [...ALONE, 'sh', '-c', CONTAINED, 'sh', ...place, ...words], {
      env: { PATH, ...env, ...settings },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
