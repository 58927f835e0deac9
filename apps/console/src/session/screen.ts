import type { Failure } from '../wire/failure.js'
import type { Factor, Operator } from '../wire/session-wire.js'

/** Which screen is shown, with what it needs. `opened` counts the links: each that is opened has a screen of its own. */
export type Screen =
  | { name: 'opening' }
  | { name: 'sign-in'; notice?: Notice; setupNeeded?: boolean }
  | { name: 'set-up'; code: string; opened: number }
  | { name: 'link'; type: LinkType; tokenHash: string; opened: number }
  | { name: 'new-password'; type: LinkType; email: string }
  | { name: 'forgotten' }
  | { name: 'second-factor'; factors: Factor[] }
  | { name: 'step-up'; email: string; factors: Factor[] }
  | { name: 'add-factor'; isNeeded: boolean }
  | { name: 'recovery-codes'; codes: string[] }
  | { name: 'not-an-operator' }
  | { name: 'unreached'; failure: Failure }
  | { name: 'home'; operator: Operator; factors: Factor[] }

export type LinkType = 'invite' | 'recovery'

/** Why somebody is to sign in again. */
export type Notice = 'ended' | 'signed-out' | 'set-up' | 'own-password'
