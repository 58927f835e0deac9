import { linesOn, type Terminal } from './terminal.js'

/** The terminal that this process was started on. */
export const processTerminal: Terminal = {
  env: process.env,
  directory: process.cwd(),
  // Opened where it is read: few commands do.
  get input() {
    return process.stdin
  },
  out: process.stdout,
  err: process.stderr,
  ...linesOn(console, { out: process.stdout, err: process.stderr }),
  get exitCode() {
    return process.exitCode
  },
  set exitCode(code) {
    process.exitCode = code
  },
}
