import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LICENCE = /^(licen[cs]e|copying|notice|unlicense)/i

/** The files of a package's folder that say its licence; paths from the root. @param {string} root @param {string} folder @returns {string[]} */
export const licencesOf = (root, folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE.test(entry.name))
    .map((entry) => `${folder}/${entry.name}`)

/**
 * The folders of all dependencies that are installed and are not for development alone, as the lockfile has them. Whatever the front ends'
 * bundles hold is among them. @param {string} root @returns {string[]}
 */
export function dependencyFolders(root) {
  /** @type {{ packages: Record<string, { dev?: boolean, devOptional?: boolean, link?: boolean }> }} */
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(
      ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
    )
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)))
}
