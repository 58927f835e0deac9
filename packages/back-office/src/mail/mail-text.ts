import type { LinkKind } from '../auth-wire/auth-admin.js'

/** What a mail with a link says. */
export const MAIL_TEXTS: Record<LinkKind, (site: string, link: string) => { subject: string; text: string }> =
  {
    invite: (site, link) => ({
      subject: `Your invitation to ${site}`,
      text: mail(`You are invited to look after ${site}. Choose a password here:`, link),
    }),
    recovery: (site, link) => ({
      subject: `Your new password for ${site}`,
      text: mail(`Choose a new password for ${site} here:`, link),
    }),
  }

const mail = (what: string, link: string) =>
  `${what}\n\n${link}\n\nThe link is good once, and for a day at most. Show it to nobody.\nIf you do not expect this mail, ignore it.\n`
