import { z } from 'zod'

/** What a server of the installation saw of a request. */
export const seenRequest = z.object({
  /** Shows that it is this installation (`MirrorProof`). */
  proof: z.string(),
  version: z.string(),
  /** Where the server believes that browsers find it. */
  publicUrl: z.string(),
  /** Of the client, as limits count it; null where it was gone. */
  address: z.string().nullable(),
  /** What the server was told of proxies; null where nobody has said. */
  trustProxy: z.int().nullable(),
  /** What stood in `X-Forwarded-For`, from the left. */
  forwardedFor: z.array(z.string()),
  /** Whether a proxy seems to have passed the request on. */
  isProxied: z.boolean(),
  /** Of the body. */
  bytes: z.int(),
})

export type SeenRequest = z.output<typeof seenRequest>
