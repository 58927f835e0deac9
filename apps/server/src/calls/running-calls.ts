import { type CallOffice, callRecord, RecordsError, type RecordsErrorCode } from '@heyline/call-desk'
import { type OfficeErrors, runningOffice } from '../running-server/running-office.js'

export const RECORDS_ERRORS: OfficeErrors<RecordsErrorCode> = {
  passedOn: [
    'invalid_request',
    'invalid_phone',
    'invalid_id',
    'call_not_found',
    'several_calls',
    'slug_not_called',
    'not_listed',
    'call_running',
    'hiding_broken_off',
    'too_large',
  ],
  unreachable: 'calls_unreachable',
  make: (code, message, options) => new RecordsError(code, message, options),
  look: 'heyline calls status',
}

/** The call desk's records of a running server, through `/-/office`. */
export function runningCalls(serverUrl: string, secretKey: string): CallOffice {
  const { calls, doNotCall } = runningOffice(serverUrl, secretKey, RECORDS_ERRORS)
  return {
    list: (query) => calls.list(query),
    show: async (id) => callRecord.parse(await calls.show({ id })),
    export: () => calls.export(),
    async *follow(signal) {
      try {
        yield* calls.follow(undefined, signal)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
    status: () => calls.status(),
    pause: () => calls.pause(),
    resume: () => calls.resume(),
    resetSlug: (slug) => calls.resetSlug({ slug }),
    doNotCall: {
      add: (numbers) => doNotCall.add({ numbers: [...numbers] }),
      remove: (number) => doNotCall.remove({ number }),
      list: (part) => doNotCall.list(part),
      import: (phones) => doNotCall.import({ numbers: [...phones] }),
    },
  }
}
