import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { NoTurnError, WaitingLine } from '@heyline/kit/waiting-line'
import type { FileKind } from './file-kind.js'
import { type Section, UnreadableFile } from './section.js'

/** What a thread is given. */
export interface ParseJob {
  kind: FileKind
  content: Uint8Array
}

/** What it answers. */
export type ParseResult = { sections: Section[] } | { failure: string }

/** Reads files. Rejects with an `UnreadableFile`, or with a `NoTurnError` where too many wait. */
export type ReadSections = (job: ParseJob) => Promise<Section[]>

export interface ParserThreadOptions {
  /** Address of the thread's script. */
  script?: URL
  /** Longest that one file takes, in milliseconds. */
  timeoutMs?: number
}

const TIMEOUT_MS = 30_000
/** Most memory of a thread, in MB. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
/** One file at a time: the processor is for the calls. */
const TURNS = { atOnce: 1, waiting: 8, longestMs: 60_000 }

/** Reads each file in a thread of its own, with bounds of time and memory, one after the other. */
export function parserThreads({
  script = ownScript(),
  timeoutMs = TIMEOUT_MS,
}: ParserThreadOptions = {}): ReadSections {
  const line = new WaitingLine(TURNS)
  return (job) => line.run(() => parsed(job, script, timeoutMs))
}

/** As it is built: a thread runs no TypeScript. */
const ownScript = (): URL =>
  pathToFileURL(createRequire(import.meta.url).resolve('@heyline/voice-platform/parser-worker'))

export const isCrowd = (error: unknown): boolean => error instanceof NoTurnError

async function parsed(job: ParseJob, script: URL, timeoutMs: number): Promise<Section[]> {
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
  try {
    const result = await new Promise<ParseResult>((resolve, reject) => {
      const fail = (message: string, cause?: unknown) => reject(new UnreadableFile(message, { cause }))
      late = setTimeout(
        () => fail(`The file takes longer than ${timeoutMs / 1000} s to read: split it.`),
        timeoutMs,
      )
      worker.once('message', resolve)
      worker.once('error', (error) =>
        fail('The file takes too much memory to read, or is damaged: split it.', error),
      )
      worker.once('exit', () => fail('The file cannot be read: it may be damaged.'))
    })
    if ('failure' in result) throw new UnreadableFile(result.failure)
    return result.sections
  } finally {
    clearTimeout(late)
    await worker.terminate()
  }
}
