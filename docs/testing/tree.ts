import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What is built, installed or written by a run; the folders whose names begin with a dot are left out too. */
const LEFT_OUT = new Set([
  'node_modules',
  'dist',
  'out',
  'data',
  'test-results',
  'playwright-report',
  'coverage',
])

/** A text of the tree; `path` is relative to the root, with slashes. */
export interface Text {
  path: string
  text: string
}

/** The paths of all files of the tree, relative to its root. */
export function filesOfTree(folder = ROOT): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return LEFT_OUT.has(entry.name) || entry.name.startsWith('.') ? [] : filesOfTree(path)
    return [relative(ROOT, path).replaceAll('\\', '/')]
  })
}

/** The texts of all files with one of these extensions. */
export function textsOfTree(...extensions: string[]): Text[] {
  return filesOfTree()
    .filter((path) => extensions.includes(extname(path)))
    .map((path) => ({ path, text: textOf(path) }))
}

export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Whether a path from the root is there, as a file or a folder. */
export const isInTree = (path: string): boolean =>
  statSync(join(ROOT, path), { throwIfNoEntry: false }) !== undefined
