import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

const LONGEST_NAME = 48

/** A name for this process: what of the machine's name may stand in one, and something that another process of the machine does not have. */
export function newInstanceId(machine = hostname()): string {
  const name = machine.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return `${name.slice(0, LONGEST_NAME) || 'heyline'}-${randomBytes(3).toString('hex')}`
}
