import { expect, it } from 'vitest'
import { warningsOf } from '../start/banner.js'
import { readSettings } from './settings.js'

const OPEN = { HOST: '0.0.0.0', PHONE_KEY: 'a-key-for-the-pocket-phone' }

it.each([
  [{ PUBLIC_URL: 'https://demo.example' }, true],
  [{ PUBLIC_URL: 'http://demo.example' }, true],
  [{ ...OPEN, PUBLIC_URL: 'https://demo.example' }, true],
  [{ ...OPEN, PUBLIC_URL: 'http://demo.example' }, false],
  [{ PUBLIC_URL: 'https://demo.example', TRUST_PROXY: '1' }, false],
  [{ PUBLIC_URL: 'https://demo.example', TRUST_PROXY: 'off' }, false],
  [{ PUBLIC_URL: 'https://localhost:3000' }, false],
  [{}, false],
])('the operator is told of a proxy that nobody has told us of: %j %s', (environment, isTold) => {
  const settings = readSettings({ HUMAN_CHECK: 'off', ...environment })
  expect(warningsOf(settings).some((warning) => warning.startsWith('Careful: TRUST_PROXY is not set'))).toBe(
    isTold,
  )
})
