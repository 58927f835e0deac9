import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {Record<string, string>} [dependencies]
 *
 * @typedef {{ folder: string, manifest: Manifest }} Workspace `folder` is relative to the root, such as `packages/kit`.
 */

/** All workspaces: each stands in a folder of `packages` or `apps`. @param {string} root @returns {Workspace[]} */
export function workspacesOf(root) {
  const folders = ['packages', 'apps'].flatMap((place) =>
    readdirSync(join(root, place)).map((name) => `${place}/${name}`),
  )
  return folders
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: manifestOf(join(root, folder)) }))
}

/** @param {string} folder @returns {Manifest} */
export const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Those that are published, each after what it needs: who installs one at any moment finds all of it. @param {string} root @returns {Workspace[]} */
export function publishedOf(root) {
  const waiting = workspacesOf(root).filter(({ manifest }) => !manifest.private)
  /** @type {Workspace[]} */
  const ordered = []
  while (waiting.length > 0) {
    const names = waiting.map(({ manifest }) => manifest.name)
    const next = waiting.findIndex(
      ({ manifest }) => !names.some((name) => name in (manifest.dependencies ?? {})),
    )
    if (next < 0) throw new Error(`These packages need each other: ${names.join(', ')}.`)
    ordered.push(...waiting.splice(next, 1))
  }
  return ordered
}
