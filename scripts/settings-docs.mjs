// Writes .env.example and docs/settings.md, both from the settings that the server reads.
import { writeFileSync } from 'node:fs'
import { envExample, settingsPage } from '../apps/server/dist/settings/settings-docs.js'

writeFileSync(new URL('../.env.example', import.meta.url), envExample())
writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsPage())
