import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestOf, workspacesOf } from './workspaces.mjs'

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/

/**
 * Makes all that a version has in the tree: the number in every manifest and in what they need of each other, the changelog's heading, and
 * the checksums of the migrations, which are frozen from now on. Changes nothing where something is missing.
 * @param {string} root @param {string} version such as `0.2.0` @param {Date} date
 */
export function prepare(root, version, date) {
  const { version: last } = manifestOf(root)
  if (!VERSION.test(version))
    throw new Error(`${version} is no version. It has three numbers, such as 0.2.0.`)
  if (!isLater(version, last))
    throw new Error(`${version} is not later than ${last}, which is the version now.`)
  const changelog = withHeading(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, date)

  const folders = workspacesOf(root).map(({ folder }) => folder)
  for (const folder of ['.', ...folders])
    rewrite(join(root, folder, 'package.json'), (text) => ofVersion(text, last, version))
  rewrite(join(root, 'package-lock.json'), (text) => lockOf(text, folders, last, version))
  writeFileSync(join(root, 'CHANGELOG.md'), changelog)
  writeFileSync(join(root, 'supabase/released.sha256'), checksums(join(root, 'supabase')))
}

/** @param {string} one @param {string} other */
function isLater(one, other) {
  const [first = [], second = []] = [one, other].map((version) => VERSION.exec(version)?.slice(1).map(Number))
  const differing = first.findIndex((number, index) => number !== second[index])
  return differing >= 0 && Number(first[differing]) > Number(second[differing])
}

/** @param {string} changelog @param {string} version @param {Date} date */
function withHeading(changelog, version, date) {
  const [, after = ''] = changelog.split(/^## \[Unreleased\]\n/m)
  const [unreleased] = after.split(/^## \[/m)
  if (!unreleased?.trim())
    throw new Error('CHANGELOG.md has nothing under "Unreleased". Say there what the version brings.')
  const heading = `## [${version}] - ${date.toISOString().slice(0, 10)}`
  return changelog.replace(/^## \[Unreleased\]\n/m, `## [Unreleased]\n\n${heading}\n`)
}

/** A manifest's text, with its number and those of our packages that it needs. @param {string} text @param {string} last @param {string} version */
const ofVersion = (text, last, version) =>
  text
    .replace(`"version": "${last}"`, `"version": "${version}"`)
    .replaceAll(/("@heyline\/[a-z-]+": )"([^"]+)"/g, (all, name, pinned) =>
      pinned === last ? `${name}"${version}"` : all,
    )

/** @param {string} text @param {string[]} folders @param {string} last @param {string} version */
function lockOf(text, folders, last, version) {
  const lock = JSON.parse(ofVersion(text, last, version))
  for (const folder of ['', ...folders])
    if (lock.packages[folder].version) lock.packages[folder].version = version
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** As `sha256sum migrations/*.sql` prints them. @param {string} folder */
function checksums(folder) {
  const names = readdirSync(join(folder, 'migrations')).filter((name) => name.endsWith('.sql'))
  const line = (/** @type {string} */ name) => {
    const digest = createHash('sha256').update(readFileSync(join(folder, 'migrations', name)))
    return `${digest.digest('hex')}  migrations/${name}\n`
  }
  return names.toSorted().map(line).join('')
}

/** @param {string} file @param {(text: string) => string} change */
function rewrite(file, change) {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
