import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { extname, join } from 'node:path'
import { type FontFace, readFontFile } from './font-file.js'

/** A font of this machine. */
export interface SystemFont extends FontFace {
  path: string
}

/** Where systems keep their fonts; folders that are not there hold none. */
const FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.local/share/fonts'),
  '/System/Library/Fonts',
  '/Library/Fonts',
  join(process.env.SystemRoot ?? 'C:\\Windows', 'Fonts'),
]
const FORMATS = ['.ttf', '.otf', '.ttc', '.otc']
/** Fonts that draw a box, or nothing, for every character there is. */
const PLACEHOLDERS = /last ?resort|blank|notdef|tofu|unifont/i

/** Finds fonts of this machine for characters that no bundled font has. What it found is remembered by character. */
export class SystemFonts {
  private readonly folders: readonly string[]
  private readonly known = new Map<number, SystemFont | undefined>()
  private paths: Promise<string[]> | undefined

  constructor(folders: readonly string[] = FOLDERS) {
    this.folders = folders
  }

  /** For each of the characters that a font of this machine has, that font. */
  async find(codePoints: readonly number[]): Promise<Map<number, SystemFont>> {
    const missing = new Set(codePoints.filter((codePoint) => !this.known.has(codePoint)))
    if (missing.size > 0) await this.search(missing)
    return new Map(
      codePoints.flatMap((codePoint) => {
        const font = this.known.get(codePoint)
        return font ? [[codePoint, font] as const] : []
      }),
    )
  }

  private async search(missing: Set<number>) {
    this.paths ??= fontsIn(this.folders)
    for (const path of await this.paths) {
      if (missing.size === 0) return
      // A file that can't be read is no font for us; the next one may be.
      const face = await readFontFile(path).catch(() => undefined)
      for (const codePoint of missing) {
        if (!face || !has(face, codePoint)) continue
        this.known.set(codePoint, { ...face, path })
        missing.delete(codePoint)
      }
    }
    for (const codePoint of missing) this.known.set(codePoint, undefined)
  }
}

/** A broken table is one that lacks the character. */
function has(face: FontFace, codePoint: number): boolean {
  try {
    return face.has(codePoint)
  } catch {
    return false
  }
}

async function fontsIn(folders: readonly string[]): Promise<string[]> {
  const listings = await Promise.all(
    folders.map((folder) =>
      readdir(folder, { recursive: true }).then(
        (files) => files.map((file) => join(folder, file)),
        () => [],
      ),
    ),
  )
  return listings
    .flat()
    .filter((file) => FORMATS.includes(extname(file).toLowerCase()) && !PLACEHOLDERS.test(file))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

/** Lower for a file that goes better with the bundled heading: upright, without serifs, rather bold. */
function rank(path: string): number {
  const weight = /semi-?bold|demi-?bold/i.test(path) ? 0 : /bold/i.test(path) ? 1 : 2
  const slanted = /italic|oblique/i.test(path) ? 8 : 0
  const odd = /serif|mono|condensed|narrow|black/i.test(path) ? 4 : 0
  return weight + slanted + odd
}
