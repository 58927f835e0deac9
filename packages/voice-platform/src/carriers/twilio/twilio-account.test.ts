import { expect, it } from 'vitest'
import { TwilioAccount } from './twilio-account.js'

it.each([
  ['https://api.twilio.com', 'https://voice.twilio.com'],
  ['https://api.dublin.ie1.twilio.com', 'https://voice.dublin.ie1.twilio.com'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['https://api.example.com', 'https://api.example.com'],
])('asks %s for geo permissions at %s', async (apiUrl, voiceUrl) => {
  const asked: string[] = []
  const account = new TwilioAccount({
    accountSid: 'AC1',
    authToken: 'token',
    apiUrl,
    fetch: async (url) => {
      asked.push(String(url))
      return Response.json({ iso_code: 'US', low_risk_numbers_enabled: true })
    },
  })
  expect(await account.mayCall('US')).toBe(true)
  expect(asked).toEqual([`${voiceUrl}/v1/DialingPermissions/Countries/US`])
})
