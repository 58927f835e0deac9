import type { Queryable } from '@heyline/database'
import type { ChatMessage, CreateAssistant, Customer } from '@heyline/platform-client'
import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import { sizeSql } from '../resources/resource-store.js'
import { storedMessages } from './chat-message.js'

/** Most bytes of a session: what a resource may have. */
const MOST_BYTES = 1_000_000

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

const settingsOf = z.looseObject({
  status: z.string().optional(),
  expirationSeconds: z.number().optional(),
  assistantId: z.string().optional(),
  assistant: z.custom<CreateAssistant>(isObject).optional(),
  customer: z.custom<Customer>(isObject).optional(),
  messages: z.unknown().optional(),
})

/** What a chat goes on with. */
export interface OpenSession {
  assistantId?: string
  /** Its own. The secrets of its tools are sealed. */
  assistantGiven?: CreateAssistant
  customer?: Customer
  /** A member below admin has named that one. */
  isCustomerOfMember?: boolean
  messages: ReturnType<typeof storedMessages>
}

/** The stored sessions, as chats go on with them. */
export class ChatSessions {
  readonly #db: Queryable

  constructor(db: Queryable) {
    this.#db = db
  }

  /** Rejects with an `ApiError` 400 where nothing goes on with it. */
  async open(id: string): Promise<OpenSession> {
    const { rows } = await this.#db.query<{
      settings: unknown
      is_old: boolean
      of_members: string[] | null
    }>(
      `select settings, of_members, coalesce(created_at + (settings ->> 'expirationSeconds')::float8 * interval '1 second' < now(), false) as is_old
       from voice_platform.resources where id = $1 and family = 'session'`,
      [id],
    )
    const [row] = rows
    if (!row) throw new ApiError(400, `Couldn't get session: ${id} does not exist.`)
    const { status, assistantId, assistant, customer, messages } = settingsOf.parse(row.settings)
    if (status === 'completed') throw new ApiError(400, `Session ${id} is completed. Begin another.`)
    if (row.is_old) throw new ApiError(400, `Session ${id} has expired. Begin another.`)
    return {
      ...(assistantId !== undefined && { assistantId }),
      ...(assistant && { assistantGiven: assistant }),
      ...(customer && { customer, isCustomerOfMember: row.of_members?.includes('customer') ?? false }),
      messages: storedMessages(messages),
    }
  }

  /** The session has these messages, too. False where it is gone, or would be too large. */
  async add(tx: Queryable, id: string, messages: readonly ChatMessage[]): Promise<boolean> {
    const { rowCount } = await tx.query(
      `update voice_platform.resources set updated_at = now(),
         bytes = ${sizeSql('settings', 'sealed')} + $3,
         settings = jsonb_set(settings, '{messages}', coalesce(settings -> 'messages', '[]') || $2::jsonb)
       where id = $1 and family = 'session' and octet_length(settings::text) + $3 < ${MOST_BYTES}`,
      [id, messages, Buffer.byteLength(JSON.stringify(messages))],
    )
    return rowCount > 0
  }
}
