import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What a document refers to, as paths under the assets' base. */
export interface Assets {
  script: string
  /** Chunks that the script imports at once: fetched beside it instead of after it. */
  preloads: string[]
  /** Chunks that only a page in its loading state needs at once. */
  lookup: string[]
  icon: string
}

interface ManifestEntry {
  file: string
  imports?: string[]
}

/** The folder of the built client: hashed files, to be served under `/-/assets/`. */
export const assetsDirectory: string = fileURLToPath(new URL('../client', import.meta.url))

/** The address of a file in that folder; in development a source's, to which Vite's `transformIndexHtml` adds the base. */
export const assetUrl = (file: string): string =>
  `${import.meta.env.DEV ? '/' : import.meta.env.BASE_URL}${file}`

/** Vite's names for the entry, the lookup and the icon: the sources' paths from the project's root. */
const ENTRY = 'src/client.tsx'
const LOOKUP = 'src/visitor/reads.ts'
const ICON = 'src/icon.svg'

/** The built client's files; the sources themselves where Vite serves them in development. */
export function readAssets(): Assets {
  if (import.meta.env.DEV) return { script: ENTRY, preloads: [], lookup: [], icon: ICON }
  const manifest: Record<string, ManifestEntry> = JSON.parse(
    readFileSync(new URL('../client/.vite/manifest.json', import.meta.url), 'utf8'),
  )
  const file = (name: string) => {
    const entry = manifest[name]
    if (entry) return entry
    throw new Error(`The client's manifest has no ${name}; build the page again with "npm run build".`)
  }
  return {
    script: file(ENTRY).file,
    preloads: (file(ENTRY).imports ?? []).map((name) => file(name).file),
    lookup: [file(LOOKUP).file],
    icon: file(ICON).file,
  }
}
