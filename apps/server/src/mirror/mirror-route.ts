import type { IncomingMessage } from 'node:http'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { isProxyLikely } from '../edge/proxy-signs.js'
import { forwardedAddress } from '../http/client.js'
import { VERSION } from '../version.js'
import { MIRROR_HEADER, MirrorProof } from './mirror-proof.js'
import type { SeenRequest } from './seen-request.js'

/** Most bytes of a body that are counted: what the longest body needs that the page and the platform may send. */
const MOST_BYTES = 1_100_000
/** Between the first event and the last, in ms. */
const STREAM_MS = 3_000
/** Streams at once. */
const MOST_STREAMS = 10
/** Longest part of `X-Forwarded-For` that is told, in characters. */
const LONGEST_TOLD = 1_000

export interface MirrorOptions {
  secretKey: string
  publicUrl: string
  trustProxy: number | undefined
  clock?: Pick<Clock, 'after' | 'now'>
}

export type Mirror = (request: Request, incoming: IncomingMessage) => Promise<Response>

/**
 * `/-/mirror` says to who has the secret key how a request of theirs arrived, and 404 to everybody else, as if nothing was there. `GET
 * ?stream` is a stream of two events, of which the last one comes three seconds after the first; `POST` counts a body of 1.1 MB at most.
 */
export function mirrorRoute({
  secretKey,
  publicUrl,
  trustProxy,
  clock = systemClock,
}: MirrorOptions): Mirror {
  const proofs = new MirrorProof(secretKey, clock)
  let streams = 0

  const stream = (request: Request): Response => {
    if (streams >= MOST_STREAMS) return refusal(429, 'too_many_streams', 'Ask again in a moment')
    streams += 1
    let end = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const encoder = new TextEncoder()
        const tell = (event: string) => controller.enqueue(encoder.encode(`event: ${event}\ndata: {}\n\n`))
        tell('first')
        const stop = clock.after(STREAM_MS, () => {
          tell('last')
          controller.close()
          end()
        })
        end = () => {
          stop()
          streams -= 1
          end = () => {}
        }
      },
      cancel: () => end(),
    })
    request.signal.addEventListener('abort', () => end(), { once: true })
    return new Response(body, {
      // As all streams have it: a proxy that keeps this one back does so with them.
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    })
  }

  return async (request, incoming) => {
    const proof = proofs.answerTo(request.headers.get(MIRROR_HEADER) ?? undefined)
    if (proof === undefined) return refusal(404, 'not_found', 'Nothing is served here')
    if (new URL(request.url).searchParams.has('stream')) return stream(request)
    const bytes = await bytesOf(request)
    if (bytes === undefined) return refusal(413, 'too_large', `A body has at most ${MOST_BYTES} bytes`)
    const told = [incoming.headers['x-forwarded-for'] ?? []].flat().join(',').slice(-LONGEST_TOLD)
    const seen: SeenRequest = {
      proof,
      version: VERSION,
      publicUrl,
      address: forwardedAddress(incoming, trustProxy ?? 0) ?? null,
      trustProxy: trustProxy ?? null,
      forwardedFor: told
        .split(',')
        .map((text) => text.trim())
        .filter((text) => text !== ''),
      isProxied: isProxyLikely(incoming),
      bytes,
    }
    return Response.json(seen, { headers: { 'cache-control': 'no-store' } })
  }
}

/** How long the body is; undefined where it is too long. */
async function bytesOf({ body }: Request): Promise<number | undefined> {
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > MOST_BYTES) return undefined
  }
  return bytes
}

const refusal = (status: number, code: string, message: string): Response =>
  Response.json({ code, message }, { status, headers: { 'cache-control': 'no-store' } })
