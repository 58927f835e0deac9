import type { DatabaseError } from '@heyline/database'
import type { Role } from '../../keys/caller.js'

/** HTTP status of whole classes of SQLSTATE, as PostgREST has them; a class that is not here is the request's fault: 400. */
const CLASSES: Record<string, number> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '21': 500,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  // PostgREST says 500; but only the request can be too complex here.
  '54': 400,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
}

const CODES: Record<string, number> = {
  // PostgREST says 500; but here it is the rows of an upsert that meet each other.
  '21000': 400,
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  '57P01': 503,
  // PostgREST says 500; but a later try may succeed.
  '57P02': 503,
  '57P03': 503,
  P0001: 400,
}

/** The HTTP status of what Postgres refused. https://docs.postgrest.org/en/stable/references/errors.html#http-status-codes */
export function databaseStatus({ code, message }: DatabaseError, role: Role): number {
  // An anonymous caller may do better with a key; anybody else may not.
  if (code === '42501') return role === 'anon' ? 401 : 403
  if (code === '22023' && /^role .* does not exist$/s.test(message)) return 401
  const [, raised] = /^PT([2-5]\d\d)$/.exec(code) ?? []
  return Number(raised ?? CODES[code] ?? CLASSES[code.slice(0, 2)] ?? 400)
}
