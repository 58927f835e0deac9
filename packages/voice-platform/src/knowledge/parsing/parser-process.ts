import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import type { ParseJob, ParseResult, ReadSections } from './parser-thread.js'
import { type Section, UnreadableFile } from './section.js'

export interface ParserProcessOptions {
  /** Path of the process's script. */
  script?: string
  /** Longest that a process may take, its start among it, in milliseconds. */
  timeoutMs?: number
}

/** Its thread ends a file sooner: this is for a process that does not answer at all. */
const TIMEOUT_MS = 45_000

/**
 * Reads each file in a process of its own. A thread has bounds of memory, too, but where a file makes it ask for very
 * much at once, V8 ends the whole process, and every call in it.
 */
export function parserProcesses({
  script = ownScript(),
  timeoutMs = TIMEOUT_MS,
}: ParserProcessOptions = {}): ReadSections {
  return (job) => parsed(job, { script, timeoutMs })
}

/** As it is built: a process runs no TypeScript. */
const ownScript = (): string =>
  createRequire(import.meta.url).resolve('@heyline/voice-platform/parser-process')

async function parsed(
  job: ParseJob,
  { script, timeoutMs }: Required<ParserProcessOptions>,
): Promise<Section[]> {
  // What this process was started with, its keys and a debugger's port among it, is not the other's.
  const child = fork(script, { execArgv: [], env: {}, serialization: 'advanced', stdio: 'ignore' })
  let late: NodeJS.Timeout | undefined
  try {
    const result = await new Promise<ParseResult>((resolve, reject) => {
      const fail = (message: string, cause?: unknown) => reject(new UnreadableFile(message, { cause }))
      late = setTimeout(() => fail('The file takes too long to read: split it.'), timeoutMs)
      child.once('message', (answer: ParseResult) => resolve(answer))
      child.once('error', reject)
      child.once('exit', (_code, signal) => {
        if (signal === null) fail('The file cannot be read: it may be damaged.')
        else fail('The file takes too much memory to read, or is damaged: split it.')
      })
      child.send(job, (error) => {
        // One that has ended says so itself.
        if (error && child.exitCode === null && child.signalCode === null) reject(error)
      })
    })
    if ('failure' in result) throw new UnreadableFile(result.failure)
    return result.sections
  } finally {
    clearTimeout(late)
    end(child)
  }
}

function end(child: ChildProcess): void {
  // Nobody listens any more; an error without a listener would be thrown.
  child.removeAllListeners().on('error', () => undefined)
  child.kill('SIGKILL')
}
