import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Db, Queryable } from '@heyline/database'
import type { InTurn } from '@heyline/kit/waiting-line'
import { parsePhoneNumber } from '../call/phone-number.js'
import { writeAudit } from '../gate/audit.js'
import { addNumbers, type DoNotCallPage, listNumbers, removeNumber } from '../gate/do-not-call.js'
import { endListedCalls } from '../gate/switches.js'
import { RecordsError } from './records-error.js'

/**
 * The numbers that are never called, as an operator keeps them. A call that rings at a number, or is just being placed, ends when the number
 * is put on the list. Each change is written to the audit, without the numbers.
 */
export interface DoNotCall {
  /** Puts numbers, written in any international form, on the list; `added` are new. One that is none refuses them all. */
  add(numbers: readonly string[]): Promise<{ numbers: string[]; added: number }>
  /** Takes one off; rejects where it is not on the list. */
  remove(number: string): Promise<{ number: string }>
  /** By number, page by page. */
  list(part: { limit: number; after?: string | undefined }): Promise<DoNotCallPage>
  /**
   * Puts all of a file's numbers (E.164, as `parsePhoneNumber` gives them) on the list; `added` are new. One that is none refuses them all.
   * They are stored in parts, each for good: where it breaks off, those before are on the list, and the file can be sent again. `count` hears
   * how many are new of each part, in its transaction.
   */
  import(phones: readonly string[], inTurn?: InTurn, count?: CountAdded): Promise<{ added: number }>
}

export type CountAdded = (tx: Queryable, added: number) => Promise<void>

/** How many numbers one transaction stores. */
const PART_SIZE = 10_000
const E164_FORM = /^\+[1-9]\d{1,16}$/

export function createDoNotCall(db: Db): DoNotCall {
  return {
    async add(numbers) {
      const phones = numbers.map(parsed)
      const added = await db.transaction(async (tx) => {
        const count = await addNumbers(tx, phones, 'command')
        if (count > 0) await writeAudit(tx, 'do_not_call_added', { numbers: count })
        return count
      })
      await endListedCalls(db)
      return { numbers: phones, added }
    },
    async remove(text) {
      const number = parsed(text, 0, [text])
      await db.transaction(async (tx) => {
        if (!(await removeNumber(tx, number)))
          throw new RecordsError('not_listed', 'The number is not on the do-not-call list')
        await writeAudit(tx, 'do_not_call_removed', { numbers: 1 })
      })
      return { number }
    },
    list: ({ limit, after }) =>
      listNumbers(db, { limit, after: after === undefined ? undefined : parsed(after, 0, [after]) }),
    async import(phones, inTurn = (part) => part(), count = async () => {}) {
      for (let at = 0; at < phones.length; at += PART_SIZE) {
        await othersTurn()
        if (!phones.slice(at, at + PART_SIZE).every((phone) => E164_FORM.test(phone)))
          throw new RecordsError('invalid_phone', 'Not all of these are numbers in E.164; nothing was stored')
      }
      let added = 0
      for (let at = 0; at < phones.length; at += PART_SIZE)
        added += await inTurn(() => importPart(db, phones.slice(at, at + PART_SIZE), count))
      return { added }
    },
  }
}

async function importPart(db: Db, phones: readonly string[], count: CountAdded): Promise<number> {
  const numbers = await db.transaction(async (tx) => {
    const added = await addNumbers(tx, phones, 'import')
    if (added > 0) await writeAudit(tx, 'do_not_call_imported', { numbers: added })
    await count(tx, added)
    return added
  })
  await endListedCalls(db)
  return numbers
}

/** The number as the gate reads it. Which of several it is, is told by its place: no error holds a number. */
function parsed(text: string, index: number, all: readonly string[]): string {
  const phone = parsePhoneNumber(text)?.e164
  if (phone !== undefined) return phone
  const which = all.length > 1 ? `Number ${index + 1} of ${all.length}` : 'This'
  throw new RecordsError(
    'invalid_phone',
    `${which} is no valid international number: write it with + and its country code, without an extension`,
  )
}
