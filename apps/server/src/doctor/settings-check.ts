import { SettingError } from '@heyline/kit/setting-error'
import { readSettings, type Settings } from '../settings/settings.js'
import { type Finding, fail, ok } from './finding.js'

/** Said of settings that a server can start with. */
export const USABLE = ok('settings', 'all of them can be used')

export interface CheckedSettings {
  findings: Finding[]
  /** Without those that can't be used; undefined where one is needed that is not there. */
  settings: Settings | undefined
}

/** Every setting that can't be used, not only the first: each is named, and the others are read without it. */
export function checkSettings(env: NodeJS.ProcessEnv): CheckedSettings {
  const left = { ...env }
  const findings: Finding[] = []
  for (;;)
    try {
      const settings = readSettings(left)
      if (findings.length === 0) findings.push(USABLE)
      return { findings, settings }
    } catch (error) {
      if (!(error instanceof SettingError)) throw error
      const { setting, message } = error
      findings.push(
        fail(
          setting,
          message.slice(setting.length + 2),
          'change it in the environment: .env.example says what it takes',
        ),
      )
      if (!left[setting]) return { findings, settings: undefined }
      delete left[setting]
    }
}
