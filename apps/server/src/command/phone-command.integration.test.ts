import { expect, it } from 'vitest'
import { runHeyline } from '../testing/heyline-command.js'

const PUBLIC = { PUBLIC_URL: 'https://demo.example', DATA_DIR: '/nowhere/heyline' }
const PHONE_KEY = 'a-key+of-sixteen'
const LINK = 'https://demo.example/-/phone?key=a-key%2Bof-sixteen'

it('prints the link alone, and says on standard error what it opens', async () => {
  const { code, out, err } = await runHeyline(['phone'], { ...PUBLIC, PHONE_KEY })
  expect([code, out]).toEqual([0, `${LINK}\n`])
  expect(err).toMatch(/^heyline: keep it to yourself: .*\n$/)
  const asJson = await runHeyline(['phone', '--json'], { ...PUBLIC, PHONE_KEY })
  expect(asJson).toEqual({ code: 0, out: `${JSON.stringify({ url: LINK })}\n`, err: '' })
})

it.each([
  ['the phone is closed', PUBLIC, /^heyline: .*closed: set PHONE_KEY .*\n$/],
  [
    'calls ring desk phones',
    { ...PUBLIC, PHONE_KEY, CARRIER: 'sip', SIP_TO: 'sip:desk@a.example' },
    /^heyline: .*no pocket phone: CARRIER is sip, .*CARRIER=simulated rings one\n$/,
  ],
  ['no server runs here', { DATA_DIR: PUBLIC.DATA_DIR }, /^heyline: No server runs .*: start one, .*\n$/],
])('says in one line why there is no link: %s', async (_, environment, complaint) => {
  const { code, out, err } = await runHeyline(['phone'], environment)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(complaint)
})
