import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { filesIn } from './files-in.mjs'
import { dependencyFolders, licencesOf } from './licences.mjs'
import { loadedFiles } from './loaded-files.mjs'
import { readFiles } from './read-files.mjs'

/** The part of a path that is a package's folder: a dependency's, or a workspace's. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+|^(?:apps|packages)\/[^/]+/
/** Stays where it is: the SQL is found from there. */
const SERVER = 'apps/server'

/** @typedef {{ from: string, to: string }} Packed both relative: to the repository's root, and to the package's */

/** All files of the package, each once. @param {string} root @returns {Promise<Packed[]>} */
export async function contents(root) {
  const used = [...(await loadedFiles(root)), ...readFiles(root)]
  const folders = [...new Set(used.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []))]
  const described = folders.flatMap((folder) => [
    ...manifestsOf(root, folder, used),
    ...licencesOf(root, folder),
  ])
  const place = placing(root)
  const files = [...used, ...described].map((from) => ({ from, to: place(from) }))
  // Of what is bundled into the front ends, only its licence is left.
  const bundled = dependencyFolders(root)
    .filter((folder) => !folders.includes(folder))
    .flatMap((folder) => licencesOf(root, folder))
    .map((from) => ({ from, to: `licences/${from.replaceAll('node_modules/', '')}` }))
  return [...new Map([...files, ...bundled].map((file) => [file.to, file])).values()].sort((a, b) =>
    a.to < b.to ? -1 : 1,
  )
}

/**
 * What says how the used files of a package are loaded: its manifest, and in a dependency also those of folders that hold such a file or
 * name one as their main file.
 *
 * @param {string} root @param {string} folder @param {string[]} used
 */
function manifestsOf(root, folder, used) {
  const own = `${folder}/package.json`
  if (!folder.includes('node_modules/')) return [own]
  const inner = filesIn(root, folder, (inside) => !inside.endsWith('/node_modules')).filter((path) => {
    if (!path.endsWith('/package.json') || path === own) return false
    const { main = 'index.js' } = JSON.parse(readFileSync(join(root, path), 'utf8'))
    const named = posix.join(posix.dirname(path), main)
    return used.some((file) => file === named || file.startsWith(`${posix.dirname(path)}/`))
  })
  return [own, ...inner]
}

/** Where a file is in the package: a workspace stands under its name in `node_modules`, as npm links it, but without a link. @param {string} root */
function placing(root) {
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
