import { setImmediate as othersTurn } from 'node:timers/promises'
import type { CallOffice, OperatorDesk } from '@heyline/call-desk'
import type { FileTurns } from '../csv/file-turns.js'
import { readNumbers } from '../csv/numbers.js'
import type { HandlersOf } from './handlers.js'

/** Bad lines that are told; nobody reads more of them. */
const MOST_BAD = 200
/** Most rows of a file. */
const MOST_ROWS = 1_000_000
/** What is looked at in one go, in bytes. */
const PART = 1_048_576
/** Numbers that one statement looks up. */
const LOOKED_UP = 10_000

export const doNotCallHandlers = (
  { doNotCall }: CallOffice,
  desk: OperatorDesk,
  fileTurns: FileTurns,
): HandlersOf<'doNotCall'> => {
  async function listedOf(numbers: string[], left: AbortSignal): Promise<number> {
    let listed = 0
    for (let at = 0; at < numbers.length; at += LOOKED_UP) {
      await othersTurn()
      left.throwIfAborted()
      listed += await desk.countListed(numbers.slice(at, at + LOOKED_UP))
    }
    return listed
  }
  return {
    list: (part) => doNotCall.list(part),
    add: ({ numbers }) => doNotCall.add(numbers),
    remove: ({ number }) => doNotCall.remove(number),
    previewImport: async ({ csv }, asked) => {
      const { left } = asked
      const { phones, bad } = await fileTurns.run(asked, (pass) =>
        readNumbers(parts(Buffer.from(csv)), { most: MOST_ROWS, left, pass }),
      )
      const numbers = [...new Set(phones)]
      return {
        numbers,
        listed: await listedOf(numbers, left),
        bad: bad.slice(0, MOST_BAD),
        badCount: bad.length,
      }
    },
    import: ({ numbers }, { changeMany }) =>
      changeMany((inTurn, line) =>
        doNotCall.import(numbers, inTurn, (tx, added) => line.count(tx, { added })),
      ),
  }
}

async function* parts(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART) {
    await othersTurn()
    yield bytes.subarray(at, at + PART)
  }
}
