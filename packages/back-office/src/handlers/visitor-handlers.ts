import { likeSlug, type NewVisitor, offeredSlug, type VisitorSearch, type Visitors } from '@heyline/backend'
import { bodyOfTexts } from '../csv/csv-file.js'
import type { FileTurns } from '../csv/file-turns.js'
import { previewImport } from '../csv/import-preview.js'
import { visitorsCsv } from '../csv/visitors-csv.js'
import { each } from '../lines/each.js'
import type { VisitorDesk } from '../visitors/visitor-desk.js'
import type { HandlersOf } from './handlers.js'

export interface VisitorHandlersOptions {
  visitors: Visitors
  search: VisitorSearch
  desk: VisitorDesk
  /** Where the pages are. */
  publicUrl: string
  /** Those of all files that operators send. */
  fileTurns: FileTurns
  /** The whole HTML document for a name. */
  renderPage: (name: string, scheme: 'light' | 'dark') => Promise<string>
}

export function visitorHandlers({
  visitors,
  search,
  desk,
  publicUrl,
  fileTurns,
  renderPage,
}: VisitorHandlersOptions): HandlersOf<'visitors'> {
  const linkOf = (slug: string) => `${publicUrl}/${encodeURIComponent(slug)}`
  /** By an operator it is theirs in the timeline. */
  const add = (visitor: NewVisitor, operator: { userId: string } | undefined) =>
    operator ? desk.add(operator.userId, visitor) : visitors.add(visitor)
  return {
    list: (part) => visitors.list(part),
    add: (visitor, { operator }) => add(visitor, operator),
    show: ({ slug }) => visitors.show(slug),
    update: ({ slug, changes }, { operator }) =>
      operator ? desk.update(operator.userId, slug, changes) : visitors.update(slug, changes),
    remove: ({ slug }, { operator }) =>
      operator ? desk.remove(operator.userId, slug) : visitors.remove(slug),
    taken: ({ slugs }) => visitors.taken(slugs),
    import: ({ lines, replace, undoId }, { operator, changeMany, left }) =>
      changeMany((inTurn, line) =>
        operator
          ? desk.import(operator.userId, lines, { replace, undoId, inTurn, line, left })
          : desk.inTurn(inTurn, () => visitors.import(each(lines), { replace })),
      ),
    export: () => visitors.export(),
    search: async ({ text, listed, prompt, order, ...query }) => {
      const found = await search({
        ...query,
        text: text?.replaceAll('\0', ''),
        listed: isYes(listed),
        prompt: isYes(prompt),
        isDescending: order === 'down',
      })
      return {
        ...found,
        visitors: found.visitors.map(({ createdAt, ...visitor }) => ({
          ...visitor,
          ...(createdAt && { createdAt: createdAt.toISOString() }),
          link: linkOf(visitor.slug),
        })),
      }
    },
    links: ({ slugs }) => ({ links: slugs.map(linkOf) }),
    privateSlug: ({ text }) => ({ slug: offeredSlug(text) }),
    duplicate: async ({ slug }, { operator }) => {
      const { name, system, first_message } = await visitors.show(slug)
      const texts = { system: system ?? undefined, firstMessage: first_message ?? undefined }
      const added = await add({ slug: likeSlug(slug), name, ...texts }, operator)
      return { ...added, link: linkOf(added.slug) }
    },
    removeMany: ({ slugs }, { operator, changeMany }) =>
      changeMany((inTurn, line) => desk.removeMany(operator?.userId, slugs, { inTurn, line })),
    setListed: ({ slugs, listed }, { operator, changeMany }) =>
      changeMany((inTurn, line) => desk.setListed(operator?.userId, slugs, listed, { inTurn, line })),
    previewImport: ({ csv, columns, private: isPrivate }, asked) =>
      fileTurns.run(asked, (pass) =>
        previewImport(csv, {
          columns,
          private: isPrivate,
          left: asked.left,
          pass,
          taken: (slugs) => visitors.taken(slugs),
        }),
      ),
    previewPage: async ({ name, scheme }) => ({ html: await renderPage(name, scheme) }),
    exportCsv: async ({ slugs, safe }) => {
      const parts = slugs ? desk.some(slugs) : visitors.export()
      const text = visitorsCsv(parts, { safe, keepsListed: visitors.keepsListed })
      return bodyOfTexts(text)
    },
  }
}

const isYes = (answer: 'yes' | 'no' | undefined) => answer && answer === 'yes'
