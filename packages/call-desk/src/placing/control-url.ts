import { z } from 'zod'

const monitored = z.object({ monitor: z.object({ controlUrl: z.url({ protocol: /^https?$/ }).max(2000) }) })

/** Where the platform takes commands for a running call, in its answer about the call; undefined where it says nothing that can be used. */
export function controlUrlOf(answer: unknown): string | undefined {
  const parsed = monitored.safeParse(answer)
  return parsed.success ? parsed.data.monitor.controlUrl : undefined
}
