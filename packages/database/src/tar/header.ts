/** One entry of a tar archive: a directory, or a file of `size` bytes. */
export interface Entry {
  /** Path inside the archive, with forward slashes. */
  path: string
  type: 'file' | 'directory'
  size: number
}

export const BLOCK = 512

/** A header holds names of up to 100 bytes and eleven octal digits of size (8 GB); Postgres's files stay far below both. */
const NAME_BYTES = 100
const SIZE_DIGITS = 11

const TYPE_FLAGS = { file: '0', directory: '5' } as const

/**
 * The header of one entry in the POSIX format ustar, owner-only modes, without times or owners.
 * https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html
 */
export function encodeHeader({ path, type, size }: Entry): Uint8Array {
  const name = Buffer.from(type === 'directory' ? `${path}/` : path)
  const digits = size.toString(8)
  if (name.length > NAME_BYTES || digits.length > SIZE_DIGITS)
    throw new Error(`${path} does not fit into a tar archive.`)
  const header = Buffer.alloc(BLOCK)
  name.copy(header, 0)
  header.write(type === 'directory' ? '0000700\0' : '0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${digits.padStart(SIZE_DIGITS, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write(TYPE_FLAGS[type], 156)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Reads a header that `encodeHeader` wrote; null for the block of zeros that ends an archive. */
export function decodeHeader(block: Uint8Array): Entry | null {
  if (block.every((byte) => byte === 0)) return null
  const text = (start: number, length: number): string => {
    const field = Buffer.from(block.buffer, block.byteOffset + start, length)
    const end = field.indexOf(0)
    return field.toString('utf8', 0, end < 0 ? length : end)
  }
  if (Number.parseInt(text(148, 8), 8) !== checksum(block))
    throw new Error('A header of the archive is damaged.')
  const path = text(0, NAME_BYTES).replace(/\/$/, '')
  const flag = text(156, 1)
  if (flag !== TYPE_FLAGS.file && flag !== TYPE_FLAGS.directory)
    throw new Error(`The archive holds ${path}, which is neither a file nor a directory.`)
  if (path === '' || path.startsWith('/') || /[\\:]|(^|\/)\.{0,2}(\/|$)/.test(path))
    throw new Error(`The archive holds the path ${JSON.stringify(path)}, which leads out of it.`)
  return {
    path,
    type: flag === TYPE_FLAGS.file ? 'file' : 'directory',
    size: Number.parseInt(text(124, 12), 8) || 0,
  }
}

/** Sum of all bytes, those of the sum itself counted as blanks. */
function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0)
}
