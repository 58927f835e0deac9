import type { Db, Queryable } from '@heyline/database'
import { BoundedLog } from '@heyline/kit/bounded-log'
import type { Clock } from '@heyline/kit/clock'
import { leftUntil } from '@heyline/kit/stored-time'
import type { Logger } from 'pino'
import type { Accounts } from '../accounts/accounts.js'
import { isBanned, type UserRow } from '../accounts/user.js'
import { auditIf } from '../audit/audit.js'
import { touch } from '../guards/attempt-rows.js'
import type { Attempts } from '../guards/attempts.js'
import { linkOf, type SendLinkMail } from './link-mail.js'
import type { MailQueue } from './mail-queue.js'
import { type LivingTokens, MOST_LINKS, type OneTimeTokens } from './one-time-tokens.js'

/** A stranger can have a mail sent to somebody: at most one a minute. */
const MAIL_EVERY_MS = 60_000

/** What became of a mail is written down so long after it was asked for: by then a mail server has taken it or not, and so nobody sees when. */
const SETTLED_AFTER_MS = 45_000

export interface RecoveriesOptions {
  db: Db
  accounts: Accounts
  attempts: Pick<Attempts, 'keyOf'>
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
 * addresses that nobody has pushes none out. The database does the same for an account and for nobody, at the same moments: on PGlite
 * everybody's next request waits for what is written, so nobody shall see by the time which accounts there are.
 */
export class Recoveries {
  readonly #options: RecoveriesOptions
  readonly #log: BoundedLog
  readonly #looking = new Set<Promise<void>>()
  readonly #settling = new Set<Promise<void>>()
  /** Each ends a wait at once. */
  readonly #waits = new Set<() => void>()
  #isClosing = false

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
      void this.#track(this.#settling, async () => {
        const [wasSent] = await Promise.all([due && this.#mail(due, asked, sendMail), this.#untilSettled()])
        // A server that stops has nobody any more who could see a difference.
        if (due || !this.#isClosing) await this.#settle(asked, due, wasSent)
      })
    })
  }

  /** To be asked when nobody asks any more. Resolves when nothing is under way. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const end of this.#waits) end()
    await Promise.all(this.#looking)
    await this.#options.mails.close()
    await Promise.all(this.#settling)
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
      await this.#touch(tx, email)
      const found = await accounts.byEmail(tx, email)
      const user = await accounts.taken(tx, found?.id)
      const now = clock.now()
      const living = await oneTimeTokens.living(tx, user?.id, 'recovery')
      const due = user && !isBanned(user, now) && isNext(living, now) ? user : undefined
      await mailSentAt(tx, due?.id, new Date(now))
      const code = await oneTimeTokens.issue(tx, due?.id, 'recovery')
      return due && { user: due, code }
    })
  }

  /** Resolves with whether the mail may have been sent. */
  async #mail({ code }: Due, { email }: Asked, sendMail: SendLinkMail): Promise<boolean> {
    const { mails, siteUrl } = this.#options
    const mail = { to: email, kind: 'recovery', link: linkOf(siteUrl, code, 'recovery') } as const
    return await mails.send((signal) => sendMail(mail, signal))
  }

  /**
   * What was not sent costs nothing of what may be sent, and nobody fills the audit with it. What may have been sent stays good, and counts.
   */
  async #settle({ email, address }: Asked, due: Due | undefined, wasSent = false): Promise<void> {
    const { db, accounts, oneTimeTokens } = this.#options
    const unsent = wasSent ? undefined : due
    await db.transaction(async (tx) => {
      await this.#touch(tx, email)
      await accounts.taken(tx, due?.user.id)
      await oneTimeTokens.takeBack(tx, unsent?.code)
      await mailSentAt(tx, unsent?.user.id, unsent?.user.recovery_sent_at)
      await auditIf(tx, wasSent, { action: 'user_recovery_requested', actor: due?.user, address })
    })
  }

  /** Something is written for whoever is nobody, too. */
  async #touch(tx: Queryable, email: string): Promise<void> {
    const { attempts, clock } = this.#options
    await touch(tx, attempts.keyOf('recovery', email), clock.now())
  }

  async #untilSettled(): Promise<void> {
    if (this.#isClosing) return
    await new Promise<void>((resolve) => {
      const end = () => {
        stop()
        this.#waits.delete(end)
        resolve()
      }
      const stop = this.#options.clock.after(SETTLED_AFTER_MS, end)
      this.#waits.add(end)
    })
  }
}

/** Whether another mail may be sent: the links that were sent are still good. */
function isNext({ count, last }: LivingTokens, now: number): boolean {
  const next = last ? last.getTime() + MAIL_EVERY_MS : undefined
  return count < MOST_LINKS && leftUntil(next, { now, longestMs: MAIL_EVERY_MS }) <= 0
}

/** For nobody, it changes no row. */
async function mailSentAt(
  tx: Queryable,
  userId: string | undefined,
  at: Date | null | undefined,
): Promise<void> {
  await tx.query('update auth.users set recovery_sent_at = $2 where id = $1', [userId, at])
}
