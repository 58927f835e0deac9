import { examine } from '../doctor/doctor.js'
import type { Finding } from '../doctor/finding.js'
import { examineOutside } from '../outside/examine-outside.js'
import type { Terminal } from './terminal/terminal.js'

interface DoctorOptions {
  json?: boolean
  speech?: boolean
  /** Look from outside in, at `PUBLIC_URL`. */
  public?: boolean
}

/** `heyline doctor`: a line for each thing looked at, and how to mend what is wrong; exit code 1 where something must be. */
export async function doctor(
  terminal: Terminal,
  { json, speech = true, public: isOutside = false }: DoctorOptions,
): Promise<void> {
  const { env } = terminal
  const findings = isOutside ? await examineOutside(env) : await examine(env, { speaks: speech })
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
  const counts = { ok: count('ok'), warn: count('warn'), fail: count('fail') }
  if (json) terminal.log(JSON.stringify({ ...counts, findings }, null, 2))
  else terminal.log([...findings.map(textOf), '', summary(counts)].join('\n'))
  if (counts.fail > 0) terminal.exitCode = 1
}

const textOf = ({ check, status, message, mend }: Finding) =>
  `${status.padEnd(4)}  ${check}: ${message}${mend ? `\n      ${mend}` : ''}`

const summary = ({ ok, warn, fail }: Record<Finding['status'], number>) =>
  fail + warn === 0 ? `All ${ok} checks passed.` : `${ok} passed, ${warn} to look at, ${fail} to fix.`
