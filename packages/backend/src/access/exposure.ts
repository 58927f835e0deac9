import type { Queryable } from '@heyline/database'

/** Something in the database that the public key must not reach, or that would let it. */
export interface Exposure {
  kind: ExposureKind
  /** What it is about, as SQL names it. */
  object: string
  /** Who can reach it; empty where nobody in particular does. */
  role: string
}

/** What the public key may reach: this is all that is granted on purpose. */
const VISITORS = 'public.visitors'
/** They tell a request about itself: policies ask them, and each reads nothing but the request's own settings. */
const HARMLESS_FUNCTIONS = [
  'private.request_slug()',
  'auth.jwt()',
  'auth.uid()',
  'auth.role()',
  'auth.email()',
]

/** Non-system relations that a role can reach through its schema, with every right it has on them or on a column of them. */
const RELATIONS = `
  select r.rolname as role, c.oid, c.relkind, c.relrowsecurity, c.reloptions, c.relowner,
    format('%I.%I', n.nspname, c.relname) as object,
    (
      select string_agg(right_name, ', ') from unnest(array['select', 'insert', 'update', 'references']) right_name
      where has_any_column_privilege(r.oid, c.oid, right_name)
    ) as column_rights,
    (
      select string_agg(right_name, ', ') from unnest(array['delete', 'truncate', 'trigger']) right_name
      where has_table_privilege(r.oid, c.oid, right_name)
    ) as table_rights
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  cross join pg_catalog.pg_roles r
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and r.rolname in ('anon', 'authenticated') and has_schema_privilege(r.oid, n.oid, 'usage')
`

/** Non-system functions; those that an extension brings only where they are served. */
const FUNCTIONS = `
  select p.oid, p.prosecdef, p.proconfig, n.oid as schema, n.nspname || '.' || p.proname
    || '(' || pg_get_function_identity_arguments(p.oid) || ')' as object
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and (n.nspname = 'public' or not exists (
      select from pg_catalog.pg_depend d
      where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
    ))
`

/** Each asks for rows with `object` and `role`. After Supabase's splinter, and what only this database promises. */
const CHECKS = {
  'table without Row Level Security': `
    select object, role from (${RELATIONS}) reachable
    where relkind in ('r', 'p') and not relrowsecurity and concat(column_rights, table_rights) <> ''`,
  'grant beyond reading visitors': `
    select object || ': ' || concat_ws(', ', column_rights, table_rights) as object, role from (${RELATIONS}) reachable
    where concat(column_rights, table_rights) <> ''
      and not (object = '${VISITORS}' and column_rights = 'select' and table_rights is null)`,
  "view with its owner's rights": `
    select object, role from (${RELATIONS}) reachable
    where relkind in ('v', 'm', 'f') and column_rights is not null
      and (relkind <> 'v' or not coalesce(reloptions && array['security_invoker=true', 'security_invoker=on'], false))`,
  'function that can be called': `
    select object, rolname as role from (${FUNCTIONS}) f cross join pg_catalog.pg_roles r
    where rolname in ('anon', 'authenticated') and has_schema_privilege(r.oid, schema, 'usage')
      and has_function_privilege(r.oid, f.oid, 'execute')
      and object <> all (array[${HARMLESS_FUNCTIONS.map((name) => `'${name}'`).join(', ')}])`,
  'definer function without a search_path': `
    select object, '' as role from (${FUNCTIONS}) f
    where prosecdef and not exists (select from unnest(proconfig) setting where setting like 'search\\_path=%')`,
  'policy that shows every row': `
    select format('%I on %I.%I', policyname, schemaname, tablename) as object, role
    from pg_catalog.pg_policies cross join unnest(roles) role
    where role in ('anon', 'authenticated', 'public') and permissive = 'PERMISSIVE' and (qual = 'true' or with_check = 'true')`,
  'schema that can be added to': `
    select format('%I', nspname) as object, rolname as role
    from pg_catalog.pg_namespace n cross join pg_catalog.pg_roles r
    where rolname in ('anon', 'authenticated') and nspname !~ '^pg_' and has_schema_privilege(r.oid, n.oid, 'create')`,
  'role with more rights than its own': `
    select concat_ws(', ', case when rolsuper then 'superuser' end, case when rolbypassrls then 'bypassrls' end,
      case when rolcreaterole then 'createrole' end, memberships) as object, rolname as role
    from pg_catalog.pg_roles r
    left join lateral (
      select 'member of ' || string_agg(quote_ident(pg_get_userbyid(roleid)), ', ') as memberships
      from pg_catalog.pg_auth_members where member = r.oid
    ) m on true
    where rolname in ('anon', 'authenticated') and (rolsuper or rolbypassrls or rolcreaterole or memberships is not null)`,
} satisfies Record<string, string>

export type ExposureKind = keyof typeof CHECKS

const KINDS = Object.keys(CHECKS).filter((kind): kind is ExposureKind => Object.hasOwn(CHECKS, kind))

/**
 * What is wrong with the grants, policies and functions of a database that holds the visitors, as its owner sees it. Empty when
 * the public key reaches what it should and nothing else. What an operator adds to schema `public` is looked at, too.
 */
export async function findExposures(db: Queryable): Promise<Exposure[]> {
  const found: Exposure[] = []
  for (const kind of KINDS) {
    const { rows } = await db.query<{ object: string; role: string }>(
      `select distinct object::text, role::text from (${CHECKS[kind]}) exposed order by 1, 2`,
    )
    found.push(...rows.map(({ object, role }) => ({ kind, object, role })))
  }
  return found
}
