import { ApiError } from '../api-error.js'
import { isSameSecret } from '../secret.js'

/** The two keys of the installation. The public one is in the page, for everybody to read. */
export interface PlatformKeys {
  public: string
  private: string
}

export type Access = 'public' | 'private'

/**
 * Which key a request brings. Throws an `ApiError` 401 when it brings none that is good enough: the private key may
 * everything, the public key only what says so (`POST /call/web`).
 */
export function accessOf(request: Request, keys: PlatformKeys, least: Access): Access {
  const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim() ?? ''
  if (isSameSecret(token, keys.private)) return 'private'
  if (least === 'public' && isSameSecret(token, keys.public)) return 'public'
  throw new ApiError(
    401,
    'Invalid Key. Hot tip, you may be using the private key instead of the public key, or vice versa.',
  )
}
