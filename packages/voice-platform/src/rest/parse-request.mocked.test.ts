import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { newCampaign } from '../campaigns/campaign-schema.js'
import { MOST_VALUES, parseBody } from './parse-request.js'

afterEach(() => vi.restoreAllMocks())

const request = (body: string) => new Request('http://platform/template', { method: 'POST', body })

it.each([
  [
    'keys',
    `{${Array.from({ length: 90_000 }, (_, at) => `"k${at}":0`).join(',')}}`,
    `more than ${MOST_VALUES} values`,
  ],
  ['empty texts', `[${'"",'.repeat(300_000)}""]`, `more than ${MOST_VALUES} values`],
  ['brackets', '['.repeat(1_000_000), 'nested more than 100 levels deep'],
])(
  'a body of the private key that is full of %s is refused before it is parsed',
  async (_, body, message) => {
    const parse = vi.spyOn(JSON, 'parse')
    await expect(parseBody(request(body), z.unknown())).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    })
    expect(parse.mock.calls.filter(([text]) => text === body)).toEqual([])
  },
)

it('a body that breaks off is no failure of ours', async () => {
  const body = new ReadableStream({
    pull: (controller) => controller.error(new Error('The client has gone.')),
  })
  const sent: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
  await expect(parseBody(new Request('http://platform/template', sent), z.unknown())).rejects.toMatchObject({
    status: 400,
  })
})

it('the largest honest body is read: a campaign of a thousand customers with twenty variables each', async () => {
  const variableValues = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`variable${at}`, `value ${at}`]),
  )
  const customers = Array.from({ length: 1_000 }, (_, at) => ({
    number: `+1202555${String(at).padStart(4, '0')}`,
    ...{
      name: 'Sample',
      email: 'a@example.com',
      externalId: String(at),
      assistantOverrides: { variableValues },
    },
  }))
  const campaign = { name: 'Spring', phoneNumberId: crypto.randomUUID(), customers }
  expect((await parseBody(request(JSON.stringify(campaign)), newCampaign)).customers).toHaveLength(1_000)
})
