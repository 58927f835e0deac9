import { createElement, useEffect } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WebCallClientOptions } from '../web-call-client.js'
import { ScriptedCalls } from './scripted-calls-harness.js'
import { useVolume, useWebCall, type WebCall } from './use-web-call.js'
import { ViewHarness } from './view-harness.js'

const INPUT = { assistant: 'assistant-1' }

describe('useWebCall', () => {
  let calls: ScriptedCalls
  let views: ViewHarness
  /** What the component had each time it was drawn. */
  let drawn: WebCall[]
  let volumes: number[]
  beforeEach(async () => {
    calls = new ScriptedCalls()
    views = await ViewHarness.create()
    drawn = []
    volumes = []
  })
  afterEach(() => views.close())

  const now = () => {
    const call = drawn.at(-1)
    if (!call) throw new Error('Nothing was drawn.')
    return call
  }
  function View({ options = calls.options, onShown }: ViewProps) {
    const call = useWebCall(options)
    drawn.push(call)
    return createElement(Meter, { call, onShown })
  }
  /** A part of it, whose effects React runs first. */
  function Meter({ call, onShown }: Pick<ViewProps, 'onShown'> & { call: WebCall }) {
    volumes.push(useVolume(call))
    const { start } = call
    useEffect(() => onShown?.(start), [start, onShown])
    return null
  }
  const show = (props: ViewProps = {}) => views.draw(createElement(View, props))
  const begin = async () => {
    await show()
    await views.do(() => now().start(INPUT))
    await views.do(() => calls.room.hear('listening'))
  }

  it('is idle, connecting, in a call, and idle again', async () => {
    await show()
    expect(now().state).toBe('idle')
    await views.do(() => void now().start(INPUT))
    expect(now().state).toBe('connecting')
    await views.do(() => calls.room.hear('listening'))
    expect(now().state).toBe('in-call')
    await views.do(() => calls.room.end())
    expect(now().state).toBe('idle')
    expect(calls.leftovers).toBe(0)
  })

  it('has functions that stay the same', async () => {
    await begin()
    const { start, stop, reconnect, setMuted, resumeAudio, volume, client } = drawn[0] ?? now()
    expect(now()).toMatchObject({ start, stop, reconnect, setMuted, resumeAudio, volume })
    expect(now().client).toBe(client)
  })

  it('mutes, transcribes and stops', async () => {
    await begin()
    await views.do(() => now().setMuted(true))
    expect(now().isMuted).toBe(true)
    await views.do(() => {
      calls.room.hear({ type: 'transcript', role: 'user', transcriptType: 'partial', transcript: 'When are' })
      calls.room.hear({
        type: 'transcript',
        role: 'user',
        transcriptType: 'final',
        transcript: 'When are you open?',
      })
    })
    expect(now().transcript).toMatchObject([{ role: 'user', text: 'When are you open?', isFinal: true }])
    await views.do(() => now().stop())
    expect(now()).toMatchObject({ state: 'idle', isMuted: false, transcript: [{ role: 'user' }] })
    expect(calls.leftovers).toBe(0)
  })

  it('does not draw again for the volume, but what uses it', async () => {
    await begin()
    const before = drawn.length
    await views.do(() => {
      calls.room.level(0.003)
      calls.room.level(0.006)
    })
    await views.do(() => calls.room.level(0.009))
    expect(drawn).toHaveLength(before)
    expect(volumes.at(-1)).toBeCloseTo(0.06)
    await views.do(() => calls.room.end())
    expect(volumes.at(-1)).toBe(0)
  })

  it('stops the call of a component that is taken away', async () => {
    await begin()
    await views.draw(null)
    expect(calls.leftovers).toBe(0)
    expect(calls.live).toBe(0)
  })

  it('stops a start just before that, and asks for none after it', async () => {
    await show()
    const { start } = now()
    const answers: unknown[] = []
    await views.do(() => {
      void start(INPUT).then((answer) => answers.push(answer))
      void views.draw(null)
    })
    answers.push(await start(INPUT))
    expect(answers).toEqual([null, null])
    expect(calls.asked).toHaveLength(1)
    expect(calls.leftovers).toBe(0)
  })

  it('starts one call from an effect of a part, which StrictMode runs twice', async () => {
    const answers: unknown[] = []
    await show({ onShown: (start) => void start(INPUT).then((answer) => answers.push(answer)) })
    await views.do(() => calls.room.hear('listening'))
    expect(now().state).toBe('in-call')
    expect(answers).toEqual([null, expect.objectContaining({ id: 'call-1' })])
    expect(calls.live).toBe(1)
  })

  it('goes by the newest options at the next call, and keeps a running one', async () => {
    await begin()
    await show({ options: { ...calls.options, token: 'another-key' } })
    expect(now().state).toBe('in-call')
    await views.do(() => calls.room.end())
    await views.do(() => now().start(INPUT))
    expect(calls.asked).toEqual(['Bearer public-key', 'Bearer another-key'])
  })

  it('keeps its client for options that are written anew each time', async () => {
    await show()
    const { client } = now()
    await show({ options: { ...calls.options, fetch: async () => Response.json({}) } })
    expect(now().client).toBe(client)
  })
})

describe('useWebCall on a server', () => {
  it('draws, and does nothing else', () => {
    const fetch = vi.fn<typeof globalThis.fetch>()
    const Page = () => {
      const call = useWebCall({ token: 'public-key', baseUrl: '/-/platform', fetch })
      return `${call.state} ${useVolume(call)} ${call.transcript.length}`
    }
    expect(renderToString(createElement(Page))).toBe('idle 0 0')
    expect(fetch).not.toHaveBeenCalled()
  })
})

interface ViewProps {
  options?: WebCallClientOptions
  onShown?: (start: WebCall['start']) => void
}
