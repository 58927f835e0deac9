import type { Db, Queryable } from '@heyline/database'
import { hashOf, newSecret } from '@heyline/kit/secret'
import { type Actor, writeAudit } from '../audit/audit.js'
import type { AuthAdmin } from '../auth-wire/auth-admin.js'
import { accountFor, atAccounts, parseEmail } from './accounts.js'
import { changingOperators, hasOwner, putRow, rowOfAccount } from './operator-rows.js'
import { OperatorsError } from './operators-error.js'

export interface SetupLinksOptions {
  db: Db
  auth: AuthAdmin
  /** Where links lead, up to and without the `#`. */
  consoleUrl: string
}

/** Who becomes the first owner. */
export interface FirstOwner {
  code: string
  email: string
  password: string
}

const TABLE = 'back_office.setup_codes'
/** A link is good once, and for this long. */
const GOOD = "interval '1 day'"
/** A code is held while its owner is being made. A process that was killed in it holds it no longer than this. */
const HELD = "interval '1 minute'"
/** So many links are good at once: each process of an installation prints one. */
const MOST = 20

/** The links that make the first owner. There are some only while there is no owner. */
export class SetupLinks {
  readonly #db: Db
  readonly #auth: AuthAdmin
  readonly #consoleUrl: string

  constructor({ db, auth, consoleUrl }: SetupLinksOptions) {
    this.#db = db
    this.#auth = auth
    this.#consoleUrl = consoleUrl
  }

  /** A new link. Rejects with `setup_done` where there is an owner. */
  async make(actor: Actor): Promise<string> {
    const code = newSecret()
    await changingOperators(this.#db, async (tx) => {
      await refuseSecondOwner(tx)
      await tx.query(`insert into ${TABLE} (code_hash) values ($1)`, [hashOf(code)])
      await tx.query(
        `delete from ${TABLE} where created_at < now() - ${GOOD}
           or code_hash in (select code_hash from ${TABLE} order by created_at desc offset ${MOST})`,
      )
      await writeAudit(tx, actor, 'setup_link_made')
    })
    return `${this.#consoleUrl}#setup=${code}`
  }

  /**
   * Makes the first owner. However many ask at once, with one code or with several, there is one. An account that is there
   * already is taken as it is, with its own password: then `isNew` is false. Rejects with an `OperatorsError`, and the
   * link is good again.
   */
  async use(
    { code, email: given, password }: FirstOwner,
    address: string | undefined,
  ): Promise<{ email: string; isNew: boolean }> {
    const email = parseEmail(given)
    const hash = hashOf(code)
    await this.#take(hash)
    try {
      const { account, isNew } = await atAccounts(() => accountFor(this.#auth, email, password))
      try {
        await changingOperators(this.#db, async (tx) => {
          await refuseSecondOwner(tx)
          await putRow(tx, {
            userId: account.id,
            email,
            role: 'owner',
            invitedBy: 'setup link',
            joined: true,
          })
          await tx.query(`delete from ${TABLE}`)
          await writeAudit(tx, { name: 'setup link', address }, 'owner_set_up', { email })
        })
      } catch (error) {
        // Another link was quicker, maybe for the same account.
        if (isNew && !(await rowOfAccount(this.#db, account.id)))
          await atAccounts(() => this.#auth.deleteAccount(account.id))
        throw error
      }
      return { email, isNew }
    } catch (error) {
      await this.#db.query(`update ${TABLE} set taken_at = null where code_hash = $1`, [hash])
      throw error
    }
  }

  async #take(hash: string): Promise<void> {
    const { rowCount } = await this.#db.query(
      `update ${TABLE} set taken_at = now() where code_hash = $1 and created_at > now() - ${GOOD}
         and (taken_at is null or taken_at < now() - ${HELD})`,
      [hash],
    )
    if (rowCount > 0) return
    const { rows } = await this.#db.query(
      `select from ${TABLE} where code_hash = $1 and created_at > now() - ${GOOD}`,
      [hash],
    )
    if (rows.length > 0)
      throw new OperatorsError('setup_running', 'This link is being used right now: wait a minute')
    // Codes go in the transaction that makes the owner.
    await refuseSecondOwner(this.#db)
    throw new OperatorsError(
      'invalid_code',
      'This setup link is not good: heyline operators setup prints a new one',
    )
  }
}

async function refuseSecondOwner(db: Queryable): Promise<void> {
  if (await hasOwner(db))
    throw new OperatorsError(
      'setup_done',
      'There is an owner already: heyline operators list names them, heyline operators invite adds another',
    )
}
