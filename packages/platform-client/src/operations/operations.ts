import type { Operation } from './operation.js'
import type { ResourceName, Resources } from './resources.js'

/** The names of a list's common query parameters. */
const listQuery = [
  'limit',
  'createdAtGt',
  'createdAtLt',
  'createdAtGe',
  'createdAtLe',
  'updatedAtGt',
  'updatedAtLt',
  'updatedAtGe',
  'updatedAtLe',
] as const

/** A row whose resource and name have types, so that a misspelt one does not compile. */
type TypedOperation = {
  [R in ResourceName]: Operation & { resource: R; name: keyof Resources[R] }
}[ResourceName]

/** Every operation that the client has. The client's methods are made from these rows, and from nothing else. */
// biome-ignore format: one operation a line
export const operations = [
  { resource: 'calls', name: 'create', method: 'POST', path: '/call', query: [], body: 'json', auth: 'bearer', deprecated: false },
  { resource: 'calls', name: 'createWeb', method: 'POST', path: '/call/web', query: [], body: 'json', auth: 'bearer', deprecated: false },
  { resource: 'calls', name: 'list', method: 'GET', path: '/call', query: ['id', 'assistantId', 'phoneNumberId', ...listQuery], body: 'none', auth: 'bearer', deprecated: false },
  { resource: 'calls', name: 'get', method: 'GET', path: '/call/{id}', query: [], body: 'none', auth: 'bearer', deprecated: false },
  { resource: 'assistants', name: 'list', method: 'GET', path: '/assistant', query: [...listQuery], body: 'none', auth: 'bearer', deprecated: false },
  { resource: 'assistants', name: 'create', method: 'POST', path: '/assistant', query: [], body: 'json', auth: 'bearer', deprecated: false },
] as const satisfies readonly TypedOperation[]

type Row = (typeof operations)[number]

/** Names with types and no row; `never` while the table is complete. */
type Missing = {
  [R in ResourceName]: Exclude<keyof Resources[R], Extract<Row, { resource: R }>['name']>
}[ResourceName]

/** Fails to compile when an operation has types and no row. */
type AssertComplete<Names extends never> = Names
export type Complete = AssertComplete<Missing>
