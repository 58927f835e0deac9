import type { Plugin } from 'vite'

const PAGE_SOURCE = /\/apps\/page\/src\/.*\.tsx?$/
const IMPORT_CALL = /\bimport\(\s*'([^']+)'\s*\)/g

/** Makes the page's own `import()`s static, so that it ships as one bundle. What its libraries split stays split. */
export function eagerChunks(): Plugin {
  return {
    name: 'eager-chunks',
    enforce: 'pre',
    transform: {
      filter: { id: PAGE_SOURCE, code: IMPORT_CALL },
      handler(code) {
        const modules: string[] = []
        const eager = code.replace(IMPORT_CALL, (_, path: string) => {
          modules.push(path)
          return `Promise.resolve(eager${modules.length - 1})`
        })
        const imports = modules.map((path, index) => `import * as eager${index} from '${path}'\n`)
        return { code: imports.join('') + eager, map: null }
      },
    },
  }
}
