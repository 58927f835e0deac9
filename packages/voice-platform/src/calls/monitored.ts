import type { Call } from '@heyline/platform-client'

/** A call as the REST API answers it: while it goes on, with the address that takes commands for it. */
export function monitored(call: Call, apiUrl: string): Call {
  if (call.status === 'ended') return call
  return { ...call, monitor: { controlUrl: `${apiUrl}/call/${call.id}/control` } }
}
