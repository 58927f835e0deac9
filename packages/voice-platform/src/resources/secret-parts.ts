import { z } from 'zod'
import { ApiError } from './api-error.js'

type Settings = Record<string, unknown>

const objectOf = z.record(z.string(), z.unknown())

/** Names of fields that are secret, below a field of a resource. */
export type SecretFields = Readonly<Record<string, readonly string[]>>

/** Settings without their secrets, and the secrets by the field that they lie in. */
export function withoutSecretParts(
  settings: Settings,
  fields: SecretFields,
): { open: Settings; secrets: Record<string, Settings> } {
  const open = { ...settings }
  const secrets: Record<string, Settings> = {}
  for (const [field, names] of Object.entries(fields)) {
    const inner = objectOf.safeParse(settings[field]).data
    if (!inner) continue
    const entries = Object.entries(inner)
    const secret = entries.filter(([name]) => names.includes(name))
    if (secret.length === 0) continue
    open[field] = Object.fromEntries(entries.filter(([name]) => !names.includes(name)))
    secrets[field] = Object.fromEntries(secret)
  }
  return { open, secrets }
}

/** Secrets that stay, with those that are given anew in their places. */
export const mergedSecrets = (
  kept: Record<string, Settings>,
  given: Record<string, Settings>,
): Record<string, Settings> => ({
  ...kept,
  ...Object.fromEntries(
    Object.entries(given).map(([field, secrets]) => [field, { ...kept[field], ...secrets }]),
  ),
})

/** The settings with their secrets again. */
export function withSecretParts(open: Settings, secrets: Record<string, Settings>): Settings {
  const whole = { ...open }
  for (const [field, parts] of Object.entries(secrets))
    whole[field] = { ...objectOf.safeParse(open[field]).data, ...parts }
  return whole
}

/** Throws an `ApiError` 400 for a change that would send secrets that were given before to another place. */
export function refuseElsewhere(
  destinations: readonly string[],
  before: Settings = {},
  change: Settings = {},
): void {
  const moved = destinations.find((name) => name in change && change[name] !== before[name])
  if (moved === undefined) return
  const missing = Object.keys(before).filter((name) => name !== moved && !(name in change))
  if (missing.length > 0)
    throw new ApiError(
      400,
      `${moved} says where other fields are sent: give them again with it (${missing.join(', ')}).`,
    )
}
