import type { Actor } from '../audit/audit.js'
import { createOperatorOffice, type OperatorOffice, type OperatorOfficeOptions } from './operator-office.js'
import { hasOwner } from './operator-rows.js'
import { type FirstOwner, SetupLinks } from './setup-links.js'

/** The operators of an installation. */
export interface Operators {
  /** As somebody keeps them: the audit names who. */
  as(actor: Actor): OperatorOffice
  /** Whether somebody may do everything; until then there are setup links. */
  hasOwner(): Promise<boolean>
  /** Makes the first owner by the code of a setup link; `address` is the client's. */
  setUp: SetupLinks['use']
}

export type OperatorsOptions = Omit<OperatorOfficeOptions, 'setupLinks'>

export function createOperators(options: OperatorsOptions): Operators {
  const setupLinks = new SetupLinks(options)
  return {
    as: (actor) => createOperatorOffice({ ...options, setupLinks }, actor),
    hasOwner: () => hasOwner(options.db),
    setUp: (owner: FirstOwner, address) => setupLinks.use(owner, address),
  }
}
