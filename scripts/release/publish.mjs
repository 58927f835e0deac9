import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestOf, publishedOf } from './workspaces.mjs'

/**
 * Puts the packages of this version on the registry, with a statement of where they were built. What is there already is left out, so a run
 * that broke off is run again.
 * @param {string} root @param {{ isDryRun: boolean }} options a dry run does everything but the last request, and needs no account
 */
export function publish(root, { isDryRun }) {
  const { version } = manifestOf(root)
  const packages = publishedOf(root)
  const other = packages.find(({ manifest }) => manifest.version !== version)
  if (other)
    throw new Error(
      `${other.manifest.name} is ${other.manifest.version}, not ${version}. Use \`npm run release -- prepare\`.`,
    )
  const isReleased = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## [${version}]`)
  if (!isReleased && !isDryRun)
    throw new Error(`CHANGELOG.md has no section of ${version}. Use \`npm run release -- prepare\` first.`)
  npm(root, ['run', 'build'])
  for (const { folder, manifest } of packages) {
    const one = `${manifest.name}@${version}`
    if (!isDryRun && isThere(root, one)) console.log(`${one} is there already.`)
    else npm(root, ['publish', `./${folder}`, ...(isDryRun ? ['--dry-run'] : [])])
  }
  console.log(isDryRun ? 'Nothing was published: this was a dry run.' : `Version ${version} is published.`)
}

/** @param {string} root @param {string} one */
function isThere(root, one) {
  const { status, stdout, stderr } = run(root, ['view', one, 'version', '--json'], 'pipe')
  if (status !== 0 && !stdout.includes('E404'))
    throw new Error(`The registry does not say whether ${one} is there:\n${stderr}`)
  return status === 0 && stdout.trim() !== ''
}

/** @param {string} root @param {string[]} words */
function npm(root, words) {
  const { status } = run(root, words, 'inherit')
  if (status !== 0)
    throw new Error(
      `\`npm ${words.join(' ')}\` failed. Nothing after it was done; the same command goes on there.`,
    )
}

/** @param {string} root @param {string[]} words @param {'inherit' | 'pipe'} output */
function run(root, words, output) {
  return spawnSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32',
  })
}
