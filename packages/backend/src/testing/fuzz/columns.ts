import type { Random } from './random.js'

export type ColumnType = 'text' | 'uuid' | 'bool' | 'time' | 'int' | 'numeric' | 'jsonb' | 'array'

/** The columns of the tables that requests are made for. */
export const TABLES = {
  visitors: {
    id: 'uuid',
    slug: 'text',
    name: 'text',
    system: 'text',
    first_message: 'text',
    listed: 'bool',
    created_at: 'time',
  },
  ledger: {
    id: 'int',
    name: 'text',
    note: 'text',
    data: 'jsonb',
    made: 'time',
    price: 'numeric',
    tags: 'array',
  },
} satisfies Record<string, Record<string, ColumnType>>

export type TableName = keyof typeof TABLES

export interface Column {
  name: string
  type: ColumnType
}

export const columnsOf = (table: TableName): Column[] =>
  Object.entries(TABLES[table]).map(([name, type]) => ({ name, type }))

const WORDS = [
  'default',
  'hidden-lead-1',
  'hidden-lead-3',
  'there',
  'note 7',
  'Ann',
  'a',
  'é',
  '%',
  'x_y',
  'business',
]
const COMPARED = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isdistinct'] as const
const COMPARABLE = ['eq', 'gt', 'lte'] as const

/** A value of that type, as the address has it before encoding. */
export function sampleOf(type: ColumnType, random: Random): string {
  switch (type) {
    case 'text':
      return random.pick(WORDS)
    case 'uuid':
      return `00000000-0000-4000-8000-${String(random.below(1e12)).padStart(12, '0')}`
    case 'bool':
      return random.pick(['true', 'false'])
    case 'time':
      return random.pick(['2026-01-02', '2026-01-02T03:04:05Z', 'now', 'infinity'])
    case 'int':
      return String(random.below(30))
    case 'numeric':
      return random.pick(['1.5', '0', '-7', '1e3'])
    case 'jsonb':
      return random.pick(['{"a":1}', '{}', '[]', '1', '{"b":{"c":[1]}}'])
    case 'array':
      return random.pick(['{x}', '{x,y}', '{}', '{"a b"}'])
  }
}

/** `operator.value` (with or without `not.`) that Postgres has for that type. */
export function conditionOn(type: ColumnType, random: Random): string {
  const not = random.chance(0.15) ? 'not.' : ''
  return not + plainCondition(type, random)
}

function plainCondition(type: ColumnType, random: Random): string {
  const value = (): string => sampleOf(type, random)
  if (random.chance(0.1)) return `is.${type === 'bool' ? random.pick(['true', 'false', 'null']) : 'null'}`
  switch (type) {
    case 'jsonb':
      return `${random.pick(['eq', 'neq', 'cs', 'cd'])}.${value()}`
    case 'array':
      return `${random.pick(['cs', 'cd', 'ov', 'eq'])}.${value()}`
    case 'text':
      if (random.chance(0.3)) return `${random.pick(['like', 'ilike'])}.*${value()}*`
      if (random.chance(0.1))
        return `${random.pick(['match', 'imatch'])}.^${random.pick(['a', 'h.d', '[a-z]+'])}`
      if (random.chance(0.1))
        return `${random.pick(['fts', 'plfts', 'phfts', 'wfts', 'fts(simple)'])}.business`
      if (random.chance(0.1)) return `${random.pick(['like', 'ilike', 'eq'])}(any).{a*,default}`
  }
  if (random.chance(0.15)) return `in.(${random.several(1, 4, () => quoted(value())).join(',')})`
  if (random.chance(0.05))
    return `${random.pick(COMPARABLE)}(any).{${random.several(1, 3, () => quoted(value())).join(',')}}`
  return `${random.pick(COMPARED)}.${value()}`
}

/** As a list has it. */
export const quoted = (value: string): string =>
  /^[\w-]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`
