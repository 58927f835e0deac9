import type { Db } from '@heyline/database'
import { steadyClock, systemClock } from '@heyline/kit/clock'
import { pino } from 'pino'
import { CallKnowledge, type KnowledgeScope } from '../knowledge/call-knowledge.js'
import type { FileOwner } from '../knowledge/file-store.js'
import { Knowledge, type KnowledgeOptions } from '../knowledge/knowledge.js'
import { parseFile } from '../knowledge/parsing/parse-file.js'
import { PassageSearch } from '../knowledge/passage-search.js'

/** Knowledge that reads files in the test's own thread. */
export const knowledgeOf = (db: Db, options: KnowledgeOptions = {}): Knowledge =>
  new Knowledge(db, { read: ({ kind, content }) => parseFile(kind, content), ...options })

/** Stores a text as a file. */
export const storeText = (knowledge: Knowledge, owner: FileOwner, name: string, text: string) =>
  knowledge.take(owner, { name, content: Buffer.from(text) }, 'private key')

/** What a call with this scope looks up. */
export const callWith = (db: Db, scope: KnowledgeScope): CallKnowledge =>
  new CallKnowledge({
    ...{ db, passages: new PassageSearch(db), scope },
    ...{ clock: steadyClock(systemClock), logger: pino({ level: 'silent' }) },
  })
