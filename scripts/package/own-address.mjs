import { readFile } from 'node:fs/promises'
import { posix, relative } from 'node:path'
import { transform } from 'esbuild'

/**
 * A plugin of esbuild: a module that is bundled keeps the address that it would have in the package by itself. From there it finds the files
 * that lie beside it, and what `createRequire` resolves.
 *
 * @param {object} options
 * @param {string} options.root of the repository
 * @param {string} options.folder of the package, where the bundle lies
 * @param {(path: string) => string} options.place from a path in the repository to one in the package
 * @returns {import('esbuild').Plugin}
 */
export function ownAddress({ root, folder, place }) {
  return {
    name: 'own-address',
    setup(build) {
      build.onLoad({ filter: /\.m?js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        if (!text.includes('import.meta.url')) return undefined
        const { code } = await transform(text, { define: { 'import.meta.url': '__ownAddress' } })
        const there = posix.relative(folder, place(relative(root, path).replaceAll('\\', '/')))
        return {
          contents: `const __ownAddress = new URL(${JSON.stringify(there)}, import.meta.url).href\n${code}`,
        }
      })
    },
  }
}
