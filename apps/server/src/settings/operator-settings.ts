import type { Environment } from './environment.js'
import { isPublicUrl } from './loopback.js'
import { refuseLonely, required } from './required.js'

/** Where mail goes out. */
export interface MailSettings {
  url: string
  from: string
}

/** Operators need a second factor as soon as others can reach the server, if nothing else is said. */
export function needsSecondFactor({ OPERATORS_MFA, PUBLIC_URL }: Environment): boolean {
  if (OPERATORS_MFA !== undefined) return OPERATORS_MFA === 'required'
  return isPublicUrl(PUBLIC_URL)
}

export function mailSettings(values: Environment): MailSettings | undefined {
  const { SMTP_URL } = values
  if (SMTP_URL) return { url: SMTP_URL, from: required(values, 'MAIL_FROM', 'SMTP_URL') }
  refuseLonely(values, ['MAIL_FROM'], 'SMTP_URL')
  return undefined
}
