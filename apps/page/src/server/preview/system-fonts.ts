import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { extname, join } from 'node:path'
import { type FontFace, readFontFile } from './font-file.js'

/** A font of this machine. */
export interface SystemFont extends FontFace {
  path: string
}

export interface SystemFontsOptions {
  /** Where fonts are looked for; folders that are not there hold none. */
  folders?: readonly string[]
  read?: typeof readFontFile
  /** Files are opened until their tables take so many bytes; those that come later count as not there. */
  mostBytes?: number
  /** Characters whose font, or want of one, is remembered. */
  mostCharacters?: number
}

/** Where systems keep their fonts. */
const FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  ...ownFolders(),
  '/System/Library/Fonts',
  '/Library/Fonts',
  join(process.env.SystemRoot ?? 'C:\\Windows', 'Fonts'),
]
/** A user of a container may have no name on its machine, and so no home. */
function ownFolders(): string[] {
  try {
    return [join(homedir(), '.local/share/fonts')]
  } catch {
    return []
  }
}
const FORMATS = ['.ttf', '.otf', '.ttc', '.otc']
/** Fonts that draw a box, or nothing, for every character there is. */
const PLACEHOLDERS = /last ?resort|blank|notdef|tofu|unifont/i

/** Finds fonts of this machine for characters that no bundled font has. Each file is read once. */
export class SystemFonts {
  readonly #options: Required<SystemFontsOptions>
  readonly #opened = new Map<string, Promise<SystemFont | undefined>>()
  #openedBytes = 0
  /** By character; the one looked for first at the start. */
  readonly #known = new Map<number, SystemFont | undefined>()
  #paths: Promise<string[]> | undefined

  constructor(options: SystemFontsOptions = {}) {
    this.#options = {
      folders: FOLDERS,
      read: readFontFile,
      mostBytes: 32_000_000,
      mostCharacters: 10_000,
      ...options,
    }
  }

  /** For each of the characters that a font of this machine has, that font. */
  async find(codePoints: readonly number[]): Promise<Map<number, SystemFont>> {
    const found = new Map<number, SystemFont>()
    const missing = new Set<number>()
    for (const codePoint of codePoints) {
      const font = this.#known.get(codePoint)
      if (font) found.set(codePoint, font)
      else if (!this.#known.has(codePoint)) missing.add(codePoint)
    }
    if (missing.size > 0) await this.#search(missing, found)
    return found
  }

  async #search(missing: Set<number>, found: Map<number, SystemFont>) {
    this.#paths ??= fontsIn(this.#options.folders)
    for (const path of await this.#paths) {
      if (missing.size === 0) return
      const font = await this.#open(path)
      for (const codePoint of missing) {
        if (!font?.has(codePoint)) continue
        found.set(codePoint, font)
        this.#remember(codePoint, font)
        missing.delete(codePoint)
      }
    }
    for (const codePoint of missing) this.#remember(codePoint, undefined)
  }

  #open(path: string): Promise<SystemFont | undefined> {
    const { read, mostBytes } = this.#options
    const opened = this.#opened.get(path)
    if (opened) return opened
    if (this.#openedBytes >= mostBytes) return Promise.resolve(undefined)
    const opening = read(path).then(
      (face) => {
        this.#openedBytes += face?.bytes ?? 0
        return face && { ...guarded(face), path }
      },
      // A file that can't be read is no font for us; the next one may be.
      () => undefined,
    )
    this.#opened.set(path, opening)
    return opening
  }

  #remember(codePoint: number, font: SystemFont | undefined) {
    this.#known.set(codePoint, font)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#options.mostCharacters) return
      this.#known.delete(oldest)
    }
  }
}

/** A file of the machine may be broken anywhere: then it lacks the character, or has it as wide as it is high. */
function guarded(face: FontFace): FontFace {
  const safely = <T>(read: () => T, otherwise: T): T => {
    try {
      return read()
    } catch {
      return otherwise
    }
  }
  const has = (codePoint: number) => safely(() => face.has(codePoint), false)
  return {
    bytes: face.bytes,
    has,
    advance: (codePoint) => (has(codePoint) ? safely(() => face.advance(codePoint), 1) : 0),
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
