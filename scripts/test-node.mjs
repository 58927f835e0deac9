// `npm run test:node -- 24` runs `npm test` on another Node, which npm's package `node` brings. What follows the version goes to the tests.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const [version, ...words] = process.argv.slice(2)
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '')) {
  console.error('Say which Node: npm run test:node -- 24')
  process.exit(1)
}
const command = ['node --version', ['node scripts/test.mjs', ...words].join(' ')].join(' && ')
const { status } = spawnSync('npx', ['--yes', '--package', `node@${version}`, '--call', command], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1
