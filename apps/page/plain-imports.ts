import type { Plugin } from 'vite'

/**
 * Leaves `import()` to the browser. Vite wraps each one in 1.6 kB of code that preloads a chunk's own imports and
 * styles; here chunks import the entry, which is loaded already, and there are no styles beside the document's.
 */
export function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /^\0vite\/preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load()',
    },
  }
}
