import type { LinkType } from './one-time-tokens.js'

/** A message that carries a link. */
export interface LinkMail {
  to: string
  kind: LinkType
  link: string
}

/** Rejects with `MailNotTaken` where the mail was certainly not sent, and with any other error where it may have been, or `signal` was aborted. */
export type SendLinkMail = (mail: LinkMail, signal?: AbortSignal) => Promise<void>

/** The code stands behind `#`, so no server logs it. */
export const linkOf = (siteUrl: string, code: string, type: LinkType): string =>
  `${siteUrl}#token_hash=${code}&type=${type}`
