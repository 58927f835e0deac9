import { type AnalyticsQuery, COLUMNS, GROUPS } from './analytics-query.js'

/** Most values of one `history`: the newest. */
const MOST_VALUES = 1_000

const number = (sql: string) => `round((${sql})::numeric, 6)::float8`
const TIME = `to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** SQL of each operation on a column. */
const OPERATIONS: Readonly<
  Record<AnalyticsQuery['operations'][number]['operation'], (column: string) => string>
> = {
  sum: (column) => number(`sum(${column})`),
  avg: (column) => number(`avg(${column})`),
  min: (column) => number(`min(${column})`),
  max: (column) => number(`max(${column})`),
  count: (column) => `count(${column})`,
  history: (
    column,
  ) => `coalesce(to_jsonb((array_agg(jsonb_build_object('date', ${TIME}, 'value', ${number(column)})
    order by f.created_at desc, f.call_id) filter (where ${column} is not null))[1:${MOST_VALUES}]), '[]')`,
}

/**
 * How many calls ran when each began, itself among them. A call that began before the time and goes on in it counts. One that begins in
 * the moment in which another ends does not meet it.
 */
const running = (start: string, end: string) => `events as (
    select f.call_id, e.at, e.change from voice_platform.call_figures f
    cross join lateral (values (f.started_at, 1), (f.ended_at, -1)) e (at, change)
    where f.started_at < ${end}::timestamptz and (f.ended_at is null or f.ended_at > ${start}::timestamptz and f.ended_at > f.started_at)
      and e.at is not null
  ), r as (
    select call_id, change, sum(change) over (order by at, change rows unbounded preceding)::float8 as running from events
  )`

/** What says the value of a variable in a call, in the order in which a session asks (`callVariables`, and what was read in the call). */
const VARIABLES = {
  read: 'c.variables',
  customers: "c.customer -> 'assistantOverrides' -> 'variableValues'",
  given: "c.overrides -> 'variableValues'",
  squads: "c.script -> 'squad' -> 'membersOverrides' -> 'variableValues'",
}
const PLACES = Object.keys(VARIABLES).map((name) => `v.${name}`)
/** Each call is unpacked once for all variables: without the `offset`, it would be for each of them. */
const WITH_VARIABLES = `join voice_platform.calls c on c.id = f.call_id
    cross join lateral (select ${Object.entries(VARIABLES)
      .map(([name, values]) => `${values} as ${name}`)
      .join(', ')} offset 0) v`

/** The value that a variable had in a call, as text. One that is set to null has none. */
const variable = (key: string) =>
  `case ${PLACES.map((values) => `when ${values} ? ${key} then ${values} ->> ${key}`).join(' ')} end`

/** Whether it asks how many calls ran at once. */
export const isConcurrent = ({ operations }: Pick<AnalyticsQuery, 'operations'>): boolean =>
  operations.some(({ column }) => column === 'concurrency')

/** One statement that answers a query: columns `c0`, `c1`, … in the order of `resultNames`, and one row more than the most. */
export function analyticsSql(
  query: AnalyticsQuery,
  { start, end, most }: { start: Date; end: Date; most: number },
): { sql: string; parameters: unknown[] } {
  const { operations, groupBy, groupByVariableValue } = query
  const { step, timezone } = query.timeRange
  const parameters: unknown[] = []
  const parameter = (value: unknown) => `$${parameters.push(value)}`
  const from = parameter(start)
  const until = parameter(end)
  const variables = groupByVariableValue.map(({ key }) => `${parameter(key)}::text`)
  const groups = [
    ...(step ? [`date_trunc(${parameter(step)}, f.created_at, ${parameter(timezone)})`] : []),
    ...groupBy.map((name) => GROUPS[name]),
    ...variables.map(variable),
  ]
  const values = operations.map(({ operation, column }) => OPERATIONS[operation](COLUMNS[column]))
  const selected = [...groups, ...values].map((sql, index) => `${sql} as c${index}`)
  const places = groups.map((_, index) => index + 1).join(', ')
  const sql = `${isConcurrent(query) ? `with ${running(from, until)}` : ''}
    select ${selected.join(', ')} from voice_platform.call_figures f
    ${variables.length > 0 ? WITH_VARIABLES : ''}
    ${isConcurrent(query) ? 'left join r on r.call_id = f.call_id and r.change = 1' : ''}
    where f.created_at >= ${from}::timestamptz and f.created_at < ${until}::timestamptz
    ${places && `group by ${places} order by ${places}`} limit ${most + 1}`
  return { sql, parameters }
}
