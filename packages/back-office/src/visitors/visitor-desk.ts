import { isDeepStrictEqual } from 'node:util'
import {
  addVisitor,
  type ImportOptions,
  type ImportReport,
  importVisitors,
  type ListedVisitor,
  listVisitors,
  measureVisitors,
  type NewVisitor,
  removeVisitor,
  removeVisitors,
  storeVisitors,
  updateVisitor,
  type Visitor,
  type VisitorChanges,
  VisitorError,
  type Visitors,
  visitorsOf,
} from '@heyline/backend'
import type { Db } from '@heyline/database'
import type { InTurn } from '@heyline/kit/waiting-line'
import type { Logger } from 'pino'
import { actAsOperator, actorOf } from '../audit/event-actor.js'
import { NO_LINE, type PartsLine } from '../audit/parts-line.js'
import { each } from '../lines/each.js'
import { changeInParts } from '../undo/change-in-parts.js'
import { type UndoableDone, undoable } from '../undo/visitor-undo.js'
import { refuseMuch } from './most-imported.js'
import { toldVisitors } from './told-visitors.js'

/** With what takes a change back; `undoId` is null where nothing does. */
export type Undoable<Result> = Result & { undoId: string | null }
/** `isChanged` is false where all was so before; left out where nobody looked. */
export type Seen<Result> = Undoable<Result> & { isChanged?: boolean }

/** How a change of many is made, and what counts it. */
export interface Parts {
  inTurn?: InTurn
  line?: PartsLine
}

export interface DeskImportOptions extends Pick<ImportOptions, 'replace'>, Parts {
  /** Of the part before. */
  undoId?: string | undefined
  /** Aborted when nobody waits for it any more: then nothing is stored. */
  left?: AbortSignal | undefined
}

/**
 * What operators change of visitors, each change in one transaction; but those of many, where none of them has to wait for the others, in parts.
 * No `userId`: whoever asks is no operator. Rejects with a `VisitorError` or an `OperatorsError`.
 */
export interface VisitorDesk {
  /** Nothing takes it back. */
  add(userId: string | undefined, visitor: NewVisitor): Promise<ListedVisitor>
  update(userId: string | undefined, slug: string, changes: VisitorChanges): Promise<Seen<Visitor>>
  remove(userId: string | undefined, slug: string): Promise<Undoable<ListedVisitor>>
  /** Those that are there. */
  removeMany(
    userId: string | undefined,
    slugs: string[],
    parts?: Parts,
  ): Promise<Undoable<{ removed: number }>>
  /** Those that are not as is asked for. */
  setListed(
    userId: string | undefined,
    slugs: string[],
    listed: boolean,
    parts?: Parts,
  ): Promise<Undoable<{ changed: number }>>
  /** All of them or none, within bounds: rejects with a `LinesError` beyond. */
  import(
    userId: string | undefined,
    batches: NewVisitor[][],
    options: DeskImportOptions,
  ): Promise<Seen<ImportReport>>
  /** The visitors of these slugs that are there, in parts of a few megabytes. */
  some(slugs: readonly string[]): AsyncIterable<Visitor[]>
  /** Runs a change of the table when its turn has come, where the table is ours; else at once: it holds nobody up here. */
  inTurn<Done>(inTurn: InTurn, change: () => Promise<Done>): Promise<Done>
}

/** The desk on our own table. */
export function createVisitorDesk(db: Db): VisitorDesk {
  return {
    add: (userId, visitor) =>
      db.transaction(async (tx) => {
        await actAsOperator(tx, userId)
        return addVisitor(tx, visitor)
      }),
    update: (userId, slug, changes) =>
      seen(
        undoable(db, { userId, what: 'visitor_changed' }, (tx, kept) =>
          kept([slug], () => updateVisitor(tx, slug, changes)),
        ),
      ),
    remove: (userId, slug) =>
      withUndo(
        undoable(db, { userId, what: 'visitor_removed' }, (tx, kept) =>
          kept([slug], () => removeVisitor(tx, slug)),
        ),
      ),
    async removeMany(userId, slugs, { inTurn = atOnce, line = NO_LINE } = {}) {
      const change = { userId, what: 'visitors_removed', count: 'removed', slugs, inTurn, line }
      const { changed, undoId } = await changeInParts(db, change, removeVisitors)
      return { removed: changed, undoId }
    },
    setListed: (userId, slugs, listed, { inTurn = atOnce, line = NO_LINE } = {}) =>
      changeInParts(
        db,
        { userId, what: 'visitors_listed', count: 'changed', slugs, inTurn, line },
        (tx, these) => listVisitors(tx, these, listed),
      ),
    async import(userId, batches, { replace, undoId, inTurn = atOnce, line = NO_LINE, left }) {
      const all = batches.flat()
      refuseMuch(all)
      const slugs = all.map(({ slug }) => slug)
      const goOn = () => left?.throwIfAborted()
      const change = { userId, what: 'visitors_imported', undoId }
      return await storeVisitors('', () =>
        inTurn(() =>
          seen(
            undoable(db, change, async (tx, kept) => {
              goOn()
              if (replace) refuseMuch(all, await measureVisitors(tx, slugs))
              const report = await kept(slugs, () =>
                importVisitors(tx, each([all]), { replace, onProgress: goOn }),
              )
              await line.count(tx, { ...report })
              return report
            }),
          ),
        ),
      )
    },
    some: (slugs) => visitorsOf(db, slugs),
    inTurn: (inTurn, change) => inTurn(change),
  }
}

const atOnce: InTurn = (part) => part()

/** Visitors that are asked for at once, each by a request of its own. */
const ASKED_AT_ONCE = 20

/** The desk on a table that is hosted elsewhere: nothing is taken back there, and only one is changed at a time. `db` has the timeline. */
export function hostedVisitorDesk(
  visitors: Visitors,
  { db, logger }: { db: Db; logger: Logger },
): VisitorDesk {
  const by = (userId: string | undefined) =>
    toldVisitors(visitors, { db, actor: () => actorOf(db, userId), logger })
  return {
    add: (userId, visitor) => by(userId).add(visitor),
    async update(userId, slug, changes) {
      const before = await visitors.show(slug)
      const after = await by(userId).update(slug, changes)
      return { ...after, undoId: null, isChanged: !isDeepStrictEqual(after, before) }
    },
    remove: async (userId, slug) => ({ ...(await by(userId).remove(slug)), undoId: null }),
    async removeMany(userId, slugs, { line = NO_LINE } = {}) {
      await line.begin()
      let removed = 0
      for (const slug of slugs) {
        const count = await by(userId)
          .remove(slug)
          .then(
            () => 1,
            (error) => notFound(error, 0),
          )
        await line.count(db, { removed: count })
        removed += count
      }
      return { removed, undoId: null }
    },
    async setListed() {
      throw new VisitorError(
        'not_supported',
        'A hosted table is not known to have a column listed: set it there',
      )
    },
    import: async (userId, batches, { replace }) => ({
      ...(await by(userId).import(each(batches), { replace })),
      undoId: null,
    }),
    inTurn: (_, change) => change(),
    async *some(slugs) {
      for (let at = 0; at < slugs.length; at += ASKED_AT_ONCE) {
        const part = slugs.slice(at, at + ASKED_AT_ONCE)
        const found = await Promise.all(
          part.map((slug) => visitors.show(slug).catch((error) => notFound(error, undefined))),
        )
        yield found.filter((visitor) => visitor !== undefined)
      }
    },
  }
}

async function withUndo<Result>(done: Promise<UndoableDone<Result>>): Promise<Undoable<Result>> {
  const { result, undoId } = await done
  return { ...result, undoId }
}

async function seen<Result>(done: Promise<UndoableDone<Result>>): Promise<Seen<Result>> {
  const { result, undoId, isChanged } = await done
  return { ...result, undoId, isChanged }
}

function notFound<Instead>(error: unknown, instead: Instead): Instead {
  if (error instanceof VisitorError && error.code === 'visitor_not_found') return instead
  throw error
}
