import { type ExposureKind, findExposures } from '@heyline/backend'
import type { Queryable } from '@heyline/database'
import { type Finding, warn } from './finding.js'

const CHECK = 'visitor access'

/** What mends each; `heyline db sql` or `psql` runs it. */
const MENDS: Record<ExposureKind, string> = {
  'table without Row Level Security':
    'alter table … enable row level security, or revoke all on it from anon, authenticated',
  'grant beyond reading visitors':
    'revoke all on it from anon, authenticated (from public.visitors: all but select)',
  "view with its owner's rights":
    'alter view … set (security_invoker = true), or revoke all on it from anon, authenticated',
  'function that can be called': 'revoke execute on function … from public, anon, authenticated',
  'definer function without a search_path': "alter function … set search_path = ''",
  'policy that shows every row': 'drop the policy, or have it name the rows it is for',
  'schema that can be added to': 'revoke create on schema … from public, anon, authenticated',
  'role with more rights than its own':
    'alter role … nosuperuser nobypassrls nocreaterole, and revoke its memberships',
}

/** What the page's public key reaches in our own database beyond the visitor that it names. */
export async function checkExposures(db: Queryable): Promise<Finding[]> {
  const exposures = await findExposures(db)
  return exposures.map(({ kind, object, role }) =>
    warn(CHECK, `${kind}: ${object}${role ? ` (${role})` : ''}`, MENDS[kind]),
  )
}
