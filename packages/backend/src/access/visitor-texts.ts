import type { Role } from '../keys/caller.js'

/** What the assistant is told about a visitor, in the table of the page's reads. */
const TABLE = 'visitors'
const TEXTS: ReadonlySet<string> = new Set(['system', 'first_message'])
const NONE: ReadonlySet<string> = new Set()

/**
 * The columns of a table that a role may not touch, though the database would let it: the assistant's texts, where the server keeps them
 * to itself. It is a setting of a server, and servers of both kinds may share a database, so the grants stay as they are.
 */
export const hiddenColumns = (table: string, role: Role, hidesTexts: boolean): ReadonlySet<string> =>
  hidesTexts && table === TABLE && role !== 'service_role' ? TEXTS : NONE
