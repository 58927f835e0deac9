import type { Db, Queryable } from '@heyline/database'
import type { CreateAssistant } from '@heyline/platform-client'
import { AssistantStore } from './assistants/assistant-store.js'

/** The assistant and the caller id of calls that name none. */
export interface DefaultResources {
  assistantId: string
  phoneNumberId: string
}

/** A number of the range that is kept for fiction and tests (555-01XX): it rings nobody who calls back. */
export const FICTIONAL_NUMBER = '+12025550100'

/** The first assistant of a new installation. Its prompt is short facts, since the offline model answers from these. */
const DEFAULT_ASSISTANT: CreateAssistant = {
  name: 'Demo assistant',
  firstMessage: 'Hello! I am the demo assistant. How can I help you today?',
  // Visitors give it first messages of their own, of any length: it listens while it greets.
  firstMessageInterruptionsEnabled: true,
  model: {
    provider: 'openai',
    model: 'gpt-4o-mini',
    maxTokens: 250,
    messages: [
      {
        role: 'system',
        content: [
          'You are the demo assistant on a phone call. Answer in one or two short sentences.',
          'You are part of a tool that answers customer calls, handles questions and guides customers.',
          'A business gives the assistant its own words, and the assistant speaks with its callers.',
          'Say that you are an AI assistant when you are asked.',
        ].join(' '),
      },
    ],
  },
}

interface Defaults {
  default_assistant_id: string | null
  default_phone_number_id: string | null
}

/** Finds or makes the default assistant and caller id. The settings row is locked meanwhile, so that two processes make one pair. */
export function ensureDefaults(db: Db): Promise<DefaultResources> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<Defaults>(
      'select default_assistant_id, default_phone_number_id from voice_platform.settings for update',
    )
    const found = rows[0]
    const assistantId =
      found?.default_assistant_id ?? (await new AssistantStore(tx).create(DEFAULT_ASSISTANT)).id
    const phoneNumberId = found?.default_phone_number_id ?? (await ensureNumber(tx))
    await tx.query(
      'update voice_platform.settings set default_assistant_id = $1, default_phone_number_id = $2',
      [assistantId, phoneNumberId],
    )
    return { assistantId, phoneNumberId }
  })
}

async function ensureNumber(tx: Queryable): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into voice_platform.phone_numbers (number) values ($1)
     on conflict (number) do update set updated_at = now() returning id`,
    [FICTIONAL_NUMBER],
  )
  const [row] = rows
  if (!row) throw new Error('The database returned no row for the default phone number.')
  return row.id
}
