import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'
import type { OlderFiles } from '../builds/older-files.js'
import { type AssetsPlace, assets } from './assets.js'

/** The folder of `heyline-call.js` and of what it loads. */
export const embedAssets = fileURLToPath(
  new URL('.', import.meta.resolve('@heyline/web-call/heyline-call.js')),
)

const PLACE: AssetsPlace = {
  path: '/-/embed/',
  // Pages of any origin may load it: it holds no key, and what it asks for has its own rules.
  headers: { 'access-control-allow-origin': '*' },
  // Its name stays, so that a page can name it: five minutes after an update every page has the new one.
  named: { files: /^heyline-call\.js$/, seconds: 300 },
}

/** `/-/embed/heyline-call.js`: the element `<heyline-call>` for pages elsewhere, and beside it what it loads. */
export const embed = (older?: Pick<OlderFiles, 'find'>): Hono => assets([embedAssets], older, PLACE)
