/** Run by itself: creates a fresh database in `pgdata` of the directory that is given. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { FILES } from '../directory/directory-files.js'
import { optimiseLater } from '../wasm/tier-up.js'

const [directory] = process.argv.slice(2)
if (directory === undefined) throw new Error('Usage: initdb.js DIRECTORY')
const data = join(directory, FILES.data)
optimiseLater()
mkdirSync(data, { mode: 0o700 })
const pglite = await PGlite.create({ dataDir: data })
await pglite.close()
