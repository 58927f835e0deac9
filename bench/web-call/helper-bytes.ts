import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { plainImports } from '../../apps/page/plain-imports.js'
import { brotliBytes, entryOfText } from '../../packages/platform-client/src/testing/bundle.js'
import { limited } from '../report/limit.js'
import { type Figure, kB } from '../report/table.js'

const LIMIT_BYTES = 10_000
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What each helper adds to a page beside Daily's library, which both need: minified, brotli 11. */
export async function measureHelperBytes(): Promise<Figure[]> {
  const ours = await chunksOf("export { WebCallClient } from '@heyline/web-call'")
  const [main, peer] = [
    bytesOf(closure(ours, entryOf(ours))),
    sum(await chunksOf("export { default } from '@vapi-ai/web'")),
  ]
  const socket = ours.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/socket-room.js')))
  if (!socket) throw new Error("The helper's bundle has no socket room")
  const both = bytesOf(new Set([...closure(ours, entryOf(ours)), ...closure(ours, socket)]))
  return [
    limited({
      what: 'the helper, without the rooms that it loads lazily',
      value: main,
      limit: LIMIT_BYTES,
      show: kB,
      beside: `@vapi-ai/web without Daily ${kB(peer)}`,
    }),
    {
      what: 'with the socket room',
      value: kB(both),
      beside: '@vapi-ai/web has none; without the file of its audio thread',
    },
  ]
}

type Chunk = Rolldown.OutputChunk

/** The chunks of a page whose only module is `source`; Daily's library is left out. */
async function chunksOf(source: string): Promise<Chunk[]> {
  const entry = join(ROOT, 'helper-bytes-entry.mjs')
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [plainImports(), entryOfText(entry, source)],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'allow-extension',
        external: ['@daily-co/daily-js'],
      },
    },
  })
  if (!('output' in result)) throw new Error('Vite built something else than one bundle')
  return result.output.filter((part) => part.type === 'chunk')
}

function entryOf(chunks: readonly Chunk[]): Chunk {
  const entry = chunks.find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('The bundle has no entry')
  return entry
}

/** A chunk and all that comes with it at once. */
function closure(chunks: readonly Chunk[], from: Chunk, found = new Set<Chunk>()): Set<Chunk> {
  if (found.has(from)) return found
  found.add(from)
  for (const chunk of chunks) if (from.imports.includes(chunk.fileName)) closure(chunks, chunk, found)
  return found
}

const sum = (chunks: readonly Chunk[]) => bytesOf(new Set(chunks))
const bytesOf = (chunks: ReadonlySet<Chunk>) =>
  [...chunks].reduce((total, { code }) => total + brotliBytes(code), 0)
