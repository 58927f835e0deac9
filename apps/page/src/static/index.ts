// `npm run static`: the page as files for any static host.
import { fileURLToPath } from 'node:url'
import { SettingError } from '@heyline/kit/setting-error'
import { assetsDirectory } from '../server/assets.js'
import { buildStatic, writtenTo } from './static-build.js'

try {
  const folder = buildStatic({
    words: process.argv.slice(2),
    env: process.env,
    assets: assetsDirectory,
    folder: fileURLToPath(new URL('../static', import.meta.url)),
  })
  console.log(writtenTo(folder))
} catch (error) {
  if (!(error instanceof SettingError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
