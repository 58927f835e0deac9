import type { Logger } from 'pino'
import type { HostedBackend } from '../settings/settings.js'

/** Longest that a hosted backend may take to answer, in ms: a start does not hang on it. */
const PATIENCE_MS = 3_000

/** What hides the assistant's texts from a page's key where Postgres grants them by the table. */
export const HIDE_TEXTS =
  'revoke select on public.visitors from anon, authenticated; grant select (slug, name) on public.visitors to anon, authenticated;'

/** Whether a hosted backend shows the assistant's texts to the key that every page carries; undefined where it can't be asked. */
export async function showsTexts(
  { url, publishableKey: key }: HostedBackend,
  logger: Logger,
): Promise<boolean | undefined> {
  try {
    const answer = await fetch(`${url}/rest/v1/visitors?select=system,first_message&limit=1`, {
      headers: { apikey: key, authorization: `Bearer ${key}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await answer.body?.cancel()
    return answer.ok
  } catch (err) {
    logger.warn(
      { err },
      'SUPABASE_URL could not be asked whether it hides system and first_message from pages',
    )
    return undefined
  }
}

/** What an operator must know of a server that keeps prompts to itself, and whose visitors' table shows them. */
export async function shownTexts(backend: HostedBackend | undefined, logger: Logger): Promise<string[]> {
  if (!backend || !(await showsTexts(backend, logger))) return []
  return [
    `Careful: WEB_CALLS=minted keeps prompts on the server, but SUPABASE_URL shows system and first_message to everybody who has the public key, which every page carries. Run this there: ${HIDE_TEXTS}`,
  ]
}
