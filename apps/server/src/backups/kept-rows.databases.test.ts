import { keptTables } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { expect, it } from 'vitest'
import { isKept } from './kept-rows.js'

it.each(DATABASES)('every table of $name is in a backup but those of what runs now', async ({ open }) => {
  const db = await open()
  try {
    const all = (await keptTables(db, () => true)).map(({ name }) => name)
    expect(all.filter((name) => !isKept(name))).toEqual([
      'back_office.backups',
      'front_ends.builds',
      'front_ends.files',
      'voice_platform.processes',
    ])
    expect(isKept('public.of_somebody_else')).toBe(false)
  } finally {
    await db.close()
  }
})
