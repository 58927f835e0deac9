import {
  type CallOffice,
  callChange,
  callPage,
  callRecord,
  type DoNotCall,
  deskStatus,
  doNotCallPage,
} from '@heyline/call-desk'
import { z } from 'zod'
import { LONG_PATIENCE_MS } from '../visitors/answer.js'
import { AdminDoor } from './admin-door.js'

const records = z.array(callRecord)
const changes = z.array(callChange)
const slugReset = z.object({ slug: z.string() })
const addedNumbers = z.object({ numbers: z.array(z.string()), added: z.number() })
const removedNumber = z.object({ number: z.string() })
const importedNumbers = z.object({ added: z.number() })

/** The call desk's records of a running server, through `/-/admin`. */
export function runningCalls(serverUrl: string, secretKey: string): CallOffice {
  const door = new AdminDoor(serverUrl, secretKey)
  return {
    list: async ({ limit, ...filters }) =>
      callPage.parse(await door.get('/calls', { limit: String(limit), ...filters })),
    show: async (id) => callRecord.parse(await door.get('/call', { id })),
    async *export() {
      for await (const part of door.lines('/calls/export')) yield records.parse(part)
    },
    async *follow(signal) {
      try {
        for await (const part of door.lines('/calls/changes', signal)) yield changes.parse(part)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
    status: async () => deskStatus.parse(await door.get('/calls/status')),
    pause: async () => deskStatus.parse(await door.post('/calls/pause')),
    resume: async () => deskStatus.parse(await door.post('/calls/resume')),
    resetSlug: async (slug) => slugReset.parse(await door.post('/calls/reset', { slug })),
    doNotCall: runningDoNotCall(door),
  }
}

const runningDoNotCall = (door: AdminDoor): DoNotCall => ({
  add: async (numbers) => addedNumbers.parse(await door.post('/dnc/add', { numbers })),
  remove: async (number) => removedNumber.parse(await door.post('/dnc/remove', { number })),
  list: async (part) => doNotCallPage.parse(await door.post('/dnc/list', part)),
  import: async (numbers) =>
    importedNumbers.parse(await door.post('/dnc/import', { numbers }, LONG_PATIENCE_MS)),
})
