import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { officeOfMany } from '../testing/office-of-many.js'

const ANN = 'editor.11111111-1111-4111-8111-111111111111.y'
const BEN = 'editor.22222222-2222-4222-8222-222222222222.y'

let db: Db
beforeAll(async () => {
  db = await openTestDb()
})
afterAll(() => db.close())

/** A body whose end comes when the test says so. */
function unfinished(slug: string) {
  let isRead = false
  let end = () => {}
  const whole = new Promise<void>((resolve) => {
    end = resolve
  })
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (isRead) {
          await whole
          return controller.close()
        }
        isRead = true
        controller.enqueue(new TextEncoder().encode(`${JSON.stringify({ slug, name: 'Someone' })}\n`))
      },
    },
    { highWaterMark: 0 },
  )
  return { body, end, isRead: () => isRead }
}

const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await db.query('select 1')
}

it('reads two imports of an operator at once, whoever does not finish them, and refuses the fifth', async () => {
  const ask = officeOfMany(db)
  const files = ['a', 'b', 'c', 'd'].map(unfinished)
  const answers = files.map(({ body }) => ask('/visitors/import', ANN, { body }))
  await settled()
  expect(files.map(({ isRead }) => isRead())).toEqual([true, true, false, false])
  const refused = await ask('/visitors/import', ANN, { body: unfinished('e').body })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
  expect(await refused.json()).toMatchObject({ code: 'too_many_imports' })

  const other = unfinished('f')
  const others = ask('/visitors/import', BEN, { body: other.body })
  other.end()
  expect(await (await others).json()).toMatchObject({ added: 1 })

  files[1]?.end()
  expect((await answers[1])?.status).toBe(200)
  await settled()
  expect(files.map(({ isRead }) => isRead())).toEqual([true, true, true, false])
  for (const { end } of files) end()
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200)
})

it('takes previews of files in turn with imports', async () => {
  const ask = officeOfMany(db)
  const imports = ['g', 'h'].map(unfinished)
  const open = imports.map(({ body }) => ask('/visitors/import', ANN, { body }))
  let isRead = false
  const preview = ask('/visitors/import/preview', ANN, { body: { csv: 'slug,name\nx,Y' } }).then((answer) => {
    isRead = true
    return answer
  })
  await settled()
  expect(isRead).toBe(false)
  imports[0]?.end()
  expect((await preview).status).toBe(200)
  imports[1]?.end()
  await Promise.all(open)
})

it('stores nothing of a body that breaks off, and reads the next one', async () => {
  const ask = officeOfMany(db)
  for (let time = 0; time < 5; time++) {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"slug":"broken","name":"Someone"}\n'))
        controller.error(new TypeError('cut'))
      },
    })
    await expect(ask('/visitors/import', ANN, { body: broken })).rejects.toThrow('cut')
  }
  const found = await ask('/visitors/search?text=broken', 'viewer.ann.y')
  expect(await found.json()).toMatchObject({ total: 0 })
  const good = unfinished('good')
  good.end()
  expect((await ask('/visitors/import', ANN, { body: good.body })).status).toBe(200)
})
