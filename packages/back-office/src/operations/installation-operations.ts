import { z } from 'zod'
import { file, json, LONG_PATIENCE_MS, operation } from './operation.js'
import { pageBefore, pageSize } from './query-fields.js'

const AUDIT_LIMIT = 500
/** Each wire may take its time, in ms. */
const HEALTH_MS = 60_000

const auditLine = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  address: z.string().nullable(),
  action: z.string(),
  detail: z.record(z.string(), z.unknown()),
})

/** Of an address, an action or a text. */
const sought = z.string().max(320).optional()

/** Which end each wire uses, and how the server behaves. It holds no secret. */
const settings = z.object({
  version: z.string(),
  node: z.string(),
  publicUrl: z.string(),
  database: z.string(),
  wires: z.array(z.object({ wire: z.string(), end: z.string() })),
  modes: z.array(z.object({ setting: z.string(), value: z.string(), meaning: z.string() })),
})

const finding = z.object({
  /** What was looked at: a setting, a file, a wire. */
  check: z.string(),
  /** `warn` works, but may surprise; `fail` has to be mended. */
  status: z.enum(['ok', 'warn', 'fail']),
  message: z.string(),
  /** What to do; only where something is not ok. */
  mend: z.string().optional(),
})

export const installationOperations = {
  audit: operation({
    method: 'POST',
    path: '/audit',
    summary: 'Who changed what, the newest first',
    role: 'owner',
    // A body: an actor is an address of a person.
    body: z.object({
      limit: pageSize(AUDIT_LIMIT),
      before: pageBefore,
      actor: sought,
      action: sought,
      text: sought,
    }),
    longest: 10_000,
    answer: json(z.object({ lines: z.array(auditLine), next: z.string().nullable() })),
    reads: true,
  }),
  settings: operation({
    method: 'GET',
    path: '/settings',
    summary: 'Which end each wire uses, and how this server behaves',
    role: 'editor',
    answer: json(settings),
    isQuick: true,
  }),
  health: operation({
    method: 'GET',
    path: '/settings/health',
    summary: 'What the doctor says of each part, at most ten seconds old',
    role: 'editor',
    answer: json(z.array(finding)),
    patienceMs: HEALTH_MS,
    isQuick: true,
  }),
  keys: operation({
    method: 'POST',
    path: '/keys',
    summary: 'The keys of the built-in ends',
    role: 'owner',
    stepUp: true,
    answer: json(z.array(z.object({ name: z.string(), meaning: z.string(), key: z.string() }))),
    reads: true,
    audit: 'keys_shown',
    isQuick: true,
  }),
  backup: operation({
    method: 'GET',
    path: '/backup',
    summary: 'A backup of the database, as a file that is sealed with HEYLINE_SECRET',
    role: 'secret-key',
    /** On purpose: whoever has the file may read it. */
    query: z.object({ plain: z.enum(['true', 'false']).optional() }),
    answer: file('application/octet-stream'),
    patienceMs: LONG_PATIENCE_MS,
  }),
  rotateKeys: operation({
    method: 'POST',
    path: '/keys/rotate',
    summary: 'Makes a new key that signs access tokens',
    role: 'secret-key',
    answer: json(z.object({ kid: z.string() })),
    audit: 'keys_rotated',
    notes: ['kid'],
  }),
}
