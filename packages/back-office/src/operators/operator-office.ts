import type { Db } from '@heyline/database'
import type { z } from 'zod'
import { type Actor, writeAudit } from '../audit/audit.js'
import type { AccountLink, AuthAdmin } from '../auth-wire/auth-admin.js'
import type { Mailer } from '../mail/mailer.js'
import { atAccounts, linkFor, parseEmail, unknownPassword } from './accounts.js'
import type {
  OperatorLine,
  operatorRole,
  removedOperator,
  resetLink,
  SentLink,
  setupLink,
} from './operator-line.js'
import {
  changingOperators,
  deleteRow,
  endApiKeys,
  listRows,
  type OperatorRow,
  putRow,
  refuseLastOwner,
  rowOf,
  setRole,
} from './operator-rows.js'
import { OperatorsError } from './operators-error.js'
import { ROLES, type Role } from './role.js'
import type { SetupLinks } from './setup-links.js'

/** The operators, as somebody keeps them. Everything rejects with an `OperatorsError`. Addresses are compared without case. */
export interface OperatorOffice {
  /** By address. */
  list(): Promise<OperatorLine[]>
  /** Invites somebody, with a new link each time; the one before ends. Code `already_operator` for one who has come in. */
  invite(asked: { email: string; role: string }): Promise<SentLink>
  /** Code `last_owner` where nobody else could do everything. */
  setRole(asked: { email: string; role: string }): Promise<z.output<typeof operatorRole>>
  /** From then on nothing is open to them. Code `last_owner` as above. */
  remove(email: string): Promise<z.output<typeof removedOperator>>
  /** Ends their password, their sessions and their second factors (`factors` of them), and makes a link for a new password. */
  reset(email: string): Promise<z.output<typeof resetLink>>
  /** A link that makes the first owner. Code `setup_done` where there is one. */
  setup(): Promise<z.output<typeof setupLink>>
}

export interface OperatorOfficeOptions {
  db: Db
  auth: AuthAdmin
  setupLinks: SetupLinks
  /** Where links lead, up to and without the `#`. */
  consoleUrl: string
  /** Undefined: nothing is sent. */
  mail?: Mailer | undefined
  /** Accounts are there for operators alone, so that a removed operator's goes with them. */
  ownsAccounts: boolean
}

export function createOperatorOffice(options: OperatorOfficeOptions, actor: Actor): OperatorOffice {
  const { db, auth, setupLinks, ownsAccounts } = options
  return {
    list: async () => (await listRows(db)).map(lineOf),
    async invite(asked) {
      const email = parseEmail(asked.email)
      const wanted = parseRole(asked.role)
      await refuseJoined(db, email)
      const made = await atAccounts(() => linkFor(auth, email))
      await changingOperators(db, async (tx) => {
        for (const row of await listRows(tx)) {
          if (row.userId !== made.account.id && row.email.toLowerCase() !== email) continue
          refuseJoinedRow(row)
          if (wanted !== 'owner') await refuseLastOwner(tx, row)
        }
        await putRow(tx, { userId: made.account.id, email, role: wanted, invitedBy: actor.name })
        await writeAudit(tx, actor, 'operator_invited', { email, role: wanted })
      })
      return sendLink(options, email, wanted, made)
    },
    async setRole(asked) {
      const wanted = parseRole(asked.role)
      return changingOperators(db, async (tx) => {
        const row = await rowOf(tx, asked.email)
        if (wanted !== 'owner') await refuseLastOwner(tx, row)
        await setRole(tx, row.userId, wanted)
        await writeAudit(tx, actor, 'operator_role', { email: row.email, role: wanted, before: row.role })
        return { email: row.email, role: wanted }
      })
    },
    async remove(asked) {
      const row = await changingOperators(db, async (tx) => {
        const found = await rowOf(tx, asked)
        await refuseLastOwner(tx, found)
        await deleteRow(tx, found.userId)
        await writeAudit(tx, actor, 'operator_removed', { email: found.email, role: found.role })
        return found
      })
      if (ownsAccounts) await atAccounts(() => auth.deleteAccount(row.userId))
      return { email: row.email }
    },
    async reset(asked) {
      const row = await rowOf(db, asked)
      const account = await atAccounts(() => auth.account(row.userId))
      if (!account)
        throw new OperatorsError(
          'account_gone',
          `The account of ${row.email} is gone: remove this operator, and invite them again`,
        )
      const { email } = row
      const note = (action: string, detail = {}) =>
        db.transaction((tx) => writeAudit(tx, actor, action, { email, ...detail }))
      // Whoever had the account may have made some, and may make one until the sessions have ended.
      await endApiKeys(db, row.userId)
      // Each step is noted when it is done: the next one may fail.
      await atAccounts(() => auth.setPassword(row.userId, unknownPassword()))
      await endApiKeys(db, row.userId)
      await note('operator_reset')
      const factors = await atAccounts(() => auth.deleteFactors(row.userId))
      if (factors > 0) await note('operator_factors_removed', { factors })
      const made = await atAccounts(() => linkFor(auth, account.email ?? email))
      return { ...(await sendLink(options, email, row.role, made)), factors }
    },
    setup: async () => ({ link: await setupLinks.make(actor) }),
  }
}

function parseRole(text: string): Role {
  const known = ROLES.find((role) => role === text)
  if (known) return known
  throw new OperatorsError('invalid_role', `There is no role "${text.slice(0, 40)}": use ${ROLES.join(', ')}`)
}

/** Before an account is touched. The same is looked at again in the transaction that stores the operator. */
async function refuseJoined(db: Db, email: string): Promise<void> {
  const row = (await listRows(db)).find((one) => one.email.toLowerCase() === email)
  if (row) refuseJoinedRow(row)
}

function refuseJoinedRow({ email, joinedAt }: OperatorRow): void {
  if (joinedAt === null) return
  throw new OperatorsError(
    'already_operator',
    `${email} is an operator already: heyline operators role changes what they may do, heyline operators reset makes a new link`,
  )
}

const isoOf = (date: Date | null) => date?.toISOString() ?? null

const lineOf = ({ invitedAt, joinedAt, lastSeenAt, ...row }: OperatorRow): OperatorLine => ({
  ...row,
  invitedAt: invitedAt.toISOString(),
  joinedAt: isoOf(joinedAt),
  lastSeenAt: isoOf(lastSeenAt),
})

/** Makes the link, and sends it where there is mail. What stands behind `#` is in no log of a server. */
async function sendLink(
  { consoleUrl, mail }: OperatorOfficeOptions,
  email: string,
  roleOf: Role,
  { kind, tokenHash }: AccountLink,
): Promise<SentLink> {
  const link = `${consoleUrl}#${new URLSearchParams({ token_hash: tokenHash, type: kind })}`
  const made = { email, role: roleOf, link, kind }
  if (!mail) return { ...made, mail: 'off' }
  try {
    await mail.send({ to: email, kind, link })
    return { ...made, mail: 'sent' }
  } catch (error) {
    const mailFailure = error instanceof Error ? error.message : String(error)
    return { ...made, mail: 'failed', mailFailure }
  }
}
