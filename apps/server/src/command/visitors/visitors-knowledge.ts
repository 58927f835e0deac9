import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { MOST_FILE_BYTES } from '@heyline/voice-platform'
import { withKnowledge } from '../place/knowledge-place.js'
import { CommandError } from '../terminal/command-error.js'
import type { CommandContext } from '../terminal/terminal.js'

/** The files of `--knowledge`; false for `--no-knowledge`. */
export type GivenKnowledge = readonly string[] | false

/** A visitor's own knowledge: these files beside those that are there, or none. It is the platform's business, and no part of the visitor's row. */
export async function changeKnowledge(
  context: CommandContext,
  slug: string,
  given: GivenKnowledge,
): Promise<void> {
  const { terminal } = context
  // All of them are looked at before one is sent.
  const files = given === false ? [] : await Promise.all(given.map(read))
  return withKnowledge(context, async (knowledge) => {
    if (given === false) {
      const { removed } = await knowledge.clear({ slug })
      terminal.error(
        `heyline: ${slug} has no knowledge any more: ${removed} ${removed === 1 ? 'file' : 'files'} removed`,
      )
      return
    }
    for (const { name, content } of files) {
      const { file } = await knowledge.add({ slug, name, content: content.toString('base64') })
      terminal.error(`heyline: calls of ${slug} look things up in ${file.name}`)
    }
  })
}

async function read(path: string): Promise<{ name: string; content: Buffer }> {
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
