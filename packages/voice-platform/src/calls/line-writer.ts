import { isOutage, type Queryable } from '@heyline/database'
import { BatchWriter } from '@heyline/kit/batch-writer'
import { type CallLines, writeLines } from './call-lines.js'

/** How long what is to be written waits for what other conversations bring, in milliseconds. */
const GATHERED_MS = 250
/** Most of one statement: conversations, and characters of what was said in them. */
const MOST_AT_ONCE = 100
const MOST_CHARACTERS = 4_000_000

/**
 * Stores the lines of this process's conversations. What two hundred of them say in a quarter of a second is one transaction, and not fifty: each
 * waits for the disk. A conversation writes again when its last write is done. What is written is stored, or its call is not in progress here.
 */
export const lineWriter = (db: Queryable, owner: string): BatchWriter<CallLines> =>
  new BatchWriter<CallLines>({
    write: (changes) => writeLines(db, owner, changes),
    mostItems: MOST_AT_ONCE,
    mostCharacters: MOST_CHARACTERS,
    charactersOf: ({ lines }) => lines.reduce((sum, { message }) => sum + message.length, 0),
    gatheredMs: GATHERED_MS,
    // Whose lines they are that cannot be stored, only each by itself can show. A database that is away takes none.
    isOfSome: (error) => !isOutage(error),
  })
