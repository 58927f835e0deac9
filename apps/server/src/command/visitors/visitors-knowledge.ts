import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { MOST_FILE_BYTES } from '@heyline/voice-platform'
import type { Json } from '../options/json-option.js'
import { withKnowledge } from '../place/knowledge-place.js'
import { CommandError } from '../terminal/command-error.js'
import type { CommandContext } from '../terminal/terminal.js'
import { counted, harmless, table, timeText } from '../terminal/terminal-text.js'

/** The files of `--knowledge`; false for `--no-knowledge`. */
export type GivenKnowledge = readonly string[] | false

/** A file as it is sent. */
export interface ReadFile {
  name: string
  content: Buffer
}

/** A visitor's own knowledge: these files beside those that are there, or none. It is the platform's business, and no part of the visitor's row. */
export async function changeKnowledge(
  context: CommandContext,
  slug: string,
  given: GivenKnowledge,
): Promise<void> {
  if (given !== false) return sendFiles(context, slug, await readFiles(given))
  return withKnowledge(context, async (knowledge) => {
    const { removed } = await knowledge.clear({ slug })
    context.terminal.error(`heyline: ${slug} has no knowledge any more: ${counted(removed, 'file')} removed`)
  })
}

/** All of them are looked at before one is sent. */
export const readFiles = (paths: readonly string[]): Promise<ReadFile[]> => Promise.all(paths.map(read))

export const sendFiles = (context: CommandContext, slug: string, files: readonly ReadFile[]): Promise<void> =>
  withKnowledge(context, async (knowledge) => {
    for (const { name, content } of files) {
      const { file } = await knowledge.add({ slug, name, content: content.toString('base64') })
      context.terminal.error(`heyline: calls of ${slug} look things up in ${file.name}`)
    }
  })

/** `heyline visitors knowledge`: what there is, or with `--remove` what is left. */
export const showKnowledge = (
  context: CommandContext,
  slug: string,
  { json, remove = [] }: Json & { remove?: readonly string[] },
): Promise<void> =>
  withKnowledge(context, async (knowledge) => {
    const { files } = await knowledge.list({ slug })
    const named = remove.map((name) => {
      const file = files.find(({ id, ...file }) => id === name || file.name === name)
      if (file) return file
      throw new CommandError('file_not_found', `${slug} has no file ${name}: nothing is removed`)
    })
    for (const { id, name } of new Set(named)) {
      await knowledge.remove({ slug, id })
      context.terminal.error(`heyline: calls of ${slug} look nothing up in ${harmless(name)} any more`)
    }
    const left = files.filter((file) => !named.includes(file))
    if (json) context.terminal.log(JSON.stringify(left, null, 2))
    else if (left.length > 0)
      context.terminal.log(
        table(
          left.map(({ name, bytes, status, failure, createdAt }) => [
            harmless(name),
            `${bytes} bytes`,
            failure === null ? status : `${status}: ${harmless(failure)}`,
            timeText(createdAt),
          ]),
        ),
      )
    else context.terminal.error(`heyline: ${slug} has no knowledge of its own`)
  })

async function read(path: string): Promise<ReadFile> {
  try {
    const { size } = await stat(path)
    if (size > MOST_FILE_BYTES)
      throw new CommandError('usage', `${path} has more than ${MOST_FILE_BYTES / 1_000_000} MB: split it`)
    return { name: basename(path), content: await readFile(path) }
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new CommandError('usage', `--knowledge names the file ${path}, which can't be read`, { cause })
  }
}
