import { z } from 'zod'
import { customKnowledgeBase } from '../assistants/knowledge-base-schema.js'
import { resourceName } from '../resources/resource-name.js'

/** Most files of a knowledge base. */
export const MOST_BASE_FILES = 500

const fileIds = z.array(z.uuid()).max(MOST_BASE_FILES)

const files = z.strictObject({
  provider: z.literal('canonical'),
  name: resourceName.optional(),
  fileIds: fileIds.min(1),
})

/** Body of `POST /knowledge-base`. */
export const createKnowledgeBase = z.discriminatedUnion('provider', [files, customKnowledgeBase], {
  error: 'must be one of the following values: canonical, custom-knowledge-base',
})

/** Body of `PATCH /knowledge-base/{id}`, by the provider of what is stored. */
export const updateKnowledgeBase = {
  canonical: files.partial(),
  'custom-knowledge-base': customKnowledgeBase.partial(),
}

/** What is said of the hosted platform's other providers. */
export const OTHER_PROVIDERS: Readonly<Record<string, string>> = {
  trieve:
    'Knowledge bases of Trieve are not served by the built-in voice platform. This needs the hosted platform; use canonical with fileIds, or custom-knowledge-base with a server of your own.',
}
