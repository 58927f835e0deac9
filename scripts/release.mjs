// `npm run release -- prepare 0.2.0` makes the files of a version; `npm run release -- publish [--dry-run]` puts its packages on the registry.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { prepare } from './release/prepare.mjs'
import { publish } from './release/publish.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean' } },
})
const [command, version, ...others] = positionals
const isDryRun = values['dry-run'] ?? false

try {
  if (others.length > 0) usage()
  else if (command === 'prepare' && version !== undefined && !isDryRun) {
    prepare(root, version, new Date())
    console.log(
      `The files of ${version} are made. Look at them, commit them, and tag the commit v${version}.`,
    )
  } else if (command === 'publish' && version === undefined) publish(root, { isDryRun })
  else usage()
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}

function usage() {
  fail('Use `npm run release -- prepare VERSION`, or `npm run release -- publish [--dry-run]`.')
}

/** @param {string} message */
function fail(message) {
  console.error(message)
  process.exitCode = 1
}
