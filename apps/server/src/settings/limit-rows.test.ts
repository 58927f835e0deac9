import { DEFAULT_GATE, DEFAULT_WEB_GATE } from '@heyline/call-desk/settings'
import { expect, it } from 'vitest'
import { limitRows } from './limit-rows.js'

const rows = limitRows({
  gate: { ...DEFAULT_GATE, concurrent: 9, countries: new Map([['GB', 400_000]]) },
  webGate: DEFAULT_WEB_GATE,
})
const row = (setting: string) => rows.find((each) => each.setting === setting)

it('says of every limit what it is about, and its value beside its default', () => {
  for (const { setting, meaning, value, default: normal } of rows) {
    expect(meaning, setting).toMatch(/^[A-Z].*\.$/)
    expect(meaning, setting).not.toContain('`')
    expect(value, setting).not.toBe('')
    expect(normal, setting).not.toBe('')
  }
  expect(row('CALL_LIMIT_NUMBER')).toEqual({
    name: 'numberLimits',
    setting: 'CALL_LIMIT_NUMBER',
    kind: 'phone',
    meaning: 'Calls to one number.',
    value: '1/2m,2/1h,3/24h,5/30d',
    default: '1/2m,2/1h,3/24h,5/30d',
    raised: false,
    unit: 'calls',
    windows: [
      { span: '2m', most: 1 },
      { span: '1h', most: 2 },
      { span: '24h', most: 3 },
      { span: '30d', most: 5 },
    ],
  })
})

it('writes values as the environment does, and marks those that let more pass', () => {
  expect(row('CALL_COUNTRIES')).toMatchObject({ value: 'GB=0.4', raised: true, windows: [] })
  expect(row('CALL_LIMIT_CONCURRENT')).toMatchObject({ raised: true, windows: [{ span: null, most: 9 }] })
  expect(row('CALL_LIMIT_SLUG')?.windows.at(-1)).toEqual({ span: 'ever', most: 5 })
  expect(row('WEB_CALL_LIMIT_DAY_USD')).toMatchObject({
    kind: 'web',
    value: '20',
    unit: 'microusd',
    windows: [{ span: '24h', most: 20_000_000 }],
  })
  expect(row('CALL_HOURS')?.value).toBe('09-20')
})

it('tells each setting as its default where it is the default', () => {
  for (const { setting, value, default: normal } of limitRows({
    gate: DEFAULT_GATE,
    webGate: DEFAULT_WEB_GATE,
  }))
    if (setting !== 'CALL_COUNTRIES') expect(value, setting).toBe(normal)
})
