import { RestError } from '../../errors/rest-error.js'
import type { Role } from '../../keys/caller.js'
import { BODY_LIMIT, type BodyLimits } from '../request/body.js'
import type { Condition, Filter } from '../request/condition.js'
import type { Field } from '../request/field.js'
import type { RestRequest } from '../request/rest-request.js'

/** The most that a request's body may have, and the most bytes of its answer. */
interface Sizes {
  body: BodyLimits
  answerBytes: number
}

/** The most that a request may ask for; all of it counts over the whole request. */
interface Limits extends Sizes {
  /** Items of `select`, and keys of written rows. */
  columns: number
  /** Rows that are written. */
  rows: number
  /** A list of `any` or `all` is as many as it has items. */
  conditions: number
  /** Items of `order`. */
  ordered: number
  /** Steps of paths into JSON. */
  steps: number
  /** Values of `in`. */
  listed: number
  /** Characters of patterns (`like`, `ilike`): Postgres may try each of them at each place of a text. */
  patterns: number
  /** Characters of all other values. */
  values: number
}

/** For requests without the secret key: anybody can send as many as he likes, so each has to be cheap. */
const ANONYMOUS: Limits = {
  body: { bytes: 100_000, values: 2_500 },
  answerBytes: 2_000_000,
  columns: 100,
  rows: 100,
  conditions: 50,
  ordered: 5,
  steps: 100,
  listed: 500,
  patterns: 500,
  values: 5_000,
}

/** The secret key may do what the wire can. */
const WITH_SECRET: Sizes = {
  body: { bytes: BODY_LIMIT, values: Number.POSITIVE_INFINITY },
  answerBytes: Number.POSITIVE_INFINITY,
}

/** Whether the request comes without the secret key. A token of a signed-in user is as easy to come by as the public key. */
export const isAnonymous = (role: Role): boolean => role !== 'service_role'

export const sizesOf = (role: Role): Sizes => (isAnonymous(role) ? ANONYMOUS : WITH_SECRET)

/** Most parameters, and items of lists in them: more than the limits above let pass. */
const MOST_ITEMS = 700

const LISTS = /^(select|order|columns|(not\.)?(or|and))$/
const LISTED = /^(not\.)?in\./

/** Refuses an anonymous address of too many items before they are read one by one. Throws a `RestError`. */
export function checkUrl(url: string): void {
  let items = 0
  for (const [name, value] of new URL(url).searchParams) {
    items += LISTS.test(name) || LISTED.test(value) ? value.split(',', MOST_ITEMS + 1).length : 1
    refuseAbove(MOST_ITEMS, items, '54001', 'parameters and items of lists in an address')
  }
}

/** Refuses an anonymous request that Postgres could not answer cheaply. Throws a `RestError`. */
export function checkAnonymous(request: RestRequest): void {
  const { columns, rows, conditions, ordered, steps, listed, patterns, values } = ANONYMOUS
  const { selection } = request
  const filters = 'filters' in request ? leavesOf(request.filters) : []
  const order = 'order' in request ? request.order : []
  const fields = [...selection.flatMap((item) => (item === '*' ? [] : [item.field])), ...filters.map(fieldOf)]
  refuseAbove(columns, selection.length, '54011', 'columns in select')
  refuseRepeated(request)
  for (const { operation } of filters) refuseRegularExpression(operation.operator)
  refuseAbove(conditions, sum(filters, askedIn), '54001', 'conditions')
  refuseAbove(ordered, order.length, '54001', 'columns in order')
  const path = sum([...fields, ...order.map(fieldOf)], (field) => field.path.length)
  refuseAbove(steps, path, '54001', 'steps of paths into JSON')
  refuseAbove(listed, sum(filters, listedIn), '54001', 'values of in')
  refuseAbove(patterns, sum(filters, patternIn), '54001', 'characters of patterns')
  refuseAbove(values, sum(filters, valueIn), '54001', 'characters of values')
  if (request.action !== 'insert' && request.action !== 'update') return
  refuseAbove(columns, request.payload.columns.length, '54011', 'columns in a row')
  refuseAbove(rows, request.payload.rows, '54001', 'rows to write')
}

/** The answer would be larger than the limit. */
export function answerTooLarge(): RestError {
  return new RestError('54000', {
    message: 'the answer is too large',
    details: `Without the secret key an answer holds at most ${ANONYMOUS.answerBytes} bytes`,
    hint: 'Select fewer columns, or fewer rows with limit.',
  })
}

function refuseAbove(limit: number, found: number, code: '54001' | '54011', what: string): void {
  if (found <= limit) return
  throw new RestError(code, { details: `Without the secret key there may be at most ${limit} ${what}` })
}

/** The same place twice says nothing new, and a large column a hundred times is a large answer. */
function refuseRepeated({ selection }: RestRequest): void {
  const seen = new Set<string>()
  for (const item of selection) {
    const place = item === '*' ? '*' : JSON.stringify([item.field.column, item.field.path])
    if (seen.has(place))
      throw new RestError('42701', {
        message: `column ${item === '*' ? '*' : item.field.column} is selected more than once`,
        details: 'Without the secret key each column and each path into JSON can be selected once',
      })
    seen.add(place)
  }
}

/** Postgres has regular expressions that take it minutes, and no rule tells them all from the others. */
function refuseRegularExpression(operator: Filter['operation']['operator']): void {
  if (operator !== 'match' && operator !== 'imatch') return
  throw new RestError('PGRST127', {
    details: `The operator ${operator} is served with the secret key only`,
    hint: 'Use like or ilike.',
  })
}

function leavesOf(conditions: readonly Condition[]): Filter[] {
  return conditions.flatMap((condition) =>
    'logic' in condition ? leavesOf(condition.conditions) : [condition],
  )
}

const fieldOf = ({ field }: { field: Field }): Field => field

function sum<T>(list: readonly T[], of: (item: T) => number): number {
  return list.reduce((total, item) => total + of(item), 0)
}

const isPattern = ({ operation: { operator } }: Filter): boolean =>
  operator === 'like' || operator === 'ilike'

const askedIn = ({ operation }: Filter): number =>
  'quantifier' in operation ? operation.value.split(',').length : 1

const listedIn = ({ operation }: Filter): number => ('values' in operation ? operation.values.length : 0)

const patternIn = (filter: Filter): number => (isPattern(filter) ? textIn(filter) : 0)

const valueIn = (filter: Filter): number => (isPattern(filter) ? 0 : textIn(filter))

const textIn = ({ operation }: Filter): number => ('value' in operation ? operation.value.length : 0)
