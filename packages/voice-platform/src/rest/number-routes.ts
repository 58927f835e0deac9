import type { PhoneNumber } from '@heyline/platform-client'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import {
  createNumberBody,
  importNumberBody,
  OTHER_PROVIDERS,
  updateNumberBody,
} from '../numbers/phone-number-schema.js'
import type { PhoneNumberStore } from '../numbers/phone-number-store.js'
import type { PhoneNumbers } from '../numbers/phone-numbers.js'
import { ApiError } from '../resources/api-error.js'
import { pageWindow } from '../resources/list-page.js'
import { listWindow } from '../resources/list-window.js'
import type { Doorkeeper } from './access.js'
import { parse, parseBody, resourceId } from './parse-request.js'

const listNumbers = z.strictObject(listWindow)
const listNumbersPage = z.strictObject(pageWindow)
/** Which provider a body is of is told before anything else of it is looked at. */
const anyBody = z.looseObject({ provider: z.string().optional() })

export interface NumberRoutes {
  doorkeeper: Doorkeeper
  numbers: PhoneNumbers
  numberStore: PhoneNumberStore
}

export function serveNumbers(app: Hono, { doorkeeper, numbers, numberStore }: NumberRoutes): void {
  const admit = (context: Context) => doorkeeper.admit(context.req.raw, 'private')

  app.post('/phone-number', async (context) => {
    await admit(context)
    const given = await parseBody(context.req.raw, anyBody)
    const other = OTHER_PROVIDERS[given.provider ?? '']
    if (other !== undefined) throw ApiError.notServed(other)
    const { number, provider, ...settings } = parse(given, createNumberBody)
    return context.json(await numbers.import({ twilioPhoneNumber: number, ...settings }), 201)
  })
  app.post('/phone-number/import/twilio', async (context) => {
    await admit(context)
    return context.json(await numbers.import(await parseBody(context.req.raw, importNumberBody)), 201)
  })
  app.post('/phone-number/import/vonage', async (context) => {
    await admit(context)
    throw ApiError.notServed(OTHER_PROVIDERS.vonage ?? '')
  })
  app.get('/phone-number', async (context) => {
    await admit(context)
    return context.json(await numberStore.list(parse(context.req.query(), listNumbers)))
  })
  app.get('/v2/phone-number', async (context) => {
    await admit(context)
    return context.json(await numberStore.page(parse(context.req.query(), listNumbersPage)))
  })
  app.get('/phone-number/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await numberStore.get(id)))
  })
  app.patch('/phone-number/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    const body = await parseBody(context.req.raw, updateNumberBody)
    return context.json(existing(id, await numbers.update(id, body)))
  })
  app.delete('/phone-number/:id', async (context) => {
    await admit(context)
    const id = resourceId(context)
    return context.json(existing(id, await numberStore.delete(id)))
  })
}

function existing(id: string, number: PhoneNumber | undefined): PhoneNumber {
  if (!number) throw new ApiError(404, `Phone number ${id} does not exist.`)
  return number
}
