import { expect, type Page } from '@playwright/test'
import type { RunningHeyline } from './running-heyline.js'

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const status = (page: Page) => page.getByRole('status')

/** Opens a pocket phone at this address. */
export async function openPhone(phone: Page, url: string) {
  await phone.emulateMedia({ reducedMotion: 'reduce' })
  await phone.goto(`${url}/-/phone`)
  await expect(phone.getByText('Waiting for a call')).toBeVisible()
}

/** Has codes sent to these telephones, as the second factors of an account do. */
export async function sendCodes(heyline: RunningHeyline, phones: readonly string[]) {
  const { secret, publishable } = await heyline.keys()
  const post = async (path: string, body: object, token: string) => {
    const answer = await fetch(`${heyline.url}/-/backend/auth/v1${path}`, {
      method: 'POST',
      headers: { apikey: publishable, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  for (const phone of phones) {
    const account = { email: `${phone.slice(1)}@example.com`, password: 'a long and quiet river' }
    await post('/admin/users', { ...account, email_confirm: true }, secret)
    const { access_token: token } = await post('/token?grant_type=password', account, publishable)
    const { id } = await post('/factors', { factor_type: 'phone', phone }, token)
    await post(`/factors/${id}/challenge`, { channel: 'sms' }, token)
  }
}
