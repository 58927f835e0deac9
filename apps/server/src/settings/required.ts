import { SettingError } from '@heyline/kit/setting-error'
import type { Environment } from './environment.js'

type TextSetting = {
  [Name in keyof Environment]-?: Environment[Name] extends string | undefined ? Name : never
}[keyof Environment]

/** The value of a setting that another one needs. Throws a `SettingError` if it is not set. */
export function required(values: Environment, name: TextSetting, because: string): string {
  const value = values[name]
  if (!value) throw new SettingError(name, `is needed with ${because}`)
  return value
}

/** Throws a `SettingError` for a setting that nothing reads while another one is not set. */
export function refuseLonely(values: Environment, names: readonly TextSetting[], without: string) {
  for (const name of names)
    if (values[name])
      throw new SettingError(name, `has no effect without ${without}: set that too, or unset this`)
}
