import { z } from 'zod'

/** What people read about a setting, in `.env.example` and in `docs/settings.md`. */
export interface SettingText {
  /** What it does, and what it takes. Sentences; a name of a setting or a value stands in backquotes. */
  meaning: string
  /** Values that people use, each with what it is for. */
  examples?: readonly string[]
  /** Used where the variable is empty or not set. */
  default?: string
}

/** The text of each setting that was made by `setting`. */
export const SETTING_TEXTS = z.registry<SettingText>()

type Schema = z.ZodType<unknown, string>

/** One variable of the environment: how it is parsed, its default, and what people read about it. Without a default it is optional. */
export function setting<Value extends Schema>(
  value: Value,
  text: SettingText & { default: z.input<Value> },
): z.ZodPrefault<Value>
export function setting<Value extends Schema>(value: Value, text: SettingText): z.ZodOptional<Value>
export function setting(value: Schema, text: SettingText): z.ZodType {
  const schema = text.default === undefined ? value.optional() : value.prefault(text.default)
  return schema.register(SETTING_TEXTS, text)
}

/** Settings that belong together, in the order in which people read them. */
export interface SettingGroup {
  title: string
  /** What holds for all of them. */
  note?: string
  settings: Readonly<Record<string, z.ZodType>>
}
