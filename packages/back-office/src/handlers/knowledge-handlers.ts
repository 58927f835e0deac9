import { VisitorError, type Visitors } from '@heyline/backend'
import {
  FILE_ENDINGS,
  FileRefused,
  type FileRow,
  type Knowledge,
  MOST_FILE_BYTES,
} from '@heyline/voice-platform'
import { type Asked, nameOf } from '../access/asked.js'
import { OperatorsError } from '../operators/operators-error.js'
import type { HandlersOf } from './handlers.js'

export interface KnowledgeParts {
  /** Undefined where a hosted platform has the calls: they would not reach it. */
  knowledge: Knowledge | undefined
  visitors: Pick<Visitors, 'show'>
}

/** When to send a file again, in seconds. */
const BUSY_SECONDS = 60

/** The visitors' own knowledge. */
export function knowledgeHandlers({ knowledge, visitors }: KnowledgeParts) {
  /** The visitor as stored, and the files. */
  const filesOf = async (given: string) => {
    if (!knowledge)
      throw new OperatorsError(
        'not_supported',
        'Visitors have knowledge of their own on the built-in voice platform only: unset PLATFORM_URL, or upload files to the hosted platform',
      )
    const { slug } = await visitors.show(given)
    return { slug, owner: { visitor: slug }, files: knowledge.files({ visitor: slug }), knowledge }
  }
  const isThere = (slug: string) =>
    visitors.show(slug).then(
      (visitor) => visitor.slug === slug,
      (error) => {
        if (error instanceof VisitorError && error.code === 'visitor_not_found') return false
        throw error
      },
    )
  return {
    async list({ slug: given }) {
      const { slug, files } = await filesOf(given)
      return {
        ...{ slug, files: (await files.list()).map(shown) },
        takes: { endings: [...FILE_ENDINGS], mostBytes: MOST_FILE_BYTES },
      }
    },
    async add({ slug: given, name, content }, asked: Pick<Asked, 'operator' | 'check'>) {
      const { slug, owner, files, knowledge } = await filesOf(given)
      const sent = { name, content: new Uint8Array(Buffer.from(content, 'base64')) }
      const taken = await knowledge.take(owner, sent, nameOf(asked), asked.check).catch(refused)
      // The one before stays where the new one cannot be read.
      if (taken.status === 'failed') {
        await files.delete(taken.id)
        throw new OperatorsError('file_refused', `${taken.name}: ${taken.failure ?? 'it cannot be read'}`)
      }
      // Files go with their visitor, but for one that is stored just after. One that has followed to a new slug is not found here.
      if (!(await isThere(slug)) && (await files.delete(taken.id)))
        throw new OperatorsError(
          'file_gone',
          `The visitor ${slug} was removed or got a new slug while the file was read: the file is not stored`,
        )
      return { slug, file: shown(taken) }
    },
    async remove({ slug: given, id }) {
      const { slug, files } = await filesOf(given)
      const removed = await files.delete(id)
      if (!removed)
        throw new OperatorsError(
          'file_not_found',
          `${slug} has no such file: somebody may have removed it, or put a newer one in its place. Look at the list again`,
        )
      return { slug, file: shown(removed) }
    },
    async clear({ slug: given }) {
      const { slug, files } = await filesOf(given)
      return { slug, removed: await files.deleteAll() }
    },
  } satisfies HandlersOf<'knowledge'>
}

const shown = ({ id, name, bytes, status, failure, created_at }: FileRow) => ({
  ...{ id, name, bytes, status, failure },
  createdAt: created_at.toISOString(),
})

const CODES = {
  invalid_file: 'file_refused',
  too_large: 'file_refused',
  full: 'knowledge_full',
  gone: 'file_gone',
} as const

function refused(error: unknown): never {
  if (!(error instanceof FileRefused)) throw error
  if (error.code === 'busy')
    throw new OperatorsError('busy', error.message, { cause: error, waitSeconds: BUSY_SECONDS })
  throw new OperatorsError(CODES[error.code], error.message, { cause: error })
}
