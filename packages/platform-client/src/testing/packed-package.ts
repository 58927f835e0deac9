import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createPackageFromTarballData, type Package } from '@arethetypeswrong/core'

/** The folder of this package. */
export const packageFolder = fileURLToPath(new URL('../../', import.meta.url))

/** The package as a registry would get it. */
export interface PackedPackage {
  /** The bytes of the `.tgz`. */
  tarball: Uint8Array<ArrayBuffer>
  /** What is in it. */
  contents: Package
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
    const contents = createPackageFromTarballData(tarball)
    const inside = `/node_modules/${contents.packageName}/`
    return {
      tarball,
      contents,
      files: contents.listFiles().map((file) => file.slice(inside.length)),
      read: (file) => contents.readFile(inside + file),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
