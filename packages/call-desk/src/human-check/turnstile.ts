import { boundedText } from '@heyline/kit/bounded-bytes'
import { z } from 'zod'
import { clientAt } from '../call/client-address.js'
import { ClientLine } from '../call/client-line.js'
import { checkId, type HumanCheck, HumanCheckError } from './human-check.js'

export interface TurnstileOptions {
  secretKey: string
  /** Where tokens are verified. */
  url?: string
  fetch?: typeof fetch
  /** Bound of one verification. */
  timeoutMs?: number
}

/** The page asks for its tokens under this name. */
export const TURNSTILE_ACTION = 'call-me'

/** Longest data of a token, in characters; it takes letters, digits, `_` and `-` (Cloudflare's documentation of the widget). */
const LONGEST_DATA = 255

/** A page's slug as the data of its tokens, in the page's own form: as it is, or `_` and its UTF-8 in hex where it holds what no data may. */
export function turnstileData(slug: string): string {
  return /^[\w-]{1,255}$/.test(slug) ? slug : `_${Buffer.from(slug).toString('hex')}`.slice(0, LONGEST_DATA)
}

const SITEVERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
const DEFAULT_TIMEOUT_MS = 5000
/** Longest answer of siteverify that is read, in bytes; its own have some hundreds. */
const LONGEST_ANSWER = 65_536

/**
 * Verifications of this process, for phone and browser calls together. Anybody can make up tokens, and only Cloudflare can tell: networks take
 * turns, so that whoever makes them up has one question under way and keeps nobody from the line.
 */
const VERIFICATIONS = { atOnce: 20, waiting: 500, longestMs: 5000 }

/** At most 2048 characters (Cloudflare's documentation of siteverify), which no header breaks. */
const TOKEN = /^[!-~]{1,2048}$/

/** What siteverify says of a token that is the client's own fault. All other codes are ours or the verifier's. */
const FAULTS_OF_TOKENS = ['missing-input-response', 'invalid-input-response', 'timeout-or-duplicate']

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const verdict = z.object({
  success: z.boolean(),
  'error-codes': z.array(z.string()).default([]),
  action: z.string().optional(),
  cdata: z.string().optional(),
})

type Verdict = z.output<typeof verdict>

/** Cloudflare Turnstile: its widget makes the token, with our action and the page's slug as its data; Cloudflare says whether it is good. */
export function createTurnstile({
  secretKey,
  url = SITEVERIFY,
  fetch = globalThis.fetch,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: TurnstileOptions): HumanCheck {
  if (secretKey === '') throw new TypeError('secretKey must not be empty')
  const line = new ClientLine(VERIFICATIONS)

  async function ask(token: string, address: string | undefined): Promise<Verdict> {
    const signal = AbortSignal.timeout(timeoutMs)
    let answer: unknown
    let status: number | undefined
    let isGood = false
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ secret: secretKey, response: token, remoteip: address }),
        // The secret goes nowhere else.
        redirect: 'error',
        signal,
      })
      status = response.status
      isGood = response.ok
      answer = JSON.parse(await boundedText(response, LONGEST_ANSWER, signal))
    } catch (cause) {
      if (signal.aborted)
        throw new HumanCheckError('timeout', `The verifier did not answer within ${timeoutMs} ms`, { cause })
      if (status === undefined)
        throw new HumanCheckError('unreachable', 'The verifier could not be reached', { cause })
    }
    const { data } = verdict.safeParse(answer)
    // A refusal may come with a status of its own (400 and the like), success never does.
    if (!data || (status !== undefined && status >= 500) || (data.success && !isGood))
      throw new HumanCheckError('unreadable', `The verifier answered ${status} without a verdict`)
    return data
  }

  return {
    isToken: (text) => TOKEN.test(text),
    hasOwnLine: true,
    async verify(token, { slug, address }) {
      if (!TOKEN.test(token)) return undefined
      const answer = await line.run(clientAt(address), () => ask(token, address))
      const { success, action, cdata, 'error-codes': codes } = answer
      const fault = success ? undefined : codes.find((code) => !FAULTS_OF_TOKENS.includes(code))
      if (fault !== undefined) throw new HumanCheckError(fault, `The verifier refused: ${codes.join(', ')}`)
      return success && action === TURNSTILE_ACTION && cdata === turnstileData(slug)
        ? checkId(token)
        : undefined
    },
  }
}
