import type { Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { CreateCustomKnowledgeBase } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { customKnowledgeBase } from '../assistants/knowledge-base-schema.js'
import type { AskedServer } from '../assistants/server-schema.js'
import { isUnheardSpeech, type Model, type ModelMessage } from '../engines/engine.js'
import { type Material, materialLine } from '../engines/material.js'
import { abortable, pause } from '../work/abortable.js'
import { boundedMaterial, sharedMaterial } from './bounded-material.js'
import type { KnowledgeBaseStore } from './knowledge-base-store.js'
import { type AskServer, askKnowledge, type ServerKnowledge } from './knowledge-server.js'
import type { PassageSearch } from './passage-search.js'
import { questionWords } from './question.js'

/** A search that takes longer is left out: the caller waits. In milliseconds. */
const PATIENCE_MS = 300
/** A question of fewer words is taken together with the one before: `and how much is it?` */
const FEW_WORDS = 2
/** How often a call asks whose it is, where nobody knows: its record may be stored a moment after it has begun. */
const MOST_ASKED = 3

/** What a call may look things up in. */
export interface KnowledgeScope {
  knowledgeBaseId?: string | undefined
  /** One that the assistant holds itself. */
  knowledgeBase?: CreateCustomKnowledgeBase | undefined
  /** The slug of the visitor whose call it is, as stored; undefined where it is nobody's, or not known yet. */
  visitor?(): Promise<string | undefined>
}

export interface CallKnowledgeOptions {
  db: Queryable
  passages: PassageSearch
  /** Where the knowledge base's server is found, and how it is asked. Without it, only files are searched. */
  servers?: { bases: Pick<KnowledgeBaseStore, 'serverOf'>; ask: AskServer }
  scope: KnowledgeScope
  clock: Clock
  logger: Logger
}

/** A file that may be searched. */
interface Searched {
  id: string
  language: string
}

const NOTHING: ServerKnowledge = { documents: [] }

/** What one call looks up: in the files of its assistant's knowledge base, or at that one's server, and in the files of its own visitor. Nothing else is reached. */
export class CallKnowledge {
  readonly #options: CallKnowledgeOptions
  #visitor: string | undefined
  #asked = 0
  #last: { question: string; found: Promise<Material[]> } | undefined
  #server: Promise<AskedServer | undefined> | undefined
  #asking: { question: string; found: Promise<ServerKnowledge> } | undefined

  constructor(options: CallKnowledgeOptions) {
    this.#options = options
  }

  /** The model, which is given what fits the caller's last words. */
  model(model: Model): Model {
    const lookUp = async (messages: readonly ModelMessage[], signal: AbortSignal) => {
      const question = questionOf(messages)
      if (question === undefined) return NOTHING
      const [files, server] = await Promise.all([
        this.#lookUpInTime(question, signal),
        this.#askServer(question, messages, signal),
      ])
      return { ...server, documents: sharedMaterial(server.documents, files) }
    }
    return {
      name: model.name,
      async *reply(messages, options) {
        const { said, documents } = await lookUp(messages, options.signal)
        if (said !== undefined) yield said
        else yield* model.reply(documents.length > 0 ? withMaterial(messages, documents) : messages, options)
      },
    }
  }

  /** Never rejects but with the signal's reason. The same turn is asked about once, however often its reply is begun. */
  async #askServer(
    question: string,
    messages: readonly ModelMessage[],
    signal: AbortSignal,
  ): Promise<ServerKnowledge> {
    const { logger, servers } = this.#options
    if (!servers) return NOTHING
    const turn = `${messages.filter(({ role }) => role === 'user').length} ${question}`
    try {
      this.#server ??= this.#findServer()
      // What failed is tried again with the next reply.
      this.#server.catch(() => {
        this.#server = undefined
      })
      const server = await abortable(this.#server, signal)
      if (!server) return NOTHING
      if (this.#asking?.question !== turn) {
        // It ends by its own limit of time: the next try of this turn may want it.
        const found = askKnowledge(servers.ask, server, messages, new AbortController().signal)
        this.#asking = { question: turn, found }
      }
      return await abortable(this.#asking.found, signal)
    } catch (error) {
      signal.throwIfAborted()
      logger.warn({ err: error }, 'a knowledge base could not be asked; the reply is made without it')
      return NOTHING
    }
  }

  async #findServer(): Promise<AskedServer | undefined> {
    const { scope, servers } = this.#options
    const own = customKnowledgeBase.safeParse(scope.knowledgeBase).data
    if (own) return own.server
    return scope.knowledgeBaseId === undefined ? undefined : servers?.bases.serverOf(scope.knowledgeBaseId)
  }

  /** Never rejects but with the signal's reason: without what it would find, the call goes on. */
  async #lookUpInTime(question: string, signal: AbortSignal): Promise<Material[]> {
    const { clock, logger } = this.#options
    if (this.#last?.question !== question) this.#last = { question, found: this.#lookUp(question) }
    const { found } = this.#last
    const over = new AbortController()
    try {
      const late = pause(clock, PATIENCE_MS, over.signal).then(() => undefined)
      late.catch(() => undefined)
      const inTime = await abortable(Promise.race([found, late]), signal)
      if (!inTime) logger.warn({ ms: PATIENCE_MS }, 'a search for passages took too long and was left out')
      return inTime ?? []
    } catch (error) {
      signal.throwIfAborted()
      logger.warn({ err: error }, 'passages could not be looked up; the reply is made without them')
      return []
    } finally {
      over.abort()
    }
  }

  async #lookUp(question: string): Promise<Material[]> {
    const files = await this.#files()
    const fileIds = files.map(({ id }) => id)
    const languages = [...new Set(files.map(({ language }) => language))]
    return boundedMaterial(await this.#options.passages.find({ fileIds, languages }, question))
  }

  async #files(): Promise<Searched[]> {
    const { db, scope } = this.#options
    if (this.#visitor === undefined && scope.visitor && this.#asked < MOST_ASKED) {
      this.#asked += 1
      this.#visitor = await scope.visitor()
    }
    if (scope.knowledgeBaseId === undefined && this.#visitor === undefined) return []
    const { rows } = await db.query<Searched>(
      `select id, language from voice_platform.files where status = 'done' and (
         visitor_slug = $2 or (visitor_slug is null and id in (
           select unnest(file_ids) from voice_platform.knowledge_bases where id::text = lower($1))))`,
      [scope.knowledgeBaseId, this.#visitor],
      { prepared: true },
    )
    return rows
  }
}

/** The caller's last words, with those before where they are few. Undefined where nobody knows what was said. */
function questionOf(messages: readonly ModelMessage[]): string | undefined {
  const said = messages.filter(({ role, content }) => role === 'user' && !isUnheardSpeech(content))
  const last = said.at(-1)?.content
  if (last === undefined || last !== messages.findLast(({ role }) => role === 'user')?.content)
    return undefined
  const before = said.at(-2)?.content
  return questionWords(last).length < FEW_WORDS && before !== undefined ? `${before} ${last}` : last
}

/** Before the caller's last words. What stands before stays as it is, so that models may remember it. */
function withMaterial(messages: readonly ModelMessage[], found: readonly Material[]): ModelMessage[] {
  const place = messages.findLastIndex(({ role }) => role === 'user')
  return messages.toSpliced(place, 0, materialLine(found))
}
