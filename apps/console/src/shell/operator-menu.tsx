import { lazy } from 'react'
import { ROLE_WORDS } from '../office/roles.js'
import { Icon } from '../ui/icon.js'
import { LateMenu } from '../ui/late-menu.js'
import type { Operator } from '../wire/session-wire.js'
import { SHELL_TEXTS } from './texts.js'

const OperatorEntries = lazy(() => import('./operator-entries.js'))

/** Who is signed in, and behind it what is theirs: the account, the appearance, the way out. */
export function OperatorMenu({
  operator,
  ...doing
}: {
  operator: Operator
  signOut(): Promise<unknown>
  showKeys(): void
}) {
  return (
    <LateMenu
      button={
        <button type="button" className="operator" aria-label={SHELL_TEXTS.operator}>
          <span className="operator-letter" aria-hidden="true">
            {operator.email.slice(0, 1).toUpperCase()}
          </span>
          <span className="operator-who">
            <span>{operator.email}</span>
            <span className="hint">{ROLE_WORDS[operator.role]}</span>
          </span>
          <Icon name="up" />
        </button>
      }
      menu={(button) => <OperatorEntries opens={button} {...doing} />}
    />
  )
}
