// Compiles packages/voice-platform/vocoder/vocoder.ts (AssemblyScript) into packages/voice-platform/src/engines/flite/vocoder-code.ts.
// Needed after a change of the former only; npm fetches the compiler for it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const COMPILER = 'assemblyscript@0.27.36'
const platform = fileURLToPath(new URL('../packages/voice-platform/', import.meta.url))
const source = join(platform, 'vocoder/vocoder.ts')
const directory = mkdtempSync(join(tmpdir(), 'vocoder-'))
const code = join(directory, 'vocoder.wasm')
try {
  const options = '-O3 --noAssert --runtime stub --importMemory --use abort= --enable simd'
  const asc = [
    'exec',
    '--yes',
    `--package=${COMPILER}`,
    '--',
    'asc',
    source,
    '-o',
    code,
    ...options.split(' '),
  ]
  execFileSync('npm', asc, { stdio: 'inherit' })
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex')
  const lines =
    readFileSync(code)
      .toString('base64')
      .match(/.{1,120}/g) ?? []
  writeFileSync(
    join(platform, 'src/engines/flite/vocoder-code.ts'),
    `// Made by scripts/vocoder.mjs with ${COMPILER} from vocoder/vocoder.ts. Do not change it by hand.

/** SHA-256 of the source. */
export const VOCODER_SOURCE = '${hash}'

/** The module in Base64. */
export const VOCODER = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('')
`,
  )
} finally {
  rmSync(directory, { recursive: true })
}
