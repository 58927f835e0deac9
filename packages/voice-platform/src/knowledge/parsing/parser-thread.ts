import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { FileKind } from './file-kind.js'
import { type Section, UnreadableFile } from './section.js'

/** What a thread is given. */
export interface ParseJob {
  kind: FileKind
  content: Uint8Array
}

/** What it answers. */
export type ParseResult = { sections: Section[] } | { failure: string }

/** Reads files. Rejects with an `UnreadableFile`. */
export type ReadSections = (job: ParseJob) => Promise<Section[]>

export interface ParserThreadOptions {
  /** Address of the thread's script. */
  script?: URL
  /** Longest that one file takes, in milliseconds. */
  timeoutMs?: number
  /** Bytes of memory that the process has. */
  memory?: () => number
}

const TIMEOUT_MS = 30_000
/** Most memory of a thread, in MB. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
/** Most bytes that the process may gain meanwhile: a stream of a PDF becomes a thousand times as long, beside the memory that has limits. */
const MOST_GAINED = 500_000_000
const LOOK_EVERY_MS = 50
const TOO_LARGE = 'The file takes too much memory to read, or is damaged: split it.'

/** Reads each file in a thread of its own, with bounds of time and memory. */
export function parserThreads({
  script = ownScript(),
  timeoutMs = TIMEOUT_MS,
  memory = process.memoryUsage.rss,
}: ParserThreadOptions = {}): ReadSections {
  return (job) => parsed(job, { script, timeoutMs, memory })
}

/** As it is built: a thread runs no TypeScript. */
const ownScript = (): URL =>
  pathToFileURL(createRequire(import.meta.url).resolve('@heyline/voice-platform/parser-worker'))

async function parsed(
  job: ParseJob,
  { script, timeoutMs, memory }: Required<ParserThreadOptions>,
): Promise<Section[]> {
  const before = memory()
  // What this process was started with, a debugger's port among it, is not the thread's.
  const worker = new Worker(script, {
    execArgv: [],
    env: {},
    resourceLimits: LIMITS,
    workerData: job,
    stderr: true,
    stdout: true,
  })
  let late: NodeJS.Timeout | undefined
  let looking: NodeJS.Timeout | undefined
  try {
    const result = await new Promise<ParseResult>((resolve, reject) => {
      const fail = (message: string, cause?: unknown) => reject(new UnreadableFile(message, { cause }))
      late = setTimeout(
        () => fail(`The file takes longer than ${timeoutMs / 1000} s to read: split it.`),
        timeoutMs,
      )
      looking = setInterval(() => {
        if (memory() - before > MOST_GAINED) fail(TOO_LARGE)
      }, LOOK_EVERY_MS)
      worker.once('message', resolve)
      worker.once('error', (error) => fail(TOO_LARGE, error))
      worker.once('exit', () => fail('The file cannot be read: it may be damaged.'))
    })
    if ('failure' in result) throw new UnreadableFile(result.failure)
    return result.sections
  } finally {
    clearTimeout(late)
    clearInterval(looking)
    await worker.terminate()
  }
}
