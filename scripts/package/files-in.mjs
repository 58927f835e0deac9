import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * The files of a folder, in order, or the file itself; as paths from the root, with slashes. Throws where there is neither.
 *
 * @param {string} root @param {string} path @param {(folder: string) => boolean} [enters] which folders inside are looked into
 * @returns {string[]}
 */
export function filesIn(root, path, enters = () => true) {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inside = relative(root, join(root, path, entry.name)).replaceAll('\\', '/')
      if (!entry.isDirectory()) return [inside]
      return enters(inside) ? filesIn(root, inside, enters) : []
    })
}
