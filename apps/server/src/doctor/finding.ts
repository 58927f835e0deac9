/** What a check found out. */
export interface Finding {
  /** What was looked at: a setting, a file, a wire. */
  check: string
  /** `warn` works, but may surprise; `fail` has to be mended. */
  status: 'ok' | 'warn' | 'fail'
  message: string
  /** What to do; only where something is not ok. */
  mend?: string
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message })
export const warn = (check: string, message: string, mend: string): Finding => ({
  check,
  status: 'warn',
  message,
  mend,
})
export const fail = (check: string, message: string, mend: string): Finding => ({
  check,
  status: 'fail',
  message,
  mend,
})
