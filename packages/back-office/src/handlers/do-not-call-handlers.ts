import type { CallOffice, OperatorDesk } from '@heyline/call-desk'
import { readNumbers } from '../csv/numbers.js'
import { each } from '../lines/each.js'
import type { HandlersOf } from './handlers.js'

/** Bad lines that are told; nobody reads more of them. */
const MOST_BAD = 200

export const doNotCallHandlers = (
  { doNotCall }: CallOffice,
  desk: OperatorDesk,
): HandlersOf<'doNotCall'> => ({
  list: (part) => doNotCall.list(part),
  add: ({ numbers }) => doNotCall.add(numbers),
  remove: ({ number }) => doNotCall.remove(number),
  previewImport: async ({ csv }) => {
    const { phones, bad } = await readNumbers(each([Buffer.from(csv)]))
    const numbers = [...new Set(phones)]
    return {
      numbers,
      listed: await desk.countListed(numbers),
      bad: bad.slice(0, MOST_BAD),
      badCount: bad.length,
    }
  },
  import: ({ numbers }) => doNotCall.import(numbers),
})
