import { z } from 'zod'
import { file, json, LONG_PATIENCE_MS, operation, pageSize } from './operation.js'

const AUDIT_LIMIT = 500

const auditLine = z.object({
  at: z.string(),
  actor: z.string(),
  address: z.string().nullable(),
  action: z.string(),
  detail: z.record(z.string(), z.unknown()),
})

export const installationOperations = {
  audit: operation({
    method: 'GET',
    path: '/audit',
    summary: 'Who changed what, the newest first',
    role: 'owner',
    query: z.object({
      limit: pageSize(AUDIT_LIMIT),
      before: z.iso.datetime().optional(),
    }),
    answer: json(z.array(auditLine)),
  }),
  backup: operation({
    method: 'GET',
    path: '/backup',
    summary: 'A backup of the database, as a file',
    role: 'secret-key',
    answer: file('application/gzip'),
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
