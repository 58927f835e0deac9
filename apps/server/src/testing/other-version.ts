import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** Another version of Heyline, built in a folder of its own, with the modules that are installed here. */
export interface OtherVersion {
  /** Its `heyline`. */
  command: string
  /** Its processes serve each other's files. */
  servesBuilds: boolean
  /** Removes its folder. */
  remove(): void
}

/** Why there is none. */
export interface NoVersion {
  missing: string
}

/**
 * The last release: what `HEYLINE_LAST_RELEASE` or else the newest tag names. Without tags, the newest version without any of the migrations
 * that are not in `supabase/released.sha256`, or without the newest (on the first parents' side, so what was merged is one step). Without
 * the history, or with other modules, there is none.
 */
export function lastRelease(): OtherVersion | NoVersion {
  const tag = process.env.HEYLINE_LAST_RELEASE || git('describe', '--tags', '--abbrev=0', '--match', 'v*')
  const revision = git(
    'rev-parse',
    '--verify',
    '--quiet',
    tag ? `${tag}^{commit}` : `${firstOfThisRelease()}^1`,
  )
  if (!revision) return { missing: 'the history is not here' }
  return built((folder) => {
    const archive = execFileSync('git', ['archive', '--format=tar', revision], { cwd: ROOT, maxBuffer: 1e9 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
  })
}

/** The commit that brought the first migration of the release to come. */
function firstOfThisRelease(): string {
  const released = readFileSync(join(ROOT, 'supabase/released.sha256'), 'utf8')
  const files = readdirSync(join(ROOT, 'supabase/migrations'))
    .filter((file) => !released.includes(file))
    .map((file) => `supabase/migrations/${file}`)
  const places = files.length > 0 ? files : ['supabase/migrations']
  const added = git('log', '--first-parent', '--diff-filter=A', '--format=%H', '--', ...places).split('\n')
  return (files.length > 0 ? added.at(-1) : added[0]) ?? ''
}

/** This version with front ends that say one word more, so that their files have other names. */
export function withOtherFrontEnds(): OtherVersion | NoVersion {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard').split('\n').filter(Boolean)
  if (files.length === 0) return { missing: 'no list of the files is here' }
  return built((folder) => {
    for (const file of files) {
      if (!existsSync(join(ROOT, file))) continue
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      cpSync(join(ROOT, file), join(folder, file))
    }
    for (const entry of ['page/src/client.tsx', 'pocket-phone/src/main.tsx', 'console/src/main.tsx'])
      appendFileSync(join(folder, 'apps', entry), "\nconsole.debug('the other front end')\n")
  })
}

function built(fill: (folder: string) => void): OtherVersion | NoVersion {
  const folder = mkdtempSync(join(tmpdir(), 'heyline-version-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    fill(folder)
    if (!hasOurModules(folder)) {
      remove()
      return { missing: 'it has other modules' }
    }
    linkModules(folder)
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: 'pipe' })
  } catch (error) {
    remove()
    throw error
  }
  return {
    command: join(folder, 'apps/server/bin/heyline.js'),
    servesBuilds: existsSync(join(folder, 'apps/server/src/builds')),
    remove,
  }
}

/** What git prints; nothing where it fails. */
function git(...words: string[]): string {
  try {
    return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1e8 }).trim()
  } catch {
    return ''
  }
}

const lockfile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), link: z.boolean().optional() })),
})

/** Whether every module that it locks is installed here in the same version. */
function hasOurModules(folder: string): boolean {
  const [ours, theirs] = [ROOT, folder].map(
    (place) => lockfile.parse(JSON.parse(readFileSync(join(place, 'package-lock.json'), 'utf8'))).packages,
  )
  return Object.entries(theirs ?? {}).every(
    ([path, { version, link }]) =>
      !path.includes('node_modules/') || link || ours?.[path]?.version === version,
  )
}

/** Ours, but for its own workspaces. */
function linkModules(folder: string): void {
  const link = (from: string, to: string, without: string[] = []) => {
    mkdirSync(to, { recursive: true })
    for (const entry of readdirSync(from))
      if (!without.includes(entry)) symlinkSync(join(from, entry), join(to, entry))
  }
  link(join(ROOT, 'node_modules'), join(folder, 'node_modules'), [
    '@heyline',
    '.package-lock.json',
    '.cache',
    '.vite',
  ])
  mkdirSync(join(folder, 'node_modules/@heyline'))
  for (const kind of ['packages', 'apps'])
    for (const workspace of readdirSync(join(folder, kind))) {
      symlinkSync(join('../..', kind, workspace), join(folder, 'node_modules/@heyline', workspace))
      const own = join(ROOT, kind, workspace, 'node_modules')
      if (existsSync(own)) link(own, join(folder, kind, workspace, 'node_modules'), ['.vite', '.cache'])
    }
}
