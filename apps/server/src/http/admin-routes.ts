import type { Role } from '@heyline/back-office'
import { maskedRecord } from './masked-numbers.js'

/** Who may use a path of `/-/admin`, and what becomes of it. */
export interface AdminRoute {
  /** The least role. */
  role: Role
  /** What the audit calls it; nothing for what only reads, and for what writes its own line. */
  audit?: string
  /** Fields of the answer that the audit keeps. None of them holds a number or a text of a visitor. */
  notes?: readonly string[]
  /** What a viewer gets in place of the answer. */
  masked?: (answer: object) => object
}

/** Every path that an operator may use. One without a line is for the secret key only, and so is a path that comes later. */
export const ADMIN_ROUTES: Readonly<Record<string, AdminRoute>> = {
  'GET /visitors': { role: 'viewer' },
  'GET /visitor': { role: 'viewer' },
  'POST /visitors/taken': { role: 'editor' },
  'POST /visitors': { role: 'editor', audit: 'visitor_added', notes: ['slug'] },
  'PATCH /visitor': { role: 'editor', audit: 'visitor_changed', notes: ['slug'] },
  'DELETE /visitor': { role: 'editor', audit: 'visitor_removed', notes: ['slug'] },
  'POST /visitors/import': { role: 'editor', audit: 'visitors_imported', notes: ['added', 'replaced'] },
  'GET /visitors/export': { role: 'editor', audit: 'visitors_exported' },

  'GET /calls': { role: 'viewer' },
  'GET /call': { role: 'viewer', masked: maskedRecord },
  'GET /calls/changes': { role: 'viewer' },
  'GET /calls/status': { role: 'viewer' },
  'GET /calls/export': { role: 'editor', audit: 'calls_exported' },
  'POST /calls/pause': { role: 'editor', audit: 'calls_paused' },
  'POST /calls/resume': { role: 'editor', audit: 'calls_resumed' },
  'POST /calls/reset': { role: 'editor', audit: 'slug_reset', notes: ['slug'] },

  'POST /dnc/list': { role: 'editor' },
  'POST /dnc/add': { role: 'editor', audit: 'do_not_call_added', notes: ['added'] },
  'POST /dnc/remove': { role: 'editor', audit: 'do_not_call_removed' },
  'POST /dnc/import': { role: 'editor', audit: 'do_not_call_imported', notes: ['added'] },

  'POST /person/export': { role: 'owner', audit: 'person_exported' },
  'POST /person/erase': { role: 'owner', audit: 'person_erased' },

  'GET /operators/me': { role: 'viewer' },
  'GET /operators': { role: 'owner' },
  'GET /operators/audit': { role: 'owner' },
  'POST /operators/invite': { role: 'owner' },
  'POST /operators/role': { role: 'owner' },
  'POST /operators/remove': { role: 'owner' },
  'POST /operators/reset': { role: 'owner' },
}
