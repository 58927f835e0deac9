import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Stays where it is: the SQL is found from there. */
export const SERVER = 'apps/server'

/**
 * Says where a file of the repository is in the package: a workspace stands under its name in `node_modules`, as npm links it, but without a
 * link. Paths are relative. @param {string} root
 */
export function placing(root) {
  const names = new Map(
    ['apps', 'packages']
      .flatMap((above) => readdirSync(join(root, above)).map((name) => `${above}/${name}`))
      .filter((folder) => folder !== SERVER)
      .map((folder) => [folder, nameOf(root, folder)]),
  )
  return (/** @type {string} */ path) => {
    const [folder = ''] = /^[^/]+\/[^/]+/.exec(path) ?? []
    const name = names.get(folder)
    return name === undefined ? path : `node_modules/${name}${path.slice(folder.length)}`
  }
}

/** @param {string} root @param {string} folder @returns {string} */
const nameOf = (root, folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name
