import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The folder of this package. */
export const packageFolder = fileURLToPath(new URL('../../', import.meta.url))

/** The package as a registry would get it. */
export interface PackedPackage {
  /** The bytes of the `.tgz`. */
  tarball: Uint8Array<ArrayBuffer>
  /** Paths within the package. */
  files: readonly string[]
  /** The text of one file. */
  read(file: string): string
}

/** Packs what is built, without any script of the package. */
export async function packPackage(): Promise<PackedPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'heyline-pack-'))
  try {
    const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
    const shell = process.platform === 'win32'
    const { stdout } = await promisify(execFile)('npm', words, { cwd: packageFolder, shell })
    const tarball = new Uint8Array(await readFile(join(folder, stdout.trim())))
    await promisify(execFile)('tar', ['-xzf', stdout.trim()], { cwd: folder })
    const texts = textsIn(join(folder, 'package'))
    return {
      tarball,
      files: [...texts.keys()],
      read(file) {
        const text = texts.get(file)
        if (text === undefined) throw new Error(`The package has no ${file}`)
        return text
      },
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The text of every file in a folder, by its path there. */
function textsIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    files.map((file) => [relative(folder, file).replaceAll(sep, '/'), readFileSync(file, 'utf8')] as const),
  )
}
