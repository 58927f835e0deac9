import { z } from 'zod'

/** Longest token, in characters: a challenge with the longest slug, and its solution, are shorter. */
const MAX_LENGTH = 4096

/** As much of a token as must be known before its signature is checked. The signature covers the rest of the parameters. */
const proof = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      expiresAt: z.number(),
      data: z.object({ slug: z.string(), most: z.number() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

/** A solved challenge, as a browser sends it. */
export type Proof = z.output<typeof proof>

/** Reads a token: Base64 of the JSON `{ challenge, solution }`; undefined for all else. */
export function parseProof(token: string): Proof | undefined {
  if (token.length > MAX_LENGTH) return undefined
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(token, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
  return proof.safeParse(value).data
}
