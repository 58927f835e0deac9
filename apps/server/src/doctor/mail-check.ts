import { openMailer } from '@heyline/back-office'
import type { Settings } from '../settings/settings.js'
import { type Finding, fail, ok } from './finding.js'

const CHECK = 'SMTP_URL'

/** The mail server: reachable, and it takes our name and password. Nothing is sent. */
export async function checkMail({ mail }: Pick<Settings, 'mail'>): Promise<Finding[]> {
  if (!mail) return []
  try {
    await openMailer({ ...mail, site: '' }).check()
    return [ok(CHECK, 'the mail server takes our mail')]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      fail(
        CHECK,
        `the mail server does not take our mail: ${reason}`,
        'check its address, name and password; links are printed meanwhile',
      ),
    ]
  }
}
