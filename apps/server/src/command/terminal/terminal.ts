import { Console } from 'node:console'
import type { Readable, Writable } from 'node:stream'
import { format } from 'node:util'
import { readSettings, type Settings } from '../../settings/settings.js'
import { textFor } from './terminal-text.js'

/** A stream that may be a person's. */
export interface Tty {
  isTTY?: boolean
  columns?: number
}

/** Where a command is used: what it reads, where it writes, and where its exit code goes. Lines are written as a console does, and steer no terminal. */
export interface Terminal extends Pick<Console, 'log' | 'error'> {
  readonly env: NodeJS.ProcessEnv
  /** Where its file of settings is looked for; undefined: none is read. */
  readonly directory?: string
  readonly input: Readable & Tty
  readonly out: Writable & Tty
  readonly err: Writable & Tty
  /** Undefined is 0. A command that throws ends with 1, whatever stands here. */
  exitCode: NodeJS.Process['exitCode']
}

/** What every command gets. */
export interface CommandContext {
  readonly settings: Settings
  readonly terminal: Terminal
}

/** Reads the settings. Throws a `SettingError` for one that can't be used. */
export const contextOf = (terminal: Terminal): CommandContext => ({
  settings: readSettings(terminal.env),
  terminal,
})

/** One of its own streams. */
export const terminalOf = (streams: Pick<Terminal, 'env' | 'input' | 'out' | 'err'>): Terminal => {
  const { out, err } = streams
  return {
    ...streams,
    ...linesOn(new Console({ stdout: out, stderr: err }), { out, err }),
    exitCode: undefined,
  }
}

/** Writes lines by a console on these streams. */
export const linesOn = (
  lines: Pick<Console, 'log' | 'error'>,
  { out, err }: Pick<Terminal, 'out' | 'err'>,
): Pick<Terminal, 'log' | 'error'> => ({
  log: (...said) => lines.log('%s', textFor(out, format(...said))),
  error: (...said) => lines.error('%s', textFor(err, format(...said))),
})
