import { derivedKey } from '@heyline/kit/secret'
import type { KeyRing } from './keys.js'

/*
 * What derives from what, all of it by HKDF-SHA-256 without a salt (RFC 5869), with the info strings below. They are frozen: another
 * string is another key, which parts the servers of an installation and closes what was sealed.
 *
 *   HEYLINE_SECRET   every key of the ring, in ROOTED
 *   the secret key   what seals and signs inside this installation, in the functions after it
 *
 * Whoever knows HEYLINE_SECRET knows all of them; whoever knows a derived key knows no other one.
 */

/** Each key of the ring: its info string, and how its 32 bytes are written. */
const ROOTED: Record<keyof KeyRing, { info: string; written: (bytes: Buffer) => string }> = {
  publishable: {
    info: 'heyline key: publishable',
    written: (bytes) => `sb_publishable_${bytes.toString('base64url')}`,
  },
  secret: { info: 'heyline key: secret', written: (bytes) => `sb_secret_${bytes.toString('base64url')}` },
  jwtSecret: { info: 'heyline key: jwt secret', written: (bytes) => bytes.toString('base64url') },
  platformPublic: { info: 'heyline key: platform public', written: uuidOf },
  platformPrivate: { info: 'heyline key: platform private', written: uuidOf },
  hookSecret: { info: 'heyline key: hook secret', written: (bytes) => `whsec_${bytes.toString('base64')}` },
}

/** The key of this name that all servers with the same `HEYLINE_SECRET` have. */
export function keyOfRoot(root: string, name: keyof KeyRing): string {
  const { info, written } = ROOTED[name]
  return written(Buffer.from(derivedKey(root, info)))
}

/** Signs the human check's challenges. It is derived from the secret key: servers with the same secret key have it in common, and no file keeps it. */
export const humanCheckKey = ({ secret }: Pick<KeyRing, 'secret'>): string =>
  Buffer.from(derivedKey(secret, 'heyline human check')).toString('base64url')

/** What the auth wire seals with, 32 bytes: derived like the key above, for the same reasons. */
export const authKey = ({ secret }: Pick<KeyRing, 'secret'>): Uint8Array => derivedKey(secret, 'heyline auth')

/** What seals the tokens of the console's sessions, 32 bytes: derived like the keys above, from the secret key of the accounts. */
export const sessionsKey = (secret: string): Uint8Array => derivedKey(secret, 'heyline console sessions')

/** What seals the secrets of endpoints, 32 bytes: derived like the keys above. */
export const endpointsKey = ({ secret }: Pick<KeyRing, 'secret'>): Uint8Array =>
  derivedKey(secret, 'heyline endpoints')

/** What signs the addresses of recordings, 32 bytes: derived like the keys above. */
export const recordingsKey = ({ secret }: Pick<KeyRing, 'secret'>): Uint8Array =>
  derivedKey(secret, 'heyline recordings')

/** The first 16 of the bytes as a UUID of version 8, which is for values made as one likes (RFC 9562). */
function uuidOf(bytes: Buffer): string {
  const id = Buffer.from(bytes.subarray(0, 16))
  id.writeUInt8((id.readUInt8(6) & 0x0f) | 0x80, 6)
  id.writeUInt8((id.readUInt8(8) & 0x3f) | 0x80, 8)
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
