import { openMail } from '../ends/mail-end.js'
import type { Settings } from '../settings/settings.js'
import { type Finding, fail, ok } from './finding.js'

const CHECK = 'SMTP_URL'
/** No mail is sent that could name a site. */
const NOWHERE = 'http://localhost'

/** The mail server: reachable, and it takes our name and password. Nothing is sent. */
export async function checkMail(settings: Pick<Settings, 'mail'>): Promise<Finding[]> {
  const mailer = openMail(settings, NOWHERE)
  if (!mailer) return []
  try {
    await mailer.check()
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
