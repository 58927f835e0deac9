import type { PlatformFile } from '@heyline/platform-client'
import { FILE_TYPES, type FileKind } from './parsing/file-kind.js'

/** A row of `voice_platform.files` without its text. */
export interface FileRow {
  id: string
  org_id: string
  name: string
  original_name: string
  kind: FileKind
  bytes: number
  status: 'processing' | 'done' | 'failed'
  failure: string | null
  text_bytes: number | null
  purpose: string | null
  notes: Record<string, unknown> | null
  created_at: Date
  updated_at: Date
}

/** Longer than any file waits, a minute for its asker's and one for the others', is read and stored: whoever read it is gone. */
const READ_FOR = '4 minutes'

/** The columns of a `FileRow`. */
export const FILE_COLUMNS = `id, (select org_id from voice_platform.settings) as org_id, name, original_name, kind, bytes,
  case when status = 'processing' and updated_at < now() - interval '${READ_FOR}' then 'failed' else status end as status,
  case when status = 'processing' and updated_at < now() - interval '${READ_FOR}'
    then 'The server ended while it read the file: send it again.' else failure end as failure,
  text_bytes, purpose, notes, created_at, updated_at`

/** Addresses of what a file holds. */
export interface FileLinks {
  url: string
  parsedTextUrl: string
}

/** A file as the platform shows it. `metadata` is the sender's own; why a file failed is `failure`, which only this platform has. */
export function fileView(row: FileRow, links: FileLinks): PlatformFile & { failure?: string } {
  const isRead = row.status === 'done' && row.text_bytes !== null
  return {
    object: 'file',
    id: row.id,
    orgId: row.org_id,
    name: row.name,
    originalName: row.original_name,
    bytes: row.bytes,
    mimetype: FILE_TYPES[row.kind],
    status: row.status,
    url: links.url,
    ...(isRead && { parsedTextUrl: links.parsedTextUrl, parsedTextBytes: row.text_bytes ?? 0 }),
    ...(row.failure !== null && { failure: row.failure }),
    ...(row.purpose !== null && { purpose: row.purpose }),
    ...(row.notes && { metadata: row.notes }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
