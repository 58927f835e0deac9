import { type Mailer, openMailer } from '@heyline/back-office'
import type { Settings } from '../settings/settings.js'

/** The mail server of the settings; undefined where there is none. */
export const openMail = ({ mail }: Pick<Settings, 'mail'>, publicUrl: string): Mailer | undefined =>
  mail && openMailer({ ...mail, site: new URL(publicUrl).host })
