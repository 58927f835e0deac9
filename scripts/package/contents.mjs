import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { bundle } from './bundle.mjs'
import { filesIn } from './files-in.mjs'
import { dependencyFolders, licencesOf } from './licences.mjs'
import { loadedFiles } from './loaded-files.mjs'
import { placing } from './places.mjs'
import { readFiles } from './read-files.mjs'

/** The part of a path that is a package's folder: a dependency's, or a workspace's. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+|^(?:apps|packages)\/[^/]+/

/** @typedef {{ to: string, content: Buffer }} Packed a path in the package */

/** All files of the package, each once. @param {string} root @returns {Promise<Packed[]>} */
export async function contents(root) {
  const { files: bundles, entries, others } = await bundle(root)
  const used = [...(await loadedFiles(root, others)), ...readFiles(root)]
  const folders = [...new Set([...entries, ...used].flatMap((path) => PACKAGE.exec(path)?.[0] ?? []))]
  const described = folders.flatMap((folder) => [
    ...manifestsOf(root, folder, used),
    ...licencesOf(root, folder),
  ])
  const place = placing(root)
  const files = [...used, ...described].map((from) => ({ from, to: place(from) }))
  // Of what is bundled, here and into the front ends, only its licence is left.
  const licences = dependencyFolders(root)
    .filter((folder) => !folders.includes(folder))
    .flatMap((folder) => licencesOf(root, folder))
    .map((from) => ({
      from,
      to: `licences/${from.replace(/^.*?node_modules\//, '').replaceAll('node_modules/', '')}`,
    }))
  const read = [...files, ...licences].map(({ from, to }) => ({
    to,
    content: readFileSync(join(root, from)),
  }))
  return [...new Map([...read, ...bundles].map((file) => [file.to, file])).values()].sort((a, b) =>
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
