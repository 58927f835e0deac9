import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { syncPath } from '../disk/sync.js'
import type { Pulse } from './pulse.js'

/** EIO in WASI's numbering, which is what Emscripten's system calls return. */
const EIO = 29

interface Stream {
  /** Descriptor of an open file; a directory has none. */
  nfd?: number
  node: unknown
  /** Where the file lies for Postgres. */
  path?: string
}

interface EmscriptenNodeFs {
  realPath(node: unknown): string
  stream_ops: {
    fsync?: (stream: Stream) => number
    write: (stream: Stream, ...rest: unknown[]) => number
  }
}

function isEmscriptenNodeFs(value: unknown): value is EmscriptenNodeFs {
  return (
    typeof value === 'object' &&
    value !== null &&
    'realPath' in value &&
    'stream_ops' in value &&
    typeof value.stream_ops === 'object' &&
    value.stream_ops !== null &&
    'write' in value.stream_ops &&
    typeof value.stream_ops.write === 'function'
  )
}

/** Whether a commit may be in what is written there; so it is taken to be where the name is not known. */
function isLog({ path }: Stream): boolean {
  return path === undefined || path.includes('/pg_wal/')
}

/**
 * PGlite's directory on disk with real fsync. As shipped, PGlite runs with fsync off, and its file system has no fsync
 * at all, so a power cut could lose or damage what was committed (https://github.com/electric-sql/pglite/issues/1107).
 * This adds the missing callback; `startParams` turns fsync on. Both rest on internals of Emscripten and PGlite,
 * hence the exact version in package.json and the check at every start (`assertDurable`). It also tells the pulse what goes to
 * the disk, and stops a cancelled statement before its next write.
 */
export class DurableFs extends NodeFS {
  /** How many times Postgres had something put safely on disk. */
  syncs = 0
  readonly #pulse: Pulse

  constructor(directory: string, pulse: Pulse) {
    super(directory)
    this.#pulse = pulse
  }

  override async init(
    pglite: PGlite,
    options: Parameters<NodeFS['init']>[1],
  ): Promise<Awaited<ReturnType<NodeFS['init']>>> {
    const { emscriptenOpts } = await super.init(pglite, options)
    const addFsync = (module: { FS: { filesystems: Record<string, unknown> } }): void => {
      const nodeFs: unknown = module.FS.filesystems.NODEFS
      if (!isEmscriptenNodeFs(nodeFs)) throw new Error('this build of PGlite has no NODEFS to add fsync to')
      const { write } = nodeFs.stream_ops
      nodeFs.stream_ops.write = (stream, ...rest) =>
        this.#pulse.write(() => write(stream, ...rest), isLog(stream))
      nodeFs.stream_ops.fsync = (stream) => this.#fsync(nodeFs, stream)
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } }
  }

  #fsync(nodeFs: EmscriptenNodeFs, stream: Stream): number {
    try {
      const { nfd, node } = stream
      this.#pulse.sync(() => (nfd === undefined ? syncPath(nodeFs.realPath(node)) : fsyncSync(nfd)))
      this.syncs++
      return 0
    } catch {
      return EIO // Postgres reports it: a commit whose fsync failed is not acknowledged
    }
  }
}
