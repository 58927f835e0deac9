import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Parts of the built page that a browser fetches one by one. */
export type ShippedPart = 'hydrate' | 'form' | 'call' | 'humanCheck' | 'liveStatus' | 'opens'

const SOURCES: Record<ShippedPart, string> = {
  hydrate: 'src/client.tsx',
  form: 'src/phone/phone-form.tsx',
  call: 'src/demo/call-client.ts',
  humanCheck: 'src/human-check/human-check.ts',
  liveStatus: 'src/live-status/live-status.ts',
  opens: 'src/opens/watch-open.ts',
}
/** What the human check and the live status load beside their own: one may be there without the other. */
const OWN_WEBHOOK = 'src/own-webhook/own-webhook.ts'
/** What every browser call in the built-in room loads beside that: the room's code, which another room's call does not need. */
const BUILT_IN_ROOM = /\/rooms\/socket\/socket-code\.js$/

interface ManifestEntry {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
  assets?: string[]
}

/**
 * The files of each part by Vite's manifest: a chunk, what it imports at once, and the files that those name; of the
 * call also the built-in room's. The others are counted without what hydration has brought already. Throws
 * when the build has no such part.
 */
export function shippedParts(clientDirectory: string): Record<ShippedPart, string[]> {
  const manifest: Record<string, ManifestEntry> = JSON.parse(
    readFileSync(path.join(clientDirectory, '.vite/manifest.json'), 'utf8'),
  )
  const hydrate = filesOf([SOURCES.hydrate], manifest)
  const beyond = (...sources: string[]) =>
    [...filesOf(sources, manifest)].filter((file) => !hydrate.has(file))
  const room = manifest[SOURCES.call]?.dynamicImports?.find((name) => BUILT_IN_ROOM.test(name))
  if (!room) throw new Error("The client's manifest has no code of the built-in room beside the call's.")
  return {
    hydrate: [...hydrate],
    form: beyond(SOURCES.form),
    call: beyond(SOURCES.call, room),
    humanCheck: beyond(OWN_WEBHOOK, SOURCES.humanCheck),
    liveStatus: beyond(OWN_WEBHOOK, SOURCES.liveStatus),
    opens: beyond(SOURCES.opens),
  }
}

function filesOf(sources: readonly string[], manifest: Record<string, ManifestEntry>): Set<string> {
  const files = new Set<string>()
  const seen = new Set<string>()
  const visit = (name: string) => {
    if (seen.has(name)) return
    seen.add(name)
    const entry = manifest[name]
    if (!entry) throw new Error(`The client's manifest has no ${name}; build the page with "npm run build".`)
    for (const file of [entry.file, ...(entry.css ?? []), ...(entry.assets ?? [])]) files.add(file)
    for (const imported of entry.imports ?? []) visit(imported)
  }
  sources.forEach(visit)
  return files
}
