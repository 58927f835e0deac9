/** A setting or word of the command that can't be used. The message names it, says what is wrong and what to do, in one line. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
  /** The environment variable, or the option. */
  readonly setting: string

  constructor(setting: string, message: string, options?: ErrorOptions) {
    super(`${setting}: ${message}`, options)
    this.setting = setting
  }
}
