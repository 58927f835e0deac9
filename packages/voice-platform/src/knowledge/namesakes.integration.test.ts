import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { knowledgeOf, storeText } from '../testing/knowledge-bench.js'
import type { FileOwner } from './file-store.js'
import { parseFile } from './parsing/parse-file.js'
import { UnreadableFile } from './parsing/section.js'

let db: Db
beforeAll(async () => {
  db = await openTestDb()
})
afterAll(() => db.close())

/** Files that are read when the test says so. */
function opened(owner: FileOwner) {
  const knowledge = knowledgeOf(db)
  /** Resolves when the file is stored and being read, by a server of its own: each reads one at a time. */
  async function begin(name: string, text: string) {
    let begun: (read: { end: () => void; fail: (error: Error) => void }) => void = () => undefined
    const isRead = new Promise<Parameters<typeof begun>[0]>((resolve) => {
      begun = resolve
    })
    const server = knowledgeOf(db, {
      async read({ kind, content }) {
        await new Promise<void>((end, fail) => begun({ end, fail }))
        return parseFile(kind, content)
      },
    })
    const taken = storeText(server, owner, name, text)
    taken.catch(() => undefined)
    return { taken, ...(await isRead) }
  }
  const stored = async () =>
    Promise.all(
      (await knowledge.files(owner).list()).map(async ({ id, status, name, original_name }) => ({
        ...{ status, name, originalName: original_name },
        text: await knowledge.files(owner).text(id),
      })),
    )
  return { begin, stored, knowledge }
}

const texts = (files: readonly { text?: string | undefined }[]) => files.map(({ text }) => text)

it('keeps the newest of two files of a name that are read at once, whichever is read first', async () => {
  for (const isOlderFirst of [true, false]) {
    const { begin, stored } = opened({ visitor: `at-once-${isOlderFirst}` })
    const older = await begin('menu.txt', 'Old.')
    const newer = await begin('menu.txt', 'New.')
    const [first, second] = isOlderFirst ? [older, newer] : [newer, older]
    first.end()
    expect((await first.taken).status).toBe('done')
    second.end()
    if (isOlderFirst) expect((await second.taken).status).toBe('done')
    else await expect(second.taken).rejects.toMatchObject({ code: 'gone' })
    expect(texts(await stored())).toEqual(['New.'])
  }
})

it('keeps the one before until the new one is read, and says where one that cannot be read is gone', async () => {
  const { begin, stored } = opened({ visitor: 'before' })
  const first = await begin('menu.txt', 'First.')
  first.end()
  await first.taken
  const broken = await begin('menu.txt', 'Broken.')
  expect(await stored()).toMatchObject([{ status: 'processing' }, { status: 'done', text: 'First.' }])
  const second = await begin('menu.txt', 'Second.')
  second.end()
  await second.taken
  broken.fail(new UnreadableFile('It cannot be read.'))
  await expect(broken.taken).rejects.toMatchObject({ code: 'gone' })
  expect(texts(await stored())).toEqual(['Second.'])
})

it('keeps files of one name beside each other where they are the installation’s', async () => {
  const { begin, stored } = opened('installation')
  for (const text of ['One.', 'Two.']) {
    const file = await begin('both.txt', text)
    file.end()
    await file.taken
  }
  expect(texts(await stored())).toEqual(['Two.', 'One.'])
})

it('tells long names apart that are shown in short, and numbers them', async () => {
  const knowledge = knowledgeOf(db)
  const owner = { visitor: 'long-names' }
  const long = 'The menu of our house for the season of '
  for (const season of ['spring', 'autumn', 'winter', 'autumn'])
    await storeText(knowledge, owner, `${long}${season}.txt`, season)
  const files = await knowledge.files(owner).list()
  expect(files.map(({ original_name, name }) => [original_name, name])).toEqual([
    [`${long}autumn.txt`, 'The menu of our house for the s… (2).txt'],
    [`${long}winter.txt`, 'The menu of our house for the s… (3).txt'],
    [`${long}spring.txt`, 'The menu of our house for the seaso….txt'],
  ])
})

it('keeps what was read while its visitor got another slug', async () => {
  await db.query(`insert into public.visitors (slug, name) values ('moving', 'Moving')`)
  const { begin, knowledge } = opened({ visitor: 'moving' })
  const file = await begin('menu.txt', 'Moved.')
  await db.query(`update public.visitors set slug = 'moved' where slug = 'moving'`)
  file.end()
  expect((await file.taken).status).toBe('done')
  expect(await knowledge.files({ visitor: 'moved' }).list()).toHaveLength(1)
})
