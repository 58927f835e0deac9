import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { BackupError } from './backup-error.js'

/*
 * How a backup is sealed, version 1 (docs/backup.md has the same for people). A head, then chunks:
 *
 *   8 bytes   HEYLINEB
 *   1 byte    version, 1
 *   4 bytes   length of a chunk's text, big-endian: 65,536
 *   32 bytes  salt, random for each file
 *   16 bytes  check: tells a wrong secret from a damaged file
 *
 * A chunk is AES-256-GCM of so many bytes of the text, the last of fewer or none, with its tag of 16 bytes behind it. Its nonce is 7 zeros,
 * its number (4 bytes, big-endian, from 0) and 1 for the last one, else 0; the head is authenticated with each. So chunks that are missing,
 * put elsewhere, or of another file do not open. Key and check are HKDF-SHA-256 of the secret and the salt: no two files have a key in common.
 */
const MAGIC = Buffer.from('HEYLINEB')
const VERSION = 1
const CHUNK_BYTES = 64 * 1024
const SALT_BYTES = 32
const CHECK_BYTES = 16
const TAG_BYTES = 16
const SALT_AT = MAGIC.length + 5
const HEAD_BYTES = SALT_AT + SALT_BYTES + CHECK_BYTES
/** Chunks of one key: far fewer than GCM allows, and 256 TiB. */
const MOST_CHUNKS = 2 ** 32

/** How many bytes tell a sealed file from others. */
export const MAGIC_BYTES: number = MAGIC.length

/** Whether a file that begins like this is a sealed backup. */
export const isSealed = (beginning: Uint8Array): boolean => MAGIC.equals(beginning.subarray(0, MAGIC.length))

const derived = (secret: string, salt: Uint8Array, what: 'key' | 'check', length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, `heyline backup: ${what}`, length))

/** The text as a sealed file, piece by piece. */
export async function* seal(text: AsyncIterable<Uint8Array>, secret: string): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(SALT_BYTES)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(CHUNK_BYTES)
  const check = derived(secret, salt, 'check', CHECK_BYTES)
  const head = Buffer.concat([MAGIC, Buffer.of(VERSION), length, salt, check])
  const key = derived(secret, salt, 'key', 32)
  yield head
  let number = 0
  // What is full is sealed once something follows it: the last one is sealed as such.
  for await (const { chunk, isLast } of chunksOf(text, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(head)
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    number += 1
  }
}

/**
 * The text of a sealed file, piece by piece; each piece is authenticated before it is given.
 * @throws BackupError `other_secret`, `other_version`, `not_a_backup`
 */
export async function* open(sealed: AsyncIterable<Uint8Array>, secret: string): AsyncGenerator<Uint8Array> {
  let key: Buffer | undefined
  let head = Buffer.alloc(0)
  let number = 0
  const pieces = sealed[Symbol.asyncIterator]()
  let rest = Buffer.alloc(0)
  while (rest.length < HEAD_BYTES) {
    const next = await pieces.next()
    if (next.done) throw cutOff()
    rest = Buffer.concat([rest, next.value])
  }
  head = Buffer.from(rest.subarray(0, HEAD_BYTES))
  const { salt, check, chunkBytes } = readHead(head)
  if (!timingSafeEqual(check, derived(secret, salt, 'check', CHECK_BYTES)))
    throw new BackupError(
      'other_secret',
      'The backup was made with another HEYLINE_SECRET: set the one that its installation had then',
    )
  key = derived(secret, salt, 'key', 32)
  const following = async function* () {
    yield rest.subarray(HEAD_BYTES)
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
  }
  for await (const { chunk, isLast } of chunksOf(following(), chunkBytes + TAG_BYTES)) {
    if (number >= MOST_CHUNKS) throw damaged()
    const text = openChunk({ key, head, chunk, number }, isLast)
    if (!text) throw isLast && openChunk({ key, head, chunk, number }, false) ? cutOff() : damaged()
    yield text
    number += 1
  }
}

function readHead(head: Buffer): { salt: Buffer; check: Buffer; chunkBytes: number } {
  if (!isSealed(head)) throw damaged()
  const version = head.readUInt8(MAGIC.length)
  if (version !== VERSION)
    throw new BackupError(
      'other_version',
      `The backup is sealed in a way that this build does not know (${version}): restore it with a newer build`,
    )
  const chunkBytes = head.readUInt32BE(MAGIC.length + 1)
  if (chunkBytes !== CHUNK_BYTES) throw damaged()
  const salt = head.subarray(SALT_AT, SALT_AT + SALT_BYTES)
  return { salt, check: head.subarray(SALT_AT + SALT_BYTES), chunkBytes }
}

interface SealedChunk {
  key: Buffer
  head: Buffer
  chunk: Buffer
  number: number
}

function openChunk({ key, head, chunk, number }: SealedChunk, isLast: boolean): Buffer | undefined {
  if (chunk.length < TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), { authTagLength: TAG_BYTES })
    .setAAD(head)
    .setAuthTag(chunk.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 7)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

/** Pieces of any size as chunks of one size, the last of which may be shorter or empty. */
async function* chunksOf(
  pieces: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let held: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    held.push(piece)
    length += piece.length
    if (length <= size) continue
    let all = Buffer.concat(held)
    for (; all.length > size; all = all.subarray(size)) yield { chunk: all.subarray(0, size), isLast: false }
    held = [all]
    length = all.length
  }
  yield { chunk: Buffer.concat(held), isLast: true }
}

const cutOff = () =>
  new BackupError('not_a_backup', 'The backup is cut off: its end is missing. Copy the whole file')
const damaged = () =>
  new BackupError('not_a_backup', 'The backup is damaged: something in it was changed after it was made')
