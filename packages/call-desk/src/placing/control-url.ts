import { z } from 'zod'
import { unstorable } from '../following/unstorable.js'

const webAddress = /^https?:$/

/** An address that takes commands for a running call: of the web, and without credentials. */
export const controlUrl = z
  .string()
  .max(2000)
  .refine((value) => {
    if (unstorable.test(value) || !URL.canParse(value)) return false
    const { protocol, username, password } = new URL(value)
    return webAddress.test(protocol) && username === '' && password === ''
  })

const monitored = z.object({ monitor: z.object({ controlUrl }) })

/** Where the platform takes commands for a running call, in its answer about the call; undefined where it says nothing that can be used. */
export function controlUrlOf(answer: unknown): string | undefined {
  const parsed = monitored.safeParse(answer)
  return parsed.success ? parsed.data.monitor.controlUrl : undefined
}
