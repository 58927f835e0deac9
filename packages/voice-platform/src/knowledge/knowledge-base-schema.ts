import { z } from 'zod'
import { resourceName } from '../resources/resource-name.js'

/** Most files of a knowledge base. */
export const MOST_BASE_FILES = 500

const fileIds = z.array(z.uuid()).max(MOST_BASE_FILES)
const provider = z.literal('canonical')

/** Body of `POST /knowledge-base`. */
export const createKnowledgeBase = z.strictObject({
  provider,
  name: resourceName.optional(),
  fileIds: fileIds.min(1),
})

/** Body of `PATCH /knowledge-base/{id}`. */
export const updateKnowledgeBase = z.strictObject({
  provider: provider.optional(),
  name: resourceName.optional(),
  fileIds: fileIds.min(1).optional(),
})

/** What is said of the hosted platform's other providers. */
export const OTHER_PROVIDERS: Readonly<Record<string, string>> = {
  trieve:
    'The built-in voice platform has no knowledge bases of Trieve: upload the files, and use the provider canonical with their fileIds.',
  'custom-knowledge-base':
    'The built-in voice platform asks no custom knowledge base: upload the files, and use the provider canonical with their fileIds.',
}
