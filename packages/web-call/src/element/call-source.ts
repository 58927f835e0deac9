import type { StartInput } from '../start-input.js'
import type { WebCallClientOptions } from '../web-call-client.js'

/** Where a call of the element comes from, as its attributes say. */
export interface CallSource {
  client: Pick<WebCallClientOptions, 'token' | 'baseUrl' | 'fetch'>
  input: StartInput
}

/** The attributes that name the call. */
export interface CallNames {
  /** The address of a Heyline. */
  server: string
  slug: string | undefined
  assistant: string | undefined
  /** The platform's public key. */
  key: string | undefined
  /** The voice platform's address; the server's own where it is left out. */
  platform: string | undefined
}

/** A token of a human check for one call; undefined where there is none. */
export type HumanCheckToken = () => Promise<string | undefined>

/** Our function that makes the call of a visitor; it takes no token of the platform. */
const NO_TOKEN = 'none'
const FUNCTION = '/-/backend/functions/v1/web-call'
const PLATFORM = '/-/platform'

/** Attributes name no call. The message says which are missing. */
export class CallSourceError extends Error {
  override readonly name = 'CallSourceError'
}

/** What to start. A visitor's page (`slug`) goes before an assistant. Throws a `CallSourceError`. */
export function callSource(
  { server, slug, assistant, key, platform }: CallNames,
  humanCheck?: HumanCheckToken,
): CallSource {
  if (slug) {
    const base = serverBase(server)
    return {
      client: {
        token: NO_TOKEN,
        baseUrl: base + PLATFORM,
        fetch: visitorCalls(base + FUNCTION, slug, humanCheck),
      },
      input: { assistant: slug },
    }
  }
  if (!assistant) throw new CallSourceError('<heyline-call> needs a slug, or an assistant with a key.')
  if (!key) throw new CallSourceError('<heyline-call> needs the platform’s public key for an assistant.')
  const baseUrl = platform ? serverBase(platform) : serverBase(server) + PLATFORM
  return { client: { token: key, baseUrl }, input: { assistant } }
}

/** The address of a server without what stands behind its path. Throws a `CallSourceError`. */
export function serverBase(server: string): string {
  const { origin, protocol, pathname } = URL.canParse(server) ? new URL(server) : { protocol: '' }
  if (!/^https?:$/.test(protocol))
    throw new CallSourceError(`<heyline-call> needs the address of a server, not ${server || 'none'}.`)
  return `${origin}${pathname}`.replace(/\/+$/, '')
}

/** Asks our server for the call of this visitor in the platform's place: what the call says stays there. */
function visitorCalls(url: string, slug: string, humanCheck?: HumanCheckToken): typeof fetch {
  return async (_, init) => {
    const token = await humanCheck?.()
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { 'x-human-check': token }) },
      body: JSON.stringify({ slug }),
      redirect: 'error',
      signal: init?.signal ?? null,
    })
    if (answer.status === 404 && !(await isVisitorMissing(answer.clone())))
      throw new Error('This server starts no calls for visitors. Set WEB_CALLS=minted there.')
    return answer
  }
}

const isVisitorMissing = async (answer: Response): Promise<boolean> =>
  (await answer.text()).includes('visitor_not_found')
