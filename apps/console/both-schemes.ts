import type { Plugin } from 'vite'

const DARK = /@media \(prefers-color-scheme: dark\) \{\s*:root(?<colours> \{[^}]*\})\s*\}/

/** Makes the page's tokens follow the operator's choice too: `data-theme` at the root goes before what the device has. */
export const bothSchemes = (): Plugin => ({
  name: 'both-schemes',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/styles/tokens.css')) return undefined
    const { colours } = DARK.exec(code)?.groups ?? {}
    if (!colours) throw new Error('The tokens have no colours for the dark')
    const chosen = `:root[data-theme="dark"] { color-scheme: dark }\n:root[data-theme="dark"]${colours}`
    const byDevice = code.replace(DARK, (rule) => rule.replace(':root', ':root:not([data-theme="light"])'))
    return `${byDevice}\n:root[data-theme="light"] { color-scheme: light }\n${chosen}`
  },
})
