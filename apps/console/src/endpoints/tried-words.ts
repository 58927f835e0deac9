import type { Endpoint } from './use-endpoints.js'

/** How a test or a try went, in words: what came back, how long it took, and what to do where it failed. */
export function triedWords(
  kind: Endpoint['kind'],
  { status, ms, error }: { status: number | null; ms: number; error: string | null },
): string {
  const after = `after ${ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`}`
  if (error === null)
    return kind === 'email'
      ? `The mail server took it ${after}.`
      : `Delivered: it answered ${status} ${after}.`
  return `Not delivered ${after}: ${error}. ${remedyOf(kind, status)}`
}

function remedyOf(kind: Endpoint['kind'], status: number | null): string {
  if (kind === 'email') return 'Look at SMTP_URL and at the address.'
  if (status === null) return 'Look whether the address is right and the tool is running.'
  if (status === 401 || status === 403) return 'Look whether the tool has the newest secret.'
  if (status === 404 || status === 410) return 'Look whether the address is still right.'
  return 'Look at the log of the tool.'
}
