import {
  authRowsOfNumber,
  eraseNumberFromAuth,
  type Visitor,
  VisitorError,
  type Visitors,
} from '@heyline/backend'
import {
  callRecordsOf,
  callRunning,
  deskRowsOf,
  type ErasedFromDesk,
  eraseFromDesk,
  eraseRefused,
  findToldMessages,
  numberParts,
  type Person,
  type PersonRows,
  platformCallsOf,
  RecordsError,
  refuseRunning,
  slugsOf,
} from '@heyline/call-desk'
import { type Db, DEFAULT_PATIENCE_MS, LONG_PATIENCE_MS, type Queryable } from '@heyline/database'
import { writtenNumber } from '@heyline/kit/written-number'
import {
  eraseCallEvents,
  eraseFromTimeline,
  eraseManyEvents,
  formerSlugsOf,
  timelineRowsOf,
} from '@heyline/timeline'
import {
  eraseFromPlatform,
  eraseVisitorFiles,
  isRunningOnPlatform,
  platformRowsOf,
  visitorFileRows,
} from '@heyline/voice-platform'
import { type Actor, auditOfVisitor, eraseVisitorFromAudit, writeAudit } from '../audit/audit.js'
import { forgetVisitor, undoRowsOf } from '../undo/visitor-undo.js'
import { beginHiding, hideNumber, hidingRowsOf } from './hiding.js'

/** What was erased. */
export interface ErasedPerson extends ErasedFromDesk {
  /** The visitor's own row is gone. */
  visitor: boolean
  /** Slugs that the visitor had before, and that nobody has now: what was stored under them is gone, too. */
  formerSlugs: string[]
  /** Calls in the records of the built-in platform. */
  calls: number
  /** Sessions and chats in them. */
  sessions: number
  chats: number
  /** Second factors of operators that sent their codes to the number. */
  factors: number
  /** Accounts of operators that had the number. */
  accounts: number
  /** Calls that a hosted platform has records of: only it can delete those. */
  hostedCalls: string[]
  /**
   * The number is looked for once more in what others tell: what was asked for before may be written after. Within five hours, or within an
   * hour of the end of calls that run then.
   */
  hidesLater: boolean
}

/** Everything that is stored about a person, in all tables of ours. Rejects with a `RecordsError` or a `VisitorError`. */
export interface People {
  /**
   * Table by table, in parts; a table without rows has one empty part. The first part names a visitor's former slugs as the rows of
   * `formerSlugs`, where there are any: what is stored under them belongs to the person.
   */
  export(person: Person): AsyncIterable<PersonRows[]>
  /**
   * Removes all of it but the do-not-call entry and the money; nothing, while a call of the person may run. The visitor's own row goes first:
   * where a call begins at that moment, this rejects although the row is gone. Then go, in parts, refused requests, with their events, and opens
   * of the page: they are gone also where this rejects after that. Asked again, it erases what is left, whether the row is there or not. Last of all a number is taken out of
   * what other people's calls tell of it: where that is broken off (`hiding_broken_off`), it goes on when asked again. A running server looks
   * for it once more hours later. The audit has a line of the beginning, by `actor`, and one when the number is hidden for good.
   */
  erase(person: Person, actor?: Actor): Promise<ErasedPerson>
}

/** The people in a database, and in the visitors wherever those are. */
export function createPeople(db: Db, visitors: Visitors): People {
  return {
    async *export(given) {
      const person = await withFormerSlugs(given)
      if ('visitor' in person) {
        const { formerSlugs } = person
        if (formerSlugs.length > 0) yield [{ table: 'formerSlugs', rows: formerSlugs }]
        yield [{ table: 'public.visitors', rows: await stored(visitors, person.visitor) }]
        yield [{ table: 'back_office.undo_visitors', rows: await undoRowsOf(db, slugsOf(person)) }]
        for await (const part of visitorFileRows(db, slugsOf(person))) yield [part]
      }
      for await (const part of deskRowsOf(db, person)) yield [part]
      const calls = await platformPersonOf(db, person)
      for await (const part of platformRowsOf(db, calls)) yield [part]
      for await (const part of timelineRowsOf(db, await eventsOf(db, person))) yield [part]
      if ('number' in person)
        yield [await hidingRowsOf(db, person.number), ...(await authRowsOfNumber(db, person.number))]
      else yield [{ table: 'back_office.audit', rows: await auditOfVisitor(db, slugsOf(person)) }]
    },
    async erase(given, actor = { name: 'command' }) {
      const person = await withFormerSlugs(given)
      await refuseRunning(db, person)
      if (await isRunningOnPlatform(db, await platformPersonOf(db, person))) throw callRunning()
      // Before anything is gone: what goes here and in parts is gone also where this rejects.
      await writeAudit(db, actor, 'person_erasing')
      // First of all the page, so that it asks for no further call. It may be in another database, so it cannot be in the transaction.
      const visitor = 'visitor' in person && (await removeForGood(person))
      // What strangers may leave in any number goes in parts. What comes meanwhile goes in the transaction.
      const refused = await eraseRefused(db, person, eraseCallEvents)
      await eraseManyEvents(db, slugsOf(person))
      // It reads everybody's messages. In the transaction nobody's call would pass the gate meanwhile.
      const told = await findToldMessages(db, person)
      const erased = await db.transaction(
        async (tx) => {
          const calls = await platformPersonOf(tx, person)
          const events = await eventsOf(tx, person)
          const desk = await eraseFromDesk(tx, person, told, refused)
          const platform = await eraseFromPlatform(tx, calls)
          // Nothing was erased then: the transaction is rolled back.
          if (platform.running) throw callRunning()
          await eraseVisitorFiles(tx, slugsOf(person))
          await eraseFromTimeline(tx, events)
          if ('number' in person) await beginHiding(tx, person.number)
          const auth = await eraseFromOffice(tx, person)
          const ours = new Set(platform.erased)
          const hostedCalls = calls.callIds.filter((id) => !ours.has(id))
          const { sessions, chats } = platform
          return { ...desk, calls: ours.size, sessions, chats, ...auth, hostedCalls }
        },
        // Nobody's call passes the gate meanwhile, so a process that stands still must not hold it.
        { patienceMs: LONG_PATIENCE_MS, idleMs: DEFAULT_PATIENCE_MS },
      )
      const hidesLater = 'number' in person && (await hide(person.number, actor)) === 'waiting'
      const formerSlugs = 'visitor' in person ? person.formerSlugs : []
      return { ...erased, visitor, formerSlugs, hidesLater }
    },
  }

  /** Twice: a change that the first removal waited for may have kept a copy, and its undo may have stored that again at once. */
  async function removeForGood(person: Extract<Person, { visitor: string }>): Promise<boolean> {
    let isRemoved = false
    for (let time = 0; time < 2; time += 1) {
      await forgetVisitor(db, slugsOf(person))
      if (await removed(visitors, person.visitor)) isRemoved = true
    }
    return isRemoved
  }

  async function hide(number: string, actor: Actor): Promise<'done' | 'waiting'> {
    try {
      return await hideNumber(db, number, actor)
    } catch (cause) {
      throw new RecordsError(
        'hiding_broken_off',
        "The person is erased, but taking the number out of what other people's calls tell was broken off: erase the number again, and it goes on where it stopped. A running server goes on with it within an hour, too",
        { cause },
      )
    }
  }

  /** A slug that another visitor has now stays that visitor's. */
  async function withFormerSlugs(person: Person) {
    if ('number' in person) return person
    const formerSlugs: string[] = []
    for (const slug of await formerSlugsOf(db, person.visitor))
      if ((await stored(visitors, slug)).length === 0) formerSlugs.push(slug)
    return { visitor: person.visitor, formerSlugs }
  }
}

/** Which events tell of the person. */
const eventsOf = async (db: Queryable, person: Person) => ({
  callIds: await callRecordsOf(db, person),
  slugs: slugsOf(person),
})

/** Whose calls, sessions and chats the built-in platform is asked for. */
const platformPersonOf = async (db: Queryable, person: Person) => ({
  ...('number' in person && { number: person.number, written: writtenNumber(numberParts(person.number)) }),
  callIds: await platformCallsOf(db, person),
})

/** What of the person is about operators: their own numbers, and what they did to the visitor. */
async function eraseFromOffice(
  tx: Queryable,
  person: Person,
): Promise<Pick<ErasedPerson, 'factors' | 'accounts'>> {
  if ('number' in person) return await eraseNumberFromAuth(tx, person.number)
  // Once more: somebody may have changed the visitor in between.
  await forgetVisitor(tx, slugsOf(person))
  await eraseVisitorFromAudit(tx, slugsOf(person))
  return { factors: 0, accounts: 0 }
}

const isNotFound = (error: unknown): boolean =>
  error instanceof VisitorError && error.code === 'visitor_not_found'

async function stored(visitors: Visitors, slug: string): Promise<Visitor[]> {
  try {
    return [await visitors.show(slug)]
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

async function removed(visitors: Visitors, slug: string): Promise<boolean> {
  try {
    await visitors.remove(slug)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
