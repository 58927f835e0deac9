import { expect, type Page } from '@playwright/test'
import { OPTION_RULES, type Verdict } from './daily-option-rules.js'
import { openDailyPage } from './daily-page.js'
import { test } from './fixtures.js'

/** Makes a call object, or has one that believes it is joined, and lets Daily's own methods judge. */
const SCRIPT = `
  import daily from '@daily-co/daily-js'
  import * as options from '/web-call/rooms/options.js'
  const withCall = async (given, act) => {
    // One whose options are refused is left behind by Daily, and stands in the way of the next.
    const call = daily.createCallObject({ allowMultipleCallInstances: true, ...given })
    try {
      await act(call)
    } finally {
      await call.destroy()
    }
  }
  const made = (given) => withCall(given, () => {})
  const joined = (act) =>
    withCall({}, (call) => {
      call._callState = 'joined-meeting'
      call._callMachineInitialized = true
      call.sendMessageToCallMachine = (message, answer) => answer?.({})
      return act(call)
    })
  const verdict = async (act) => {
    try {
      await act()
      return 'taken'
    } catch {
      return 'refused'
    }
  }
  // The room itself refuses a message, by a limit that it may raise; the constant is where it begins.
  const within = (value, limit) => {
    if (JSON.stringify(value).length > limit) throw new Error('too long')
  }
  Object.assign(window, { within, options, made, joined, verdict, version: daily.version() })`

test.describe('the option rules of a call room beside those of daily-js', () => {
  let page: Page

  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage()
    await openDailyPage(page, { script: SCRIPT })
  })

  test.afterAll(() => page.close())

  test('are checked against version 0.80.0', async () => {
    expect(await page.evaluate('version')).toBe('0.80.0')
  })

  for (const { rule, ours, daily, cases } of OPTION_RULES)
    test(rule, async () => {
      const values = cases.map(([value]) => `() => (${value})`)
      const judged = await page.evaluate<[Verdict, Verdict][]>(`(async () => {
        const judged = []
        for (const make of [${values.join(', ')}]) {
          const value = make()
          judged.push([await verdict(() => ${ours}), await verdict(() => ${daily})])
        }
        return judged
      })()`)
      const told = cases.map(([value], at) => [value, ...(judged[at] ?? [])])
      expect(told).toEqual(cases.map(([value, specified, other = specified]) => [value, specified, other]))
    })
})
