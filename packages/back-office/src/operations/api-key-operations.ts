import { z } from 'zod'
import { API_KEY_DAYS, apiKeyLine } from '../api-keys/api-key-line.js'
import { ROLES } from '../operators/role.js'
import { json, operation } from './operation.js'

const LONGEST = 10_000

/** Keys for an operator's own tools. A key opens what its role opens, and nothing that needs a step-up. */
export const apiKeyOperations = {
  list: operation({
    method: 'GET',
    path: '/api-keys',
    summary: "One's own API keys, the newest first; with an API key, that one alone",
    role: 'viewer',
    answer: json(z.array(apiKeyLine)),
  }),
  add: operation({
    method: 'POST',
    path: '/api-keys',
    summary: 'Makes an API key, and shows it this once',
    role: 'viewer',
    stepUp: true,
    body: z.object({
      name: z.string().trim().min(1, 'Give the key a name').max(64),
      role: z.enum(ROLES),
      days: z.number().int().min(1).max(API_KEY_DAYS),
    }),
    longest: LONGEST,
    answer: json(apiKeyLine.extend({ key: z.string() })),
    audit: 'api_key_added',
    notes: ['name', 'role', 'expiresAt'],
  }),
  revoke: operation({
    method: 'POST',
    path: '/api-keys/revoke',
    summary: "Ends one of one's own API keys; an API key ends itself only",
    role: 'viewer',
    body: z.object({ id: z.uuid() }),
    longest: LONGEST,
    answer: json(apiKeyLine),
    audit: 'api_key_revoked',
    isRepeatable: true,
    notes: ['name'],
  }),
}
