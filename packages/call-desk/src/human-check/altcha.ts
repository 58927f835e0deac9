import { createHmac } from 'node:crypto'
import { type Db, isWithin, type Queryable } from '@heyline/database'
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Logger } from 'pino'
import { type ClientAddress, clientAt } from '../call/client-address.js'
import { countsForAsker } from '../gate/refusal.js'
import { errorCode } from '../run/error-code.js'
import { FloodLog } from '../run/flood-log.js'
import { answerChallenge } from './challenge-answer.js'
import { checkId, type HumanCheck } from './human-check.js'
import { parseProof } from './proof.js'

/** The work doubles so many times at the most: the page has 15 s for it, and a slow phone needs most of them for eight times the work. */
const MOST_DOUBLINGS = 3
const HOUR_MS = 3_600_000

/**
 * How often the work doubles for a client: once for each request for a call in the last hour, of its address, and of its network (/24, /48)
 * where that is held against who asks; and once for each call in the browser that its address began and nobody joined, which costs nothing else. Anybody can make up tokens: whoever does works more, and the neighbours do not.
 */
async function doublingsFor(db: Queryable, { address, network }: ClientAddress): Promise<number> {
  const { rows } = await db.query<{ attempts: number }>(
    `select count(*)::int as attempts from (
       select from call_desk.call_requests r
       where r.kind = 'phone' and r.network = $1 and ${isWithin('r.created_at', HOUR_MS)}
         and (r.address = $2 or ${countsForAsker('r')})
       union all
       select from call_desk.call_requests r
       where r.kind = 'web' and r.state in ('ended', 'failed') and r.address = $2 and ${isWithin('r.created_at', HOUR_MS)}
         and r.in_progress_at is null
       limit ${MOST_DOUBLINGS}) recent`,
    [network, address],
    { prepared: true },
  )
  return rows[0]?.attempts ?? 0
}

export interface AltchaOptions {
  /** Shared by all processes, so that one verifies what another asked. Not empty. */
  secret: string
  db: Db
  logger: Logger
  /** Most keys that a browser derives until it finds the right one, half as many on average, before the work doubles. */
  cost?: number
}

/** Every browser has it in WebCrypto, so the page needs no code of its own for it. */
const ALGORITHM = 'PBKDF2/SHA-256'
/** Rounds of one key: 0.3 ms of this server for each challenge, and most of what a browser does is the rounds, not the calls. */
const ROUNDS = 2000
/** Two million rounds at the most: a quarter of a second on a desktop computer on average, and about a second on a phone. */
const DEFAULT_COST = 1000
/** The work may have grown so many times since a challenge was made: a form that stays open, and a request or two from the same network. */
const MOST_GROWTH = 4
const LIFETIME_MS = 300_000

/**
 * A proof of work (ALTCHA v2): a browser looks for a number of which only this server knows the key. What was asked is signed with the
 * page and the end of its life (300 s), so nothing of it is stored. Whoever asks for many calls works twice as long for each.
 */
export function createAltcha({ secret, db, logger, cost = DEFAULT_COST }: AltchaOptions): HumanCheck {
  if (secret === '') throw new TypeError('secret must not be empty')
  const keyFor = (use: string) => createHmac('sha256', secret).update(use).digest('hex')
  const secrets = {
    hmacSignatureSecret: keyFor('human check: challenge'),
    hmacKeySignatureSecret: keyFor('human check: key'),
  }

  const flood = new FloodLog(logger)

  async function doublings(client: ClientAddress): Promise<number> {
    try {
      return await doublingsFor(db, client)
    } catch (error) {
      // The gate counts again, and lets nothing pass while it cannot.
      flood.rarely({ reason: errorCode(error) }, 'the attempts of a client could not be counted')
      return 0
    }
  }

  /** Most keys that a client at this address has to derive now. */
  const mostFor = async (address: string | undefined) => cost * 2 ** (await doublings(clientAt(address)))

  return {
    challenge: (request, address) =>
      answerChallenge(request, async (slug) => {
        const most = await mostFor(address)
        return createChallenge({
          algorithm: ALGORITHM,
          cost: ROUNDS,
          // From one on: whoever knew where to begin would save the way there.
          counter: randomInt(most),
          deriveKey,
          data: { slug, most },
          expiresAt: new Date(Date.now() + LIFETIME_MS),
          ...secrets,
        })
      }),
    isToken: (text) => parseProof(text) !== undefined,
    async verify(token, { slug, address }) {
      const proof = parseProof(token)
      if (!proof) return undefined
      const { verified } = await verifySolution({ ...proof, deriveKey, ...secrets })
      const { data } = proof.challenge.parameters
      // Not bound to the network: a phone may come by another from one request to the next.
      if (!verified || data.slug !== slug) return undefined
      // Easy challenges must not be laid in store.
      if ((await mostFor(address)) > data.most * MOST_GROWTH) return undefined
      // The same solution can be written in many ways, the signature in one.
      return checkId(proof.challenge.signature)
    },
  }
}
