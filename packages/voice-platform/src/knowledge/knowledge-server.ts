import type { KnowledgeBaseRequest } from '@heyline/platform-client'
import { z } from 'zod'
import type { AskedServer } from '../assistants/server-schema.js'
import type { ModelMessage } from '../engines/engine.js'
import type { Material } from '../engines/material.js'
import { wireMessage } from '../engines/wire-message.js'
import type { Answer } from '../tools/guarded-request.js'
import { boundedJson } from '../work/bounded-json.js'

/** How long a server may take, in seconds, by default and at most: somebody waits. */
const TIMEOUT_SECONDS = 5
const LONGEST_SECONDS = 20
/** Most characters of what is said in place of the model's answer (the platform's own). */
const MOST_SAID = 1_000
/** How the model is told where a document is from. */
const FROM = 'the knowledge base'

/** Sends a message to a server, signed, and waits for the answer. Never rejects. */
export type AskServer = (
  server: AskedServer,
  message: KnowledgeBaseRequest,
  signal: AbortSignal,
) => Promise<Answer | undefined>

/** What a server knows: documents for the model, the most similar first, or words that are said in place of its answer. */
export interface ServerKnowledge {
  documents: Material[]
  said?: string
}

const answered = z.looseObject({
  documents: z.array(z.looseObject({ content: z.string(), similarity: z.number().optional() })).nullish(),
  message: z
    .looseObject({
      content: z.string().nullish(),
      contents: z.array(z.looseObject({ text: z.string().optional() })).nullish(),
    })
    .nullish(),
})

/** Asks the server of a knowledge base for what fits this conversation. Rejects with an `Error` that says what the server did not do. */
export async function askKnowledge(
  ask: AskServer,
  server: AskedServer,
  conversation: readonly ModelMessage[],
  signal: AbortSignal,
): Promise<ServerKnowledge> {
  const timeoutSeconds = Math.min(server.timeoutSeconds ?? TIMEOUT_SECONDS, LONGEST_SECONDS)
  const answer = await ask({ ...server, timeoutSeconds }, requestAbout(conversation), signal)
  if (!answer) throw new Error('The knowledge base has no server.')
  if ('error' in answer) throw new Error(answer.error)
  if (answer.status < 200 || answer.status > 299)
    throw new Error(`The server of the knowledge base answered ${answer.status}.`)
  const { data } = answered.safeParse(boundedJson(answer.text))
  if (!data) throw new Error('The server of the knowledge base did not answer with documents or a message.')
  const said = (data.message?.content ?? data.message?.contents?.[0]?.text ?? '').slice(0, MOST_SAID)
  const documents = (data.documents ?? [])
    .toSorted((one, other) => (other.similarity ?? 0) - (one.similarity ?? 0))
    .map(({ content }) => ({ from: FROM, text: content }))
  return { documents, ...(said !== '' && { said }) }
}

/** What was said, in the form of the platform's reference, and all that the model is about to get. */
function requestAbout(conversation: readonly ModelMessage[]): KnowledgeBaseRequest {
  const wire = conversation.map(wireMessage)
  const messages = wire.flatMap(({ role, content }) =>
    (role === 'user' || role === 'assistant') && content ? [{ role, content }] : [],
  )
  return { type: 'knowledge-base-request', messages, messagesOpenAIFormatted: wire }
}
