import { isLoopback, LOOPBACK_NAMES } from '../settings/loopback.js'

/** The origins that may use the platform and the rooms: our own under all its names, and those of `ALLOWED_ORIGINS`. */
export function platformOrigins(publicUrl: string, allowed: readonly string[]): string[] {
  const own = new URL(publicUrl)
  if (!isLoopback(own.hostname)) return [own.origin, ...allowed]
  const names = LOOPBACK_NAMES.map((name) => `${own.protocol}//${name}${own.port && `:${own.port}`}`)
  return [...new Set([own.origin, ...names, ...allowed])]
}
