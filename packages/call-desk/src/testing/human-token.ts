import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

/** What a page sends along with its request: a challenge of the server at `url`, solved as a browser would. */
export async function humanToken(
  url: string,
  slug: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await fetch(`${url}/-/human-check?slug=${encodeURIComponent(slug)}`, { headers })
  if (!answer.ok) throw new Error(`There was no challenge: ${answer.status} ${await answer.text()}`)
  const challenge: Challenge = await answer.json()
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
