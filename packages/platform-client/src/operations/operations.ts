import type { Operation, OperationRow } from '../api/operation.js'
import { TABLE } from './table.js'

const rows: Readonly<Record<string, Readonly<Record<string, OperationRow>>>> = TABLE

/** Every operation that the client has, in full: what the table says and what holds by default. */
export const operations: readonly Operation[] = Object.entries(rows).flatMap(([resource, methods]) =>
  Object.entries(methods).map(
    ([name, row]): Operation => ({
      query: [],
      body: 'none',
      answer: 'json',
      auth: 'bearer',
      deprecated: false,
      ...row,
      resource,
      name,
    }),
  ),
)
