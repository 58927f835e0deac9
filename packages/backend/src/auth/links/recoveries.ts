import type { Db } from '@heyline/database'
import { BoundedLog } from '@heyline/kit/bounded-log'
import type { Clock } from '@heyline/kit/clock'
import { leftUntil } from '@heyline/kit/stored-time'
import type { Logger } from 'pino'
import type { Accounts } from '../accounts/accounts.js'
import { isBanned, type UserRow } from '../accounts/user.js'
import { audit } from '../audit/audit.js'
import { linkOf, type SendLinkMail } from './link-mail.js'
import type { MailQueue } from './mail-queue.js'
import { MOST_LINKS, type OneTimeTokens } from './one-time-tokens.js'

/** A stranger can have a mail sent to somebody: at most one a minute. */
const MAIL_EVERY_MS = 60_000

export interface RecoveriesOptions {
  db: Db
  accounts: Accounts
  oneTimeTokens: OneTimeTokens
  mails: MailQueue
  /** Left out: no mail is sent. */
  sendMail?: SendLinkMail | undefined
  siteUrl: string
  clock: Clock
  logger: Logger
}

/** Who has forgotten a password. */
interface Asked {
  /** In lower case. */
  email: string
  /** Where the request came from. */
  address: string
}

/** A mail that is to be sent. */
interface Due {
  user: UserRow
  code: string
}

/**
 * Mails for forgotten passwords, when their answers are long gone. Only what is to be sent stands in the line of mails: whoever asks for
 * addresses that nobody has pushes none out.
 */
export class Recoveries {
  readonly #options: RecoveriesOptions
  readonly #log: BoundedLog
  readonly #looking = new Set<Promise<void>>()
  readonly #mailing = new Set<Promise<void>>()

  constructor(options: RecoveriesOptions) {
    this.#options = options
    this.#log = new BoundedLog(options)
  }

  /** Resolves when the mail, if there is to be one, stands in its line. Never rejects. */
  async ask(asked: Asked): Promise<void> {
    const { sendMail } = this.#options
    if (!sendMail) return
    await this.#track(this.#looking, async () => {
      const due = await this.#look(asked)
      if (due) void this.#track(this.#mailing, () => this.#mail(due, asked, sendMail))
    })
  }

  /** To be asked when nobody asks any more. Resolves when nothing is under way. */
  async close(): Promise<void> {
    await Promise.all(this.#looking)
    await this.#options.mails.close()
    await Promise.all(this.#mailing)
    this.#log.close()
  }

  async #track(among: Set<Promise<void>>, work: () => Promise<void>): Promise<void> {
    const running = work().catch((err: unknown) =>
      this.#log.error('recovery', { err }, 'a recovery mail was not looked after'),
    )
    among.add(running)
    await running
    among.delete(running)
  }

  /** Makes a link, if there is such an account and it may be sent a mail now. */
  async #look({ email }: Asked): Promise<Due | undefined> {
    const { db, accounts, oneTimeTokens, clock } = this.#options
    return await db.transaction(async (tx) => {
      const user = await accounts.byEmail(tx, email)
      const now = clock.now()
      if (!user || isBanned(user, now)) return undefined
      await accounts.taken(tx, user.id)
      const { count, last } = await oneTimeTokens.living(tx, user.id, 'recovery')
      // The links that were sent are still good.
      const next = last ? last.getTime() + MAIL_EVERY_MS : undefined
      if (count >= MOST_LINKS || leftUntil(next, { now, longestMs: MAIL_EVERY_MS }) > 0) return undefined
      await tx.query('update auth.users set recovery_sent_at = $2 where id = $1', [user.id, new Date(now)])
      return { user, code: await oneTimeTokens.issue(tx, user.id, 'recovery') }
    })
  }

  async #mail({ user, code }: Due, { email, address }: Asked, sendMail: SendLinkMail): Promise<void> {
    const { db, accounts, oneTimeTokens, mails, siteUrl } = this.#options
    const mail = { to: email, kind: 'recovery', link: linkOf(siteUrl, code, 'recovery') } as const
    if (await mails.send((signal) => sendMail(mail, signal)))
      return await audit(db, { action: 'user_recovery_requested', actor: user, address })
    // What was not sent costs nothing of what may be sent, and nobody fills the audit with it. What may have been sent stays good, and counts.
    await db.transaction(async (tx) => {
      await accounts.taken(tx, user.id)
      await oneTimeTokens.takeBack(tx, code)
      await tx.query('update auth.users set recovery_sent_at = $2 where id = $1', [
        user.id,
        user.recovery_sent_at,
      ])
    })
  }
}
