import type { CallOffice } from '@heyline/call-desk'
import { maskedRecord } from '../masking/masked-numbers.js'
import type { HandlersOf } from './handlers.js'

export const callHandlers = (calls: CallOffice): HandlersOf<'calls'> => ({
  list: (query) => calls.list(query),
  show: async ({ id }, { operator }) => {
    const record = await calls.show(id)
    return operator?.role === 'viewer' ? maskedRecord(record) : record
  },
  export: () => calls.export(),
  follow: (_, { left }) => calls.follow(left),
  status: () => calls.status(),
  pause: () => calls.pause(),
  resume: () => calls.resume(),
  resetSlug: ({ slug }) => calls.resetSlug(slug),
})

export const doNotCallHandlers = ({ doNotCall }: CallOffice): HandlersOf<'doNotCall'> => ({
  list: (part) => doNotCall.list(part),
  add: ({ numbers }) => doNotCall.add(numbers),
  remove: ({ number }) => doNotCall.remove(number),
  import: ({ numbers }) => doNotCall.import(numbers),
})
