import { useQueryClient } from '@tanstack/react-query'
import { useOffice } from '../office/office.js'
import { textOf } from '../office/refusal.js'
import { toast } from '../ui/toast.js'
import { download } from './download.js'
import { linksOf } from './links-of.js'
import { VISITORS_TEXTS } from './texts.js'

/** What can be done to visitors from anywhere in their list. Each says what it did, and how to take it back. */
export function useVisitorChanges() {
  const office = useOffice()
  const queries = useQueryClient()
  const freshen = () => queries.invalidateQueries({ queryKey: ['visitors'] })
  async function takeBack(id: string): Promise<void> {
    const { left } = await office.undo.apply({ id })
    await freshen()
    if (left > 0) toast({ text: VISITORS_TEXTS.left(left), isBad: true })
  }
  /** For a notice. */
  const undo = (id: string | null | undefined) => (id ? { undo: () => takeBack(id) } : {})
  /** Does it, freshens the list, and says what came of it. */
  async function done<Answer>(
    work: () => Promise<Answer>,
    said: (answer: Answer) => string,
    undoId?: (answer: Answer) => string | null | undefined,
  ): Promise<Answer | undefined> {
    try {
      const answer = await work()
      await freshen()
      toast({ text: said(answer), ...undo(undoId?.(answer)) })
      return answer
    } catch (error) {
      toast({ text: textOf(error, VISITORS_TEXTS.failed), isBad: true })
      return undefined
    }
  }
  return {
    freshen,
    /** Rejects with what the server says. */
    takeBack,
    undo,
    remove: (slug: string, name: string) =>
      done(
        () => office.visitors.remove({ slug }),
        () => VISITORS_TEXTS.removed(name),
        ({ undoId }) => undoId,
      ),
    removeMany: (slugs: string[]) =>
      done(
        () => office.visitors.removeMany({ slugs }),
        ({ removed }) => VISITORS_TEXTS.removedMany(removed),
        ({ undoId }) => undoId,
      ),
    setListed: (slugs: string[], listed: boolean) =>
      done(
        () => office.visitors.setListed({ slugs, listed }),
        ({ changed }) => (listed ? VISITORS_TEXTS.listedMany(changed) : VISITORS_TEXTS.unlistedMany(changed)),
        ({ undoId }) => undoId,
      ),
    duplicate: (slug: string) =>
      done(
        () => office.visitors.duplicate({ slug }),
        (copy) => VISITORS_TEXTS.duplicated(copy.slug),
      ),
    async exportCsv(given: { slugs?: string[]; safe: boolean }) {
      try {
        await download(await office.visitors.exportCsv(given), 'visitors.csv')
      } catch (error) {
        toast({ text: textOf(error, VISITORS_TEXTS.failed), isBad: true })
      }
    },
    async copyLinks(links: string[]) {
      try {
        await navigator.clipboard.writeText(links.join('\n'))
        toast({ text: VISITORS_TEXTS.copied(links.length) })
      } catch {
        toast({ text: VISITORS_TEXTS.copyFailed, isBad: true })
      }
    },
    async copyLinksOf(slugs: readonly string[]) {
      const links = linksOf(office, slugs)
      // A browser lets only the press itself write, so that the text may come later.
      const text = links.then((all) => new Blob([all.join('\n')], { type: 'text/plain' }))
      try {
        await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
        toast({ text: VISITORS_TEXTS.copied(slugs.length) })
      } catch {
        const why = links.then(
          () => VISITORS_TEXTS.copyFailed,
          (error: unknown) => textOf(error, VISITORS_TEXTS.failed),
        )
        toast({ text: await why, isBad: true })
      }
    },
  }
}

export type VisitorChanges = ReturnType<typeof useVisitorChanges>
