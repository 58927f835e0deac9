import { boundedBytes } from '@heyline/kit/bounded-bytes'
import { ApiError } from '../resources/api-error.js'

const checks = new WeakMap<Request, () => Promise<void>>()

/** Asks this once the request's body is read: whoever sends it slowly may have lost the right to send it. Reading rejects as `check` does. */
export function checkOnceRead(request: Request, check: () => Promise<void>): void {
  checks.set(request, check)
}

/** Reads a request's body as text, and no further than it may go. Rejects with an `ApiError`: 413 where it goes on, 400 where it breaks off, and as the check of `checkOnceRead`. */
export const bodyText = async (request: Request, mostBytes: number): Promise<string> =>
  new TextDecoder().decode(await bodyBytes(request, mostBytes))

/** The same as bytes. */
export async function bodyBytes(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBytes(request, mostBytes)
  await checks.get(request)?.()
  return bytes
}

async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new ApiError(413, `The body is larger than ${mostBytes} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge()
  try {
    return Uint8Array.from(await boundedBytes(request, mostBytes))
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge()
    throw new ApiError(400, 'The body broke off.', { cause })
  }
}
