import type { InTurn } from '@heyline/kit/waiting-line'
import type { Actor } from '../audit/audit.js'
import type { PartsLine } from '../audit/parts-line.js'
import type { Operator } from './operator-access.js'
import type { Visit } from './visit.js'

/** What a handler knows of who asks. */
export interface Asked {
  /** As the audit names them. */
  actor: Actor
  /** Undefined for the secret key, and for anybody. */
  operator: Operator | undefined
  /** The API key that was sent; undefined where they came in otherwise. */
  keyId?: string | undefined
  request: Request
  /** The same, as the console's sessions see it. */
  visit: Visit
  /** Rejects where they would not be let in to this operation any more. */
  check: () => Promise<unknown>
  /** Aborted when the client goes away. */
  left: AbortSignal
  /** Reads much when the turn has come, as searches do. Rejects with an `OperatorsError`, `too_many_reads`, or with the reason of `left`. */
  readMuch: InTurn
  /**
   * Changes many rows when the turn has come, in parts, which are counted in one line of the audit. Rejects with an `OperatorsError`,
   * `too_many_changes`, or with the reason of `left`.
   */
  changeMany: <Changed>(change: (inTurn: InTurn, line: PartsLine) => Promise<Changed>) => Promise<Changed>
}

/** Whose turns a request takes: an operator's, or those of the secret key. */
export const nameOf = ({ operator }: Pick<Asked, 'operator'>): string => operator?.userId ?? 'secret key'

export const isViewer = ({ operator }: Pick<Asked, 'operator'>): boolean => operator?.role === 'viewer'

/** An owner, or the secret key. */
export const isOwner = ({ operator }: Pick<Asked, 'operator'>): boolean =>
  operator === undefined || operator.role === 'owner'
