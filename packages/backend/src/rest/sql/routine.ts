import type { Queryable } from '@heyline/database'
import { RestError } from '../../errors/rest-error.js'
import type { Arguments } from '../request/call.js'
import { SCHEMA } from '../request/rest-request.js'
import type { Columns } from './table.js'

export interface RoutineInput {
  /** Empty where the function gives it no name. */
  name: string
  /** As SQL has it. */
  type: string
  required: boolean
  variadic: boolean
}

/** A function of the served schema that the role may execute. */
export interface Routine {
  /** Nothing, one value of each row, or rows with columns. */
  kind: 'void' | 'value' | 'rows'
  /** Whether it returns a set; else it returns exactly one row. */
  many: boolean
  inputs: RoutineInput[]
  columns: Columns
}

/** Functions that cannot be called with values (of pseudo-types: triggers, polymorphic and internal ones) are not seen. */
const FIND = `
  select
    p.proretset as many,
    case
      when p.prorettype = 'pg_catalog.void'::pg_catalog.regtype then 'void'
      when outputs.columns is not null or p.prorettype = 'pg_catalog.record'::pg_catalog.regtype or t.typtype = 'c' then 'rows'
      else 'value'
    end as kind,
    coalesce(inputs.list, '[]'::json) as inputs,
    coalesce(outputs.columns, fields.columns, '{}'::json) as columns
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_type t on t.oid = p.prorettype
  cross join lateral (
    select
      json_agg(json_build_object(
        'name', a.name, 'type', pg_catalog.format_type(a.type, null), 'variadic', a.mode = 'v',
        'required', a.place <= p.pronargs - p.pronargdefaults
      ) order by a.place) as list,
      coalesce(bool_or(y.typtype = 'p'), false) as pseudo
    from (
      select u.type, coalesce(p.proargnames[u.at], '') as name, coalesce(p.proargmodes[u.at], 'i') as mode,
        row_number() over (order by u.at) as place
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as u (type, at)
      where coalesce(p.proargmodes[u.at], 'i') in ('i', 'b', 'v')
    ) a
    join pg_catalog.pg_type y on y.oid = a.type
  ) inputs
  cross join lateral (
    select json_object_agg(coalesce(nullif(p.proargnames[u.at], ''), 'column' || u.at), u.type::int8) as columns
    from unnest(p.proallargtypes) with ordinality as u (type, at)
    where p.proargmodes[u.at] in ('o', 'b', 't')
  ) outputs
  cross join lateral (
    select json_object_agg(a.attname, a.atttypid::int8) as columns
    from pg_catalog.pg_attribute a
    where t.typrelid <> 0 and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
  ) fields
  where n.nspname = $1::text and p.proname = $2::text and p.prokind = 'f'
    and pg_catalog.has_function_privilege(p.oid, 'execute')
    and not inputs.pseudo
    and (t.typtype <> 'p'
      or p.prorettype in ('pg_catalog.void'::pg_catalog.regtype, 'pg_catalog.record'::pg_catalog.regtype))
`

/** Finds the function that takes exactly these arguments, or refuses as PostgREST does. */
export async function findRoutine(tx: Queryable, name: string, args: Arguments): Promise<Routine> {
  const { rows } = await tx.query<Routine>(FIND, [SCHEMA, name])
  const names = argumentNames(args)
  const named = names === null ? [] : rows.filter((routine) => takes(routine, names))
  const found = named.length > 0 || args.from === 'address' ? named : rows.filter(takesWholeBody)
  const [routine] = found
  if (routine === undefined) throw notFound(name, args)
  if (found.length > 1) throw ambiguous(name, found)
  return routine
}

/** Whether its only argument has no name and is JSON: it takes a body as it is. */
export function takesWholeBody({ inputs }: Routine): boolean {
  const [only] = inputs
  return inputs.length === 1 && only?.name === '' && /^jsonb?$/.test(only.type)
}

function argumentNames(args: Arguments): Set<string> | null {
  if (args.from === 'address') return new Set(args.values.keys())
  return args.names && new Set(args.names)
}

function takes({ inputs }: Routine, names: ReadonlySet<string>): boolean {
  const given = inputs.filter(({ name }) => name !== '' && names.has(name))
  return given.length === names.size && inputs.every(({ name, required }) => !required || names.has(name))
}

function notFound(name: string, args: Arguments): RestError {
  const names = [...(argumentNames(args) ?? [])].sort()
  const list = names.join(', ')
  const without = ' without parameters'
  const searched = names.length === 0 ? without : ` with parameter${names.length === 1 ? '' : 's'} ${list}`
  const orWhole = args.from === 'body' ? ' or with a single unnamed json/jsonb parameter' : ''
  return new RestError('PGRST202', {
    message: `Could not find the function ${SCHEMA}.${name}${names.length === 0 ? without : `(${list})`} in the schema cache`,
    details: `Searched for the function ${SCHEMA}.${name}${searched}${orWhole}, but no matches were found in the schema cache.`,
  })
}

function ambiguous(name: string, routines: readonly Routine[]): RestError {
  const signatures = routines.map(
    ({ inputs }) =>
      `${SCHEMA}.${name}(${inputs.map((input) => `${input.name} => ${input.type}`).join(', ')})`,
  )
  return new RestError('PGRST203', {
    message: `Could not choose the best candidate function between: ${signatures.join(', ')}`,
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  })
}
