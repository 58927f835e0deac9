import { HIDDEN_VISITORS } from '../hidden-visitors.js'
import type { WireRequest } from '../wire.js'
import { type Column, columnsOf, conditionOn, quoted, sampleOf, type TableName } from './columns.js'
import type { Random } from './random.js'

/** Who asks: with the public key, which may read only, or with the service's. */
export type Asker = 'public' | 'service'

type Pairs = [string, string][]

/** A request as a well-behaved client writes it. Asked by the service, nearly all of them succeed. */
export function validRequest(random: Random, asker: Asker): WireRequest {
  if (random.chance(0.06)) return functionCall(random)
  if (random.chance(0.02))
    return { method: 'OPTIONS', path: '/rest/v1/visitors', headers: [['origin', 'https://a.example']] }
  const table: TableName = random.chance(asker === 'public' ? 0.1 : 0.5) ? 'ledger' : 'visitors'
  if (asker === 'service' && random.chance(0.35)) return write(random, table)
  if (asker === 'public' && random.chance(0.04)) return write(random, table)
  return read(random, table)
}

function functionCall(random: Random): WireRequest {
  const path = '/rest/v1/rpc/sum_of'
  const [a, b] = [String(random.below(100)), String(random.below(100))]
  if (random.chance(0.5)) return { method: 'GET', path: `${path}?a=${a}&b=${b}`, headers: [] }
  return {
    method: 'POST',
    path,
    headers: [['content-type', 'application/json']],
    body: `{"a":${a},"b":${b}}`,
  }
}

function read(random: Random, table: TableName): WireRequest {
  const columns = columnsOf(table)
  const query: Pairs = []
  const headers: Pairs = []
  if (random.chance(0.6)) query.push(['select', selection(random, columns)])
  query.push(...filters(random, columns))
  if (random.chance(0.3)) query.push(['order', ordering(random, columns)])
  if (random.chance(0.2)) query.push(['limit', String(random.below(50))])
  const paged = random.next()
  if (paged < 0.1) query.push(['offset', String(random.below(4))])
  else if (paged < 0.2) headers.push(['range', `${random.below(2)}-${2 + random.below(30)}`])
  if (random.chance(0.2))
    headers.push(['prefer', `count=${random.pick(['exact', 'exact', 'planned', 'estimated'])}`])
  if (table === 'visitors' && random.chance(0.5))
    headers.push(['x-visitor-slug', random.pick(HIDDEN_VISITORS).slug])
  if (random.chance(0.08)) headers.push(['accept-profile', 'public'])
  if (random.chance(0.05)) {
    headers.push(['accept', 'application/vnd.pgrst.object+json'])
    return request('GET', table, table === 'visitors' ? [['slug', 'eq.default']] : [['id', 'eq.1']], headers)
  }
  return request(random.chance(0.1) ? 'HEAD' : 'GET', table, query, headers)
}

function write(random: Random, table: TableName): WireRequest {
  const columns = columnsOf(table)
  const headers: Pairs = [['content-type', 'application/json']]
  const wishes: string[] = []
  const query: Pairs = []
  if (random.chance(0.5)) wishes.push(`return=${random.pick(['representation', 'minimal', 'headers-only'])}`)
  if (random.chance(0.2)) wishes.push('count=exact')
  if (random.chance(0.2)) query.push(['select', selection(random, columns)])
  const action = random.pick(['insert', 'insert', 'bulk', 'upsert', 'update', 'update', 'delete'] as const)
  const done = (method: string, body?: unknown): WireRequest => {
    if (wishes.length > 0) headers.push(['prefer', wishes.join(',')])
    return {
      ...request(method, table, query, headers),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
  }
  switch (action) {
    case 'insert':
      if (random.chance(0.2)) query.push(['columns', table === 'visitors' ? 'slug,name' : 'id,name'])
      return done('POST', row(random, table))
    case 'bulk': {
      if (random.chance(0.2)) wishes.push('missing=default')
      return done(
        'POST',
        random.several(1, 5, () => row(random, table)),
      )
    }
    case 'upsert':
      wishes.push(`resolution=${random.pick(['merge-duplicates', 'ignore-duplicates'])}`)
      if (random.chance(0.7)) query.push(['on_conflict', 'id'])
      return done('POST', { ...row(random, table), ...(table === 'ledger' && { id: 1 + random.below(20) }) })
    case 'update':
      query.push(...(random.chance(0.5) ? filters(random, columns) : []), onlyOne(random, table))
      return done(
        'PATCH',
        table === 'visitors' ? { name: 'New' } : { note: null, data: { a: [1, null, 'x'] } },
      )
    case 'delete':
      query.push(onlyOne(random, table))
      return done('DELETE')
  }
}

const onlyOne = (random: Random, table: TableName): [string, string] =>
  table === 'visitors' ? ['slug', `eq.new-${random.below(1000)}`] : ['id', `eq.${random.below(40)}`]

function row(random: Random, table: TableName): Record<string, unknown> {
  if (table === 'visitors')
    return { slug: `new-${random.below(1e9)}`, name: 'New', system: random.pick([null, 'é"\\']) }
  return {
    id: 100 + random.below(1e9),
    name: 'New',
    note: null,
    data: { a: random.below(9) },
    tags: ['x'],
    price: 1.25,
  }
}

function selection(random: Random, columns: Column[]): string {
  if (random.chance(0.15)) return '*'
  const items = random.several(1, 4, (): [place: string, item: string] => {
    const { name, type } = random.pick(columns)
    const alias = random.chance(0.15) ? `as_${random.below(1e6)}:` : ''
    if (type === 'jsonb' && random.chance(0.7)) {
      const path = random.pick(jsonPaths(name))
      return [path.replaceAll('->>', '->'), alias + path]
    }
    const cast = random.chance(0.15) ? random.pick(['::text', '::varchar']) : ''
    return [name, alias + (random.chance(0.05) ? `"${name}"` : name) + cast]
  })
  // Each place once: the public key may not ask twice.
  return [...new Map(items).values()].join(',')
}

const jsonPaths = (name: string): string[] => [
  `${name}->a`,
  `${name}->>a`,
  `${name}->b->c->0`,
  `${name}->b->>c`,
]

function filters(random: Random, columns: Column[]): Pairs {
  const one = (): [string, string] => {
    if (random.chance(0.15))
      return [random.pick(['and', 'or', 'not.and', 'not.or']), tree(random, columns, 0)]
    const { name, type } = random.pick(columns)
    if (type === 'jsonb' && random.chance(0.5))
      return random.pick<[string, string]>([
        [`${name}->>a`, `eq.${random.below(9)}`],
        [`${name}->a`, `eq.${random.below(9)}`],
        [`${name}->b->c->>0`, 'in.(1,2)'],
      ])
    return [name, conditionOn(type, random)]
  }
  return random.several(0, 2, one)
}

function tree(random: Random, columns: Column[], depth: number): string {
  const leaf = (): string => {
    if (depth < 3 && random.chance(0.25))
      return `${random.pick(['and', 'or', 'not.and', 'not.or'])}${tree(random, columns, depth + 1)}`
    const { name, type } = random.pick(columns)
    if (type === 'bool') return `${name}.is.true`
    return `${name}.${random.chance(0.2) ? 'not.' : ''}${random.pick(['eq', 'neq'])}.${quoted(sampleOf(type, random))}`
  }
  return `(${random.several(1, 3, leaf).join(',')})`
}

const ordering = (random: Random, columns: Column[]): string =>
  random
    .several(1, 2, () => {
      const { name, type } = random.pick(columns)
      const how = random.pick(['', '.asc', '.desc', '.nullsfirst', '.desc.nullslast'])
      return (type === 'jsonb' ? random.pick([`${name}->a`, `${name}->>a`]) : name) + how
    })
    .join(',')

function request(method: string, table: TableName, query: Pairs, headers: Pairs): WireRequest {
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
  return { method, path: `/rest/v1/${table}${search === '' ? '' : `?${search}`}`, headers }
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')
