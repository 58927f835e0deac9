import { parseArgs } from 'node:util'
import { SettingError } from '@heyline/kit/setting-error'
import { contentSecurityPolicy } from '../content-security-policy.js'
import type { Settings } from '../document/settings.js'
import { render, styleHashes } from '../server/render.js'
import { writeSite } from './site-folder.js'
import { readStaticSettings } from './static-settings.js'

export interface StaticBuild {
  /** The words behind the command. */
  words: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** The folder of the built client. */
  assets: string
  /** The folder that is written where no `--out` names another. */
  folder: string
}

/** What to say of a page that is written. */
export const writtenTo = (folder: string): string =>
  `The static page is in ${folder}: any static host can serve it at the root of an origin.`

/** Makes the static page and returns its folder. Throws a `SettingError`, before anything is written, for what can't be used. */
export function buildStatic({ words, env, assets, folder }: StaticBuild): string {
  const out = outOf(words) ?? folder
  const document = staticDocument(readStaticSettings(env))
  try {
    writeSite(out, { document, assets })
  } catch (cause) {
    if (cause instanceof SettingError) throw cause
    const reason = cause instanceof Error ? cause.message : cause
    throw new SettingError('--out', `"${out}" could not be written (${reason}): name another folder`, {
      cause,
    })
  }
  return out
}

function outOf(words: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...words], options: { out: { type: 'string' } } }).values.out
  } catch (cause) {
    throw new SettingError('npm run static', 'it takes nothing but --out FOLDER', { cause })
  }
}

/**
 * The one document of a static page: the loading state, in which the browser looks the visitor up. The host sends no
 * headers of ours, so the policy stands in the document, and names the configured ends.
 */
export function staticDocument(settings: Settings): string {
  const policy = contentSecurityPolicy({
    hosted: [settings.backendUrl, settings.callWebhookUrl, settings.webCallFunction ?? settings.backendUrl],
    platform: settings.platformUrl,
    turnstile: settings.humanCheck?.kind === 'turnstile',
    styleHashes,
  })
  return render({ state: { kind: 'loading' }, settings, policy })
}
