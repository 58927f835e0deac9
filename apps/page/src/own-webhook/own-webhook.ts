import type { Store } from '@heyline/kit/store'
import type { Settings } from '../document/settings.js'
import type { CallFormState } from '../phone/call-form.js'
import { Kept } from '../state/kept.js'

/** The header in which a token of the human check travels; the body stays `{phone, slug}`. */
const CHECK_HEADER = 'x-human-check'

/**
 * What our own webhook is asked beyond the specified wire, as the settings say: the request brings a token of the human
 * check, and the answer's id leads to the call's live status. Follows the form from now on: its opening begins the
 * check, its closing and every submit end the status. The `fetch` that it returns rejects where no token could be had. A chunk
 * of its own, and so are its two halves.
 */
export function ownWebhook(
  form: Store<CallFormState>,
  { humanCheck, liveStatus }: Pick<Settings, 'humanCheck' | 'liveStatus'>,
  slug: string,
  fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request),
): typeof globalThis.fetch {
  const check =
    humanCheck &&
    new Kept(async () => (await import('../human-check/human-check.js')).createHumanCheck(humanCheck, slug))
  const status =
    liveStatus === undefined
      ? undefined
      : new Kept(async () => (await import('../live-status/live-status.js')).createLiveStatus(liveStatus))
  /** Counts what ends a status: an id that comes late must not begin one. */
  let turn = 0
  const endStatus = () => {
    turn += 1
    status?.value?.end()
  }

  let wasOpen = false
  const follow = () => {
    const { open, busy, message } = form.get()
    if (open && !wasOpen) {
      check?.get().then((loaded) => form.get().open && loaded.prepare(), later)
      status?.warm()
    }
    if (!open) check?.value?.drop()
    if (!busy && message !== 'callAccepted') endStatus()
    wasOpen = open
  }
  form.subscribe(follow)
  follow()

  return async (url, init) => {
    endStatus()
    const own = turn
    const headers = new Headers(init?.headers)
    if (check) headers.set(CHECK_HEADER, await (await check.get()).token(init?.signal ?? undefined))
    const response = await fetch(url, { ...init, headers })
    if (status && response.ok)
      Promise.all([status.get(), response.json()]).then(([loaded, body]) => {
        if (own === turn) loaded.follow(body?.id)
      }, later)
    return response
  }
}

const later = (error: unknown) => console.debug('Something beside the call could not be had.', error)
