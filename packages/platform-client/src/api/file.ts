import type { OpenString } from './open-string.js'

/** Body of `files.create`, sent as `multipart/form-data`. */
export interface CreateFile {
  /** A `Blob` has no name of its own; a `File` is sent under its name. */
  file: File | Blob
  /** What the file is for. */
  purpose?: string
  /** The developer's own notes. Sent as JSON text. */
  metadata?: Record<string, unknown>
}

/** Body of `files.update`. */
export interface UpdateFile {
  /** 1–40 characters. */
  name?: string
}

/** A stored file. Its text can be used once `status` is `done`. */
export interface PlatformFile {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  object?: 'file'
  status?: OpenString<'processing' | 'done' | 'failed'>
  /** At most 40 characters. */
  name?: string
  /** The name under which it was uploaded. */
  originalName?: string
  /** Size in bytes. */
  bytes?: number
  purpose?: string
  mimetype?: string
  /** Its key in the storage's bucket. */
  key?: string
  path?: string
  bucket?: string
  /** Where to download it. */
  url?: string
  /** Where to download the text that was read from it. */
  parsedTextUrl?: string
  /** Size of that text in bytes. */
  parsedTextBytes?: number
  metadata?: Record<string, unknown>
}
