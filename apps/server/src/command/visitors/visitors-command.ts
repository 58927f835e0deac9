import { readFileSync } from 'node:fs'
import {
  LIST_LIMIT,
  privateSlug,
  type Visitor,
  VisitorError,
  type VisitorPage,
  type Visitors,
} from '@heyline/backend/stored-visitors'
import type { Json } from '../options/json-option.js'
import { withVisitors } from '../place/visitors-place.js'
import { CommandError } from '../terminal/command-error.js'
import { printText } from '../terminal/output.js'
import type { CommandContext, Terminal } from '../terminal/terminal.js'
import { harmless } from '../terminal/terminal-text.js'
import { isLongPrompt, warnOfLongPrompts } from './long-prompts.js'
import type { GivenKnowledge } from './visitors-knowledge.js'

export interface UpdateOptions extends TextOptions {
  slug?: string
  callerId?: string
  knowledge?: GivenKnowledge
}

export interface AddOptions extends TextOptions {
  name: string
  private?: boolean
  knowledge?: readonly string[]
}

export interface TextOptions extends Json {
  name?: string
  system?: string
  firstMessage?: string
  listed?: boolean
}

/** `heyline visitors add`. */
export async function addVisitor(context: CommandContext, given: string, options: AddOptions): Promise<void> {
  const { name, firstMessage, listed, json } = options
  const slug = options.private ? privateSlug(given) : given
  const system = textOf(options.system)
  const send = await knowledgeToSend(context, slug, options.knowledge)
  await withVisitors(context, async (visitors) => {
    const added = await visitors.add({ slug, name, system, firstMessage, listed })
    warnOfLongPrompts(context, isLongPrompt(system) ? 1 : 0)
    context.terminal.log(
      json ? JSON.stringify(added) : `Added ${added.name}: their page is at ${pageOf(added.slug)}`,
    )
  })
  await send()
}

/** Reads the files at once, before anything is stored, and sends them later. */
async function knowledgeToSend(
  context: CommandContext,
  slug: string,
  paths: readonly string[] = [],
): Promise<() => Promise<void>> {
  if (paths.length === 0) return async () => {}
  const { readFiles, sendFiles } = await import('./visitors-knowledge.js')
  const files = await readFiles(paths)
  return () => sendFiles(context, slug, files)
}

/** How many visitors a person is shown at once. */
const SHOWN = 50

/**
 * `heyline visitors list`: a part of them, by slug; that there are more is said on standard error. With `--json` and no
 * `--limit` it is all of them, as one array.
 */
export function listVisitors(
  context: CommandContext,
  { json, limit, after }: Json & { limit?: string; after?: string },
): Promise<void> {
  const most = limit === undefined ? undefined : Number(limit)
  if (limit !== undefined && (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > LIST_LIMIT))
    throw new CommandError(
      'usage',
      `--limit is 1 to ${LIST_LIMIT}, not "${limit}": visitors export gives all of them`,
    )
  return withVisitors(context, async (visitors) => {
    if (json && most === undefined) return listAll(context.terminal, visitors, after)
    const { visitors: list, next } = await visitors.list({ limit: most ?? SHOWN, after })
    if (json) context.terminal.log(JSON.stringify(list, null, 2))
    else if (list.length === 0 && after === undefined)
      context.terminal.log('No visitors yet: add one with heyline visitors add SLUG --name NAME')
    const width = Math.max(...list.map(({ slug }) => slug.length))
    if (!json)
      for (const { slug, name } of list) context.terminal.log(harmless(`${slug.padEnd(width)}  ${name}`))
    if (next !== null)
      context.terminal.error(
        `heyline: there are more: heyline visitors list --limit ${most ?? SHOWN} --after ${next}`,
      )
  })
}

/** Page by page, so that a million of them needs no more memory than a thousand. */
async function listAll(terminal: Terminal, visitors: Visitors, after: string | undefined) {
  let next = after ?? null
  let before = '[\n'
  do {
    const page: VisitorPage = await visitors.list({ limit: LIST_LIMIT, after: next ?? undefined })
    for (const visitor of page.visitors) {
      await printText(`${before}  ${JSON.stringify(visitor)}`, terminal.out)
      before = ',\n'
    }
    next = page.next
  } while (next !== null)
  terminal.log(before === '[\n' ? '[]' : '\n]')
}

/** `heyline visitors show`. */
export function showVisitor(context: CommandContext, slug: string, options: Json): Promise<void> {
  return withVisitors(context, async (visitors) =>
    print(context.terminal, await visitors.show(slug), options),
  )
}

/** `heyline visitors update`. */
export async function updateVisitor(
  context: CommandContext,
  slug: string,
  { json, slug: moved, name, system, firstMessage, listed, callerId, knowledge }: UpdateOptions,
): Promise<void> {
  const changes = { slug: moved, name, system: textOf(system), firstMessage, listed }
  // Both belong to the platform, whose code the other commands do without.
  if (callerId !== undefined)
    await (await import('./visitors-caller-id.js')).chooseCallerId(context, slug, callerId)
  if (knowledge !== undefined)
    await (await import('./visitors-knowledge.js')).changeKnowledge(context, slug, knowledge)
  const isDone = callerId !== undefined || knowledge !== undefined
  if (isDone && Object.values(changes).every((change) => change === undefined))
    return showVisitor(context, slug, { json })
  return withVisitors(context, async (visitors) => {
    const updated = await visitors.update(slug, changes)
    warnOfLongPrompts(context, isLongPrompt(changes.system) ? 1 : 0)
    print(context.terminal, updated, { json })
  })
}

/** `heyline visitors remove`. */
export function removeVisitor(context: CommandContext, slug: string, { json }: Json): Promise<void> {
  return withVisitors(context, async (visitors) => {
    const removed = await visitors.remove(slug)
    context.terminal.log(
      json ? JSON.stringify(removed) : `Removed ${removed.name}: ${pageOf(removed.slug)} is gone`,
    )
  })
}

const pageOf = (slug: string) => `/${encodeURIComponent(slug)}`

function print(terminal: Terminal, visitor: Visitor, { json }: Json) {
  if (json) return terminal.log(JSON.stringify(visitor, null, 2))
  const { slug, name, system, first_message, listed } = visitor
  const rows = [
    ['slug', slug],
    ['name', name],
    ['page', pageOf(slug)],
    ...(listed === undefined ? [] : [['listed', listed ? 'yes' : 'no']]),
    ['first message', first_message ?? '(none)'],
    ['system', system ?? '(none)'],
  ]
  for (const [label = '', text = ''] of rows)
    terminal.log(`${label.padEnd(13)}  ${harmless(text).replaceAll('\n', `\n${' '.repeat(15)}`)}`)
}

/** `@FILE` stands for the file's text. */
function textOf(text: string | undefined): string | undefined {
  if (!text?.startsWith('@')) return text
  const file = text.slice(1)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new VisitorError('invalid_visitor', `--system names the file ${file}, which can't be read`, {
      cause: error,
    })
  }
}
