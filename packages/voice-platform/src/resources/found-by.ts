/** The settings that resources are found by, and their columns: to look for them in `settings` would unpack every row of a family. */
const FOUND_BY = {
  name: 'name',
  assistantId: 'assistant_id',
  visibility: 'visibility',
  provider: 'provider',
  providerId: 'provider_id',
  testSuiteId: 'test_suite_id',
} as const

export type FoundBy = keyof typeof FOUND_BY

/** In SQL: the setting that resources are found by. */
export const foundBy = (setting: FoundBy): string => FOUND_BY[setting]
