import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../command/main-command.js'
import { bufferedTerminal } from './buffered-terminal.js'

export { testDirectory } from './test-directory.js'

/** The command as it is installed. */
export const HEYLINE = fileURLToPath(new URL('../../bin/heyline.js', import.meta.url))

/** The options by which this process starts a PGlite sooner: vitest.config.ts. */
const AS_HERE = process.execArgv.filter((option) => option.startsWith('--wasm-'))

/** For a process that ends right after: V8 optimises no WebAssembly in it, and looks only at the functions that are called. */
const SHORT = ['--liftoff-only', '--wasm-lazy-validation']

export interface Ran {
  code: number | null
  out: string
  err: string
}

/** Starts the command as a person does, with these settings and no others: a developer's `.env` is none of them. */
export function spawnHeyline(
  words: string[],
  environment: Record<string, string | undefined>,
  options: readonly string[] = AS_HERE,
) {
  const env = { PATH: process.env.PATH, ENV_FILE: 'off', ...environment }
  return spawn(process.execPath, [...options, HEYLINE, ...words], { env, stdio: ['pipe', 'pipe', 'pipe'] })
}

/**
 * Runs the command in this process: what it printed, what it complained of, and its exit code. Everything but `start`,
 * which is its process's own.
 */
export async function runHeyline(
  words: string[],
  environment: Record<string, string | undefined>,
  input = '',
): Promise<Ran> {
  const terminal = bufferedTerminal(environment, input)
  const ended = await runCommand(words, terminal)
  return {
    code: ended ?? Number(terminal.exitCode ?? 0),
    out: terminal.printed(),
    err: terminal.complained(),
  }
}

/** The same in a process of its own, as a shell does: for what only the whole process shows, its streams, its code and its end. */
export function runHeylineProcess(
  words: string[],
  environment: Record<string, string | undefined>,
  input = '',
  options: readonly string[] = [],
): Promise<Ran> {
  const child = spawnHeyline(words, environment, [...SHORT, ...options])
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  child.stdin.on('error', () => {}) // a command that has ended reads no more
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}
