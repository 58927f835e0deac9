// Makes `heyline-VERSION.tgz` in `out` or in `--out FOLDER`: the built server with what it loads and reads, to be unpacked and started. Builds nothing.
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { contents } from './package/contents.mjs'
import { licenceTable } from './package/licences.mjs'
import { writeTarball } from './package/tarball.mjs'

const { values } = parseArgs({ options: { out: { type: 'string' } } })
const root = fileURLToPath(new URL('..', import.meta.url))
/** @type {{ name: string, version: string, license: string, engines: object }} */
const { name, version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** Two dependencies are native code, and they are here for this system only. */
const manifest = {
  name,
  version,
  private: true,
  license,
  type: 'module',
  bin: { heyline: 'bin/heyline.js' },
  engines,
  os: [process.platform],
  cpu: [process.arch],
}

const entries = [
  { name: 'package.json', content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
  {
    name: 'bin/heyline.js',
    content: readFileSync(join(root, 'scripts/package/heyline.js')),
    executable: true,
  },
  { name: 'bin/healthcheck.js', content: readFileSync(join(root, 'scripts/package/healthcheck.js')) },
  { name: 'licences/README.md', content: Buffer.from(licenceTable(root)) },
  ...(await contents(root)).map(({ to, content }) => ({ name: to, content })),
]
const folder = resolve(values.out ?? join(root, 'out'))
const file = join(folder, `${name}-${version}.tgz`)
mkdirSync(folder, { recursive: true })
await writeTarball(
  file,
  entries.map((entry) => ({ ...entry, name: `${name}-${version}/${entry.name}` })),
)

const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1_000_000).toFixed(1)} MB`
const unpacked = entries.reduce((sum, { content }) => sum + content.length, 0)
console.log(
  `${relative(process.cwd(), file)} for ${process.platform}-${process.arch}: ${megabytes(statSync(file).size)}, unpacked ${megabytes(unpacked)} in ${entries.length} files`,
)
