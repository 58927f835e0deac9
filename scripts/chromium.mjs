// Finds the Chromium that the browser tests and benchmarks drive.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The path of a Chromium: `CHROME_PATH`, or one of the usual places. @returns {string | undefined} */
export function findChromium() {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH) {
    if (isExecutable(CHROME_PATH)) return CHROME_PATH
    throw new Error(
      `CHROME_PATH is ${CHROME_PATH}, which can't be run: point it at a Chromium or Chrome, or unset it`,
    )
  }
  return PLACES.find(isExecutable)
}

/** The path of a Chromium; on Debian, as root, it is installed when there is none. @returns {string} */
export function chromium() {
  const found = findChromium()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('No Chromium here: installing the package chromium')
    const quiet = {
      stdio: /** @type {const} */ ('ignore'),
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }
    spawnSync('apt-get', ['update'], quiet)
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], quiet)
    const installed = findChromium()
    if (installed) return installed
  }
  throw new Error(
    'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROME_PATH',
  )
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
