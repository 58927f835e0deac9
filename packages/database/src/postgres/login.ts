import type { Logger } from 'pino'
import type { Queryable } from '../db/db.js'

/** Whom the URL logs in, and what that role may do without becoming another. */
export interface Login {
  name: string
  /** As Postgres says it, such as `15.18 (Debian …)`. */
  version: string
  superuser: boolean
  /** Row Level Security does not hold for it. */
  bypassesPolicies: boolean
  /** INHERIT: has the rights of the roles it is a member of at all times (from Postgres 16 on, of those granted to it meanwhile). */
  inherits: boolean
}

export async function readLogin(db: Queryable): Promise<Login> {
  const { rows } = await db.query<Login>(`
    select rolname as name, current_setting('server_version') as version, rolsuper as superuser,
      rolbypassrls as "bypassesPolicies", rolinherit as inherits
    from pg_catalog.pg_roles where rolname = session_user
  `)
  const [login] = rows
  if (!login) throw new Error('Postgres does not know the role that is logged in.')
  return login
}

/**
 * Every request takes the role `anon`, `authenticated` or `service_role` for its transaction, so its rights are that role's. A login
 * that could do more on its own is one fence less behind that: it should be NOSUPERUSER NOBYPASSRLS NOINHERIT.
 */
export function warnOfRights(login: Login, logger: Logger): void {
  const fields = { login: login.name }
  if (login.superuser)
    logger.warn(
      fields,
      `DATABASE_URL logs in as the superuser ${login.name}: better use a login of its own, see "The login" in packages/database/README.md`,
    )
  if (login.superuser) return // may do all of it anyway
  if (login.bypassesPolicies)
    logger.warn(
      fields,
      `Row Level Security does not hold for the login ${login.name} of DATABASE_URL: take BYPASSRLS from it (alter role ${login.name} nobypassrls)`,
    )
  if (login.inherits)
    logger.warn(
      fields,
      `The login ${login.name} of DATABASE_URL has the rights of its roles at all times: take INHERIT from it (alter role ${login.name} noinherit), see "The login" in packages/database/README.md`,
    )
}
