// Runs the Dockerfile without a container: `node scripts/replay-image.mjs --into FOLDER [--node FILE]`. The stages are folders in FOLDER, which
// is new or empty. Prints as JSON what the last one makes. `--node` is the Node that stands for that of the base images.
import { mkdirSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { replay } from './image/replay.mjs'

const { values } = parseArgs({ options: { into: { type: 'string' }, node: { type: 'string' } } })
if (values.into === undefined) throw new Error('Say where: --into FOLDER')
const into = resolve(values.into)
mkdirSync(into, { recursive: true })
if (readdirSync(into).length > 0) throw new Error(`${into} is not empty`)
const image = replay({
  context: fileURLToPath(new URL('..', import.meta.url)),
  into,
  node: resolve(values.node ?? process.execPath),
  say: console.error,
})
console.log(JSON.stringify(image, null, 2))
