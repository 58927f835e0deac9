import { parseArgs } from 'node:util'
import { SettingError } from '@heyline/kit/setting-error'
import { writeSite } from './site-folder.js'
import { staticDocument } from './static-document.js'
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
