import { z } from 'zod'
import {
  operatorLine,
  operatorRole,
  removedOperator,
  resetLink,
  sentLink,
  setupLink,
} from '../operators/operator-line.js'
import { ROLES } from '../operators/role.js'
import { json, operation } from './operation.js'

/** Several calls at the auth wire, and a mail, in ms. */
const CHANGE_MS = 60_000
const LONGEST = 10_000

const whom = z.object({ email: z.string() })
const whomAndRole = whom.extend({ role: z.string() })

/** Who asks, as the table of operators has them. */
const me = z.object({
  userId: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  aal: z.string().optional(),
})

/** Addresses travel in bodies, never in an address. The changes write their own lines of the audit. */
export const operatorOperations = {
  me: operation({
    method: 'GET',
    path: '/operators/me',
    summary: 'Who asks',
    role: 'viewer',
    answer: json(me),
    isQuick: true,
  }),
  list: operation({
    method: 'GET',
    path: '/operators',
    summary: 'The operators, by address',
    role: 'owner',
    answer: json(z.array(operatorLine)),
    isQuick: true,
  }),
  invite: operation({
    method: 'POST',
    path: '/operators/invite',
    summary: 'Invites somebody, with a new link each time',
    role: 'owner',
    stepUp: true,
    body: whomAndRole,
    longest: LONGEST,
    answer: json(sentLink),
    patienceMs: CHANGE_MS,
  }),
  setRole: operation({
    method: 'POST',
    path: '/operators/role',
    summary: 'Gives an operator another role',
    role: 'owner',
    stepUp: true,
    body: whomAndRole,
    longest: LONGEST,
    answer: json(operatorRole),
    patienceMs: CHANGE_MS,
  }),
  remove: operation({
    method: 'POST',
    path: '/operators/remove',
    summary: 'Takes everything from an operator',
    role: 'owner',
    stepUp: true,
    body: whom,
    longest: LONGEST,
    answer: json(removedOperator),
    patienceMs: CHANGE_MS,
  }),
  reset: operation({
    method: 'POST',
    path: '/operators/reset',
    summary: "Ends an operator's password, sessions and second factors, and makes a link for a new password",
    role: 'owner',
    stepUp: true,
    body: whom,
    longest: LONGEST,
    answer: json(resetLink),
    patienceMs: CHANGE_MS,
  }),
  setup: operation({
    method: 'POST',
    path: '/operators/setup',
    summary: 'A link that makes the first owner',
    role: 'secret-key',
    answer: json(setupLink),
    patienceMs: CHANGE_MS,
  }),
}
