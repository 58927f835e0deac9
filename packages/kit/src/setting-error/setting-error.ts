/**
 * A setting, or a word of the command, that can't be used. The message names it, and says in one line what is wrong and what to do.
 *
 * @example
 * throw new SettingError('PORT', 'must be a number from 0 to 65535')
 */
export class SettingError extends Error {
  override readonly name = 'SettingError'
  /** The environment variable, or the option. */
  readonly setting: string

  constructor(setting: string, message: string, options?: ErrorOptions) {
    super(`${setting}: ${message}`, options)
    this.setting = setting
  }
}
