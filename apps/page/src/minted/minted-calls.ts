import { CALL_BUTTON_ID } from '../document/places.js'
import type { Settings } from '../document/settings.js'
import type { PreparedToken } from '../human-check/prepared-token.js'
import { Kept } from '../state/kept.js'

/**
 * Stands in for the platform where our server makes the calls, as it knows the visitor's prompt and the private key: whatever is asked, it
 * posts `{slug}` to our function, whose answer is the platform's. Rejects where no token of the human check could be had. A chunk of its own.
 */
export function mintedCalls(
  { webCallFunction: url = '', humanCheck }: Pick<Settings, 'webCallFunction' | 'humanCheck'>,
  slug: string,
  fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request),
): typeof globalThis.fetch {
  const check =
    humanCheck &&
    new Kept(async () => (await import('../human-check/human-check.js')).createHumanCheck(humanCheck, slug))
  if (check) prepareAhead(check)
  return async (_, init) => {
    const signal = init?.signal ?? undefined
    const token = await (await check?.get())?.token(signal)
    return fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { 'x-human-check': token }) },
      body: JSON.stringify({ slug }),
      redirect: 'error',
      ...(signal && { signal }),
    })
  }
}

/** The check's work begins when somebody is about to press, so that the press need not wait for all of it. */
function prepareAhead(check: Kept<PreparedToken>): void {
  const button = document.getElementById(CALL_BUTTON_ID)
  const prepare = () => {
    check.get().then(
      (loaded) => loaded.prepare(),
      (error) => console.debug('The human check could not be loaded ahead.', error),
    )
  }
  for (const intent of ['pointerenter', 'focus']) button?.addEventListener(intent, prepare)
}
