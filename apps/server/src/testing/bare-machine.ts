import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const BOOT = fileURLToPath(new URL('bare-machine.sh', import.meta.url))
const NEEDED = ['/usr/bin/node', '/usr/bin/caddy', '/lib/systemd/systemd', '/usr/bin/systemd-analyze']
/** Where something can be written there; all else is read-only. */
export const WRITABLE = [
  '/dev',
  '/etc',
  '/opt',
  '/root',
  '/run',
  '/tmp',
  '/usr/local/bin',
  '/var/lib',
  '/var/log',
]
const START_MS = 30_000
/** A stop of the server, with everything that it waits for, takes less. */
const COMMAND_MS = 170_000
/** No namespaces of users: then root in it is root, and systemd's sandbox is the whole one. */
const NAMESPACES = ['--mount', '--pid', '--net', '--uts', '--ipc', '--cgroup']

export interface Said {
  code: number
  out: string
  err: string
}

/**
 * A machine with systemd, Node and Caddy, in namespaces of this one: it has a network, processes, users and a disk of its own, and no Heyline.
 * Its systemd is Debian's, so units run in their real sandboxes. Needs root.
 */
export class BareMachine {
  /** `/mnt` there. */
  readonly folder: string
  readonly #child: ChildProcess
  readonly #cgroup: string
  #first = 0

  private constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'heyline-machine-'))
    this.#cgroup = join(cgroupRoot() ?? '', `heyline-${process.pid}-${Date.now()}`)
    mkdirSync(this.#cgroup)
    const boot = `echo $$ >"$0/cgroup.procs" && exec unshare --fork --kill-child ${NAMESPACES.join(' ')} sh "$1" "$2" "$3"`
    this.#child = spawn('sh', ['-c', boot, this.#cgroup, BOOT, this.folder, ROOT], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    })
  }

  /** Why there is none here; undefined where there can be one. */
  static missing(): string | undefined {
    const lost = NEEDED.filter((file) => !existsSync(file))
    if (lost.length > 0) return `${lost.join(', ')} is not installed here`
    if (process.getuid?.() !== 0 || !cgroupRoot()) return 'it needs root and cgroup2'
    if (spawnSync('unshare', [...NAMESPACES, 'true']).status !== 0) return 'there are no namespaces here'
    return undefined
  }

  /** Resolves when its systemd answers. */
  static async start(): Promise<BareMachine> {
    const machine = new BareMachine()
    const until = performance.now() + START_MS
    while (performance.now() < until) {
      machine.#first ||= childOf(machine.#child.pid)
      if (machine.#first && (await machine.run('systemctl is-active multi-user.target')).code === 0)
        return machine
      await pause(50)
    }
    await machine.stop()
    throw new Error('systemd does not start in namespaces')
  }

  /** Runs this in a shell there, as root, in an empty folder or in the one that is named. */
  run(command: string, folder = '/root'): Promise<Said> {
    const words = ['--target', String(this.#first), ...NAMESPACES]
    return new Promise((resolve) => {
      execFile(
        'nsenter',
        [...words, '/bin/bash', '-c', `cd ${folder} || exit\n${command}`],
        {
          env: { HOME: '/root', PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
          encoding: 'utf8',
          timeout: COMMAND_MS,
        },
        (error, out, err) => {
          const late = error?.killed ? `\nIt was ended after ${COMMAND_MS} ms.` : ''
          resolve({ code: error ? Number(error.code ?? 1) : 0, out, err: err + late })
        },
      )
    })
  }

  /** What its services have printed. */
  get said(): string {
    const file = join(this.folder, 'said')
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }

  /** Ends it with all that runs there, and removes its folder. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const gone = once(this.#child, 'exit')
      this.#child.kill('SIGKILL')
      await gone
    }
    const until = performance.now() + START_MS
    while (!isRemoved(this.#cgroup) && performance.now() < until) await pause(50)
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Where cgroups of the second kind are. */
const cgroupRoot = (): string | undefined =>
  existsSync('/proc/self/mounts')
    ? / (\S+) cgroup2 rw/.exec(readFileSync('/proc/self/mounts', 'utf8'))?.[1]
    : undefined

function childOf(pid: number | undefined): number {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? Number(readFileSync(file, 'utf8').trim().split(' ')[0]) : 0
}

/** Removes a cgroup with those in it; not while processes end there. */
function isRemoved(cgroup: string): boolean {
  try {
    for (const entry of readdirSync(cgroup, { withFileTypes: true }))
      if (entry.isDirectory() && !isRemoved(join(cgroup, entry.name))) return false
    rmdirSync(cgroup)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
