import type { Queryable } from '@heyline/database'
import { z } from 'zod'
import { materialLine } from '../engines/material.js'
import type { CallTool } from '../tools/call-tool.js'
import { boundedMaterial } from './bounded-material.js'
import { MOST_BASE_FILES } from './knowledge-base-schema.js'
import type { PassageSearch, SearchedFiles } from './passage-search.js'

/** Longest question of a model, in characters. */
const MOST_QUESTION = 1_000
const MOST_BASES = 20
const words = z.string().max(1_000)

/** A tool of the type `query` (the platform's CreateQueryToolDTO). Its provider and model are taken and not used: the passages are found here. */
const queryTool = z.looseObject({
  type: z.literal('query'),
  function: z
    .looseObject({
      name: z
        .string()
        .regex(/^[\w-]{1,40}$/)
        .optional(),
      description: words.optional(),
    })
    .optional(),
  knowledgeBases: z
    .array(
      z.looseObject({
        name: words,
        description: words,
        fileIds: z.array(z.uuid()).max(MOST_BASE_FILES),
      }),
    )
    .min(1)
    .max(MOST_BASES),
})

interface Searched {
  id: string
  language: string
}

/** What the tools of the type `query` of an assistant do in a call. The model gives the words alone: which files they are looked for in, the tool says. */
export function queryTools(
  { db, passages }: { db: Queryable; passages: PassageSearch },
  tools: readonly unknown[],
): CallTool[] {
  return tools.flatMap((given) => {
    const tool = queryTool.safeParse(given).data
    if (!tool) return []
    const bases = tool.knowledgeBases.map(({ name, description }) => `${name}: ${description}`)
    const fileIds = [...new Set(tool.knowledgeBases.flatMap((base) => base.fileIds))]
    return {
      model: {
        name: tool.function?.name ?? 'query',
        description: `${tool.function?.description ?? 'Looks something up in files.'}\n${bases.join('\n')}`,
        parameters: {
          type: 'object',
          properties: { question: { type: 'string', description: 'The words to look for.' } },
          required: ['question'],
        },
      },
      async run({ question }) {
        if (typeof question !== 'string' || question.trim() === '') return { error: 'Give the question.' }
        const found = await passages.find(await searchedFiles(db, fileIds), question.slice(0, MOST_QUESTION))
        const material = boundedMaterial(found)
        return { result: material.length === 0 ? 'Nothing was found.' : materialLine(material).content }
      },
    }
  })
}

/** Files of the installation alone: a visitor's own are nobody else's, whoever names them. */
async function searchedFiles(db: Queryable, ids: readonly string[]): Promise<SearchedFiles> {
  const { rows } = await db.query<Searched>(
    `select id, language from voice_platform.files where status = 'done' and visitor_slug is null and id = any ($1::uuid[])`,
    [`{${ids.join(',')}}`],
    { prepared: true },
  )
  const fileIds = rows.map(({ id }) => id)
  const languages = [...new Set(rows.map(({ language }) => language))]
  return { fileIds, languages }
}
