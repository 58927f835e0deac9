import { z } from 'zod'
import { askedServer } from './server-schema.js'

/** A knowledge base of the developer's own (the platform's CreateCustomKnowledgeBaseDTO). */
export const customKnowledgeBase = z.strictObject({
  provider: z.literal('custom-knowledge-base'),
  server: askedServer,
})
