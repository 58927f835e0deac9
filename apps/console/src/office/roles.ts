/** The most first. */
const ROLES = ['owner', 'editor', 'viewer'] as const

/** What somebody may do here. */
export type Role = (typeof ROLES)[number]

/** Roles in a word. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  editor: 'Editor',
  viewer: 'Viewer',
}

/** The roles up to `most`, to choose one. The least first, so that it is the choice of who makes none. */
export const roleChoices = (most: Role): { value: Role; label: string }[] =>
  ROLES.slice(ROLES.indexOf(most))
    .toReversed()
    .map((value) => ({ value, label: ROLE_WORDS[value] }))
