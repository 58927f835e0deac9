// Compiles packages/voice-platform/flite-parts (AssemblyScript) into packages/voice-platform/src/engines/flite/flite-parts-code.ts.
// Needed after a change of that folder only; npm fetches the compiler for it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const COMPILER = 'assemblyscript@0.27.36'
const platform = fileURLToPath(new URL('../packages/voice-platform/', import.meta.url))
const sources = join(platform, 'flite-parts')
const directory = mkdtempSync(join(tmpdir(), 'flite-parts-'))
const code = join(directory, 'parts.wasm')
try {
  const options = '-O2 --noAssert --runtime stub --importMemory --importTable --use abort= --enable simd'
  const asc = [
    'exec',
    '--yes',
    `--package=${COMPILER}`,
    '--',
    'asc',
    join(sources, 'parts.ts'),
    '-o',
    code,
    ...options.split(' '),
  ]
  execFileSync('npm', asc, { stdio: 'inherit' })
  const hash = createHash('sha256')
  for (const file of readdirSync(sources).sort()) hash.update(readFileSync(join(sources, file)))
  const lines =
    readFileSync(code)
      .toString('base64')
      .match(/.{1,120}/g) ?? []
  writeFileSync(
    join(platform, 'src/engines/flite/flite-parts-code.ts'),
    `// Made by scripts/flite-parts.mjs with ${COMPILER} from flite-parts. Do not change it by hand.

/** SHA-256 of its files, one behind the other in the order of their names. */
export const FLITE_PARTS_SOURCE = '${hash.digest('hex')}'

/** The module in Base64. */
export const FLITE_PARTS = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('')
`,
  )
} finally {
  rmSync(directory, { recursive: true })
}
