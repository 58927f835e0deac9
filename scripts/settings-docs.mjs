// Writes .env.example and docs/settings.md, both from the settings that the server reads.
import { writeFileSync } from 'node:fs'

// Found when it runs: types are checked before anything is built.
const built = new URL('../apps/server/dist/settings/settings-docs.js', import.meta.url)
/** @type {typeof import('../apps/server/src/settings/settings-docs.js')} */
const { envExample, settingsPage } = await import(built.href)

writeFileSync(new URL('../.env.example', import.meta.url), envExample())
writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsPage())
