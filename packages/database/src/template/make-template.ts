/** Run by the build: makes the template that first starts are made of, where there is none of this PGlite. */
import { execFileSync } from 'node:child_process'
import { createWriteStream, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGzip } from 'node:zlib'
import { syncPath } from '../disk/sync.js'
import { pack } from '../tar/pack.js'
import { templateFile } from './template-file.js'

const file = templateFile()
if (!existsSync(file)) {
  const directory = mkdtempSync(join(tmpdir(), 'heyline-initdb-'))
  const draft = `${file}.${process.pid}.partial`
  try {
    const initdb = fileURLToPath(new URL('./initdb.js', import.meta.url))
    execFileSync(process.execPath, [initdb, directory], { stdio: ['ignore', 'ignore', 'inherit'] })
    await pipeline(Readable.from(pack(directory)), createGzip({ level: 6 }), createWriteStream(draft))
    syncPath(draft)
    renameSync(draft, file)
    syncPath(dirname(file))
  } finally {
    rmSync(directory, { recursive: true, force: true })
    rmSync(draft, { force: true })
  }
}
