// What `npm start` runs in a fresh clone: the types are taken out of the sources, and nobody reads them. It takes a second, the compiler ten.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** What the compiler has emitted it looks at again only if this says so. */
const COMPILED = 'dist/.tsbuildinfo'

/** True where the compiler has built all of these, and knows what is stale. @param {readonly string[]} workspaces their folders */
export const areCompiled = (workspaces) =>
  workspaces.every((workspace) => existsSync(join(workspace, COMPILED)))

/**
 * Writes the `.js` and its map of each source of these workspaces that the compiler would emit, where they are not there yet. No declarations,
 * and no check: the next run of the compiler emits everything anew. Rejects with all syntax errors.
 * @param {readonly string[]} workspaces their folders
 */
export async function transpile(workspaces) {
  for (const workspace of workspaces) rmSync(join(workspace, COMPILED), { force: true })
  const outcomes = await Promise.allSettled(
    workspaces.flatMap((workspace) => emittedSources(workspace).map((name) => transpileOne(workspace, name))),
  )
  const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  if (failed.length > 0)
    throw new Error(failed.map((error) => (error instanceof Error ? error.message : error)).join('\n'))
}

/** Paths below `src` of what the workspace's tsconfig.json includes. @param {string} workspace @returns {string[]} */
export function emittedSources(workspace) {
  /** @type {{ exclude?: string[] }} */
  const { exclude = [] } = JSON.parse(readFileSync(join(workspace, 'tsconfig.json'), 'utf8'))
  const excluded = exclude.map(patternOf)
  return readdirSync(join(workspace, 'src'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !excluded.some((one) => one.test(relative(workspace, file).replaceAll('\\', '/'))))
    .map((file) => relative(join(workspace, 'src'), file))
    .sort()
}

/** `src/testing` is a folder with all that is in it. @param {string} glob with `**` and `*` */
function patternOf(glob) {
  const parts = glob.split('/').map((part) => {
    if (part === '**') return '(?:[^/]+/)*'
    return `${part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')}/`
  })
  return new RegExp(`^${parts.join('').replace(/\/$/, '')}(?:/|$)`)
}

/** @param {string} workspace @param {string} name below its `src` */
async function transpileOne(workspace, name) {
  const source = join(workspace, 'src', name)
  const { transformWithOxc } = await import('vite') // it takes a third of a second, and most builds don't need it
  const { code, map } = await transformWithOxc(readFileSync(source, 'utf8'), source, { sourcemap: true })
  const file = join(workspace, 'dist', name.replace(/\.tsx?$/, '.js'))
  const said = {
    version: 3,
    file: basename(file),
    sources: [relative(dirname(file), source).replaceAll('\\', '/')],
    names: map?.names ?? [],
    mappings: map?.mappings ?? '',
  }
  mkdirSync(dirname(file), { recursive: true })
  writeChanged(file, `${code.trimEnd()}\n//# sourceMappingURL=${basename(file)}.map\n`)
  writeChanged(`${file}.map`, JSON.stringify(said))
}

/** @param {string} file @param {string} content */
function writeChanged(file, content) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== content) writeFileSync(file, content)
}
