import { describe, expect, it } from 'vitest'
import { sessionAssistant } from '../assistants/session-assistant.js'
import { ScriptedLink } from '../testing/scripted-link.js'
import { startTestSession } from '../testing/session-bench.js'
import { CallLink } from './call-link.js'

describe('backgroundSound', () => {
  it.each([
    ['office', 'office'],
    ['off', undefined],
    ['https://example.com/sound.mp3', undefined],
    [undefined, undefined],
  ])('%s: the line sounds like %s', (backgroundSound, played) => {
    const session = sessionAssistant(backgroundSound === undefined ? {} : { backgroundSound }, {
      values: {},
      now: new Date(),
    })
    const { link } = startTestSession(session)
    expect(link.log.includes('office')).toBe(played === 'office')
  })

  it('is heard again on the line that takes the place of the first one', () => {
    const [first, second, third] = [new ScriptedLink(), new ScriptedLink(), new ScriptedLink()]
    const silent = new CallLink(first)
    silent.replace(second)
    expect(second.log).not.toContain('office')
    silent.office()
    silent.replace(third)
    expect(second.log).toContain('office')
    expect(third.log).toContain('office')
  })
})
