import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'

const FOLDER = path.join(
  path.dirname(createRequire(import.meta.url).resolve('country-flag-icons/package.json')),
  '3x2',
)
const CODES = new Set(
  readdirSync(FOLDER)
    .map((name) => /^([A-Z]{2})\.svg$/.exec(name)?.[1])
    .filter((code) => code !== undefined),
)
const FLAG_PATH = /\/flags\/([A-Z]{2})\.svg$/

/** The countries' flags as files of our own, `flags/XX.svg` under the assets' base, so that no flag comes from elsewhere. */
export function countryFlags(): Plugin {
  return {
    name: 'country-flags',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const code = FLAG_PATH.exec(request.url ?? '')?.[1]
        if (!code || !CODES.has(code)) return next()
        response.setHeader('content-type', 'image/svg+xml')
        response.end(readFlag(code))
      })
    },
    generateBundle() {
      if (this.environment.name !== 'client') return
      for (const code of CODES)
        this.emitFile({ type: 'asset', fileName: `flags/${code}.svg`, source: readFlag(code) })
    },
  }
}

const readFlag = (code: string) => readFileSync(path.join(FOLDER, `${code}.svg`))
