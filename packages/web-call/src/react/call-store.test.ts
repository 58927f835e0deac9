import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CallStore } from './call-store.js'
import { ScriptedCalls } from './scripted-calls-harness.js'

const INPUT = { assistant: 'assistant-1' }

describe('the store of calls', () => {
  let calls: ScriptedCalls
  let store: CallStore
  const open = (given?: ConstructorParameters<typeof ScriptedCalls>[0]) => {
    calls = new ScriptedCalls(given)
    store = new CallStore(calls.options)
  }
  beforeEach(() => open())

  async function converse() {
    await store.start(INPUT)
    calls.room.hear('listening')
  }

  it('begins to connect in the click', () => {
    void store.start(INPUT)
    expect(store.get().state).toBe('connecting')
    expect(calls.asked).toHaveLength(1)
  })

  it('is idle again at once when it is stopped, and lets the next start in', async () => {
    const first = store.start(INPUT)
    const stopping = store.stop()
    expect(store.get().state).toBe('idle')
    const second = store.start(INPUT)
    await expect(first).resolves.toBeNull()
    expect(store.get().state).toBe('connecting')
    await stopping
    await expect(second).resolves.toMatchObject({ id: 'call-1' })
    calls.room.hear('listening')
    expect(store.get().state).toBe('in-call')
    expect(calls.live).toBe(1)
  })

  it('answers a second start with null, and goes on with the first', async () => {
    await converse()
    await expect(store.start(INPUT)).resolves.toBeNull()
    expect(store.get().state).toBe('in-call')
  })

  it('is idle as soon as a start has failed, also where its room takes its time to go', async () => {
    open({
      script: {
        join: () => Promise.reject(new Error('The door is shut.')),
        destroy: () => new Promise(() => {}),
      },
    })
    void store.start(INPUT)
    await vi.waitFor(() => expect(store.get().state).toBe('idle'))
    expect(store.get().error).toMatchObject({ type: 'daily-call-join-error', message: 'The door is shut.' })
  })

  it('tells of a refusal by the platform, and forgets it with the next start', async () => {
    const answer = vi.fn(() => Response.json({ message: 'No credits are left.' }, { status: 402 }))
    open({ answer })
    await expect(store.start(INPUT)).resolves.toBeNull()
    expect(store.get()).toMatchObject({ state: 'idle', error: { type: 'start-method-error' } })
    expect(store.get().error?.message).toContain('No credits are left.')
    void store.start(INPUT)
    expect(store.get().error).toBeUndefined()
  })

  it('lets a listener that hears of the failure start again, and does not mix the two', async () => {
    const answers = [Response.json({ message: 'Try again.' }, { status: 500 })]
    open({
      answer: () =>
        answers.pop() ?? Response.json({ id: 'call-2', webCallUrl: 'https://example.daily.co/room' }),
    })
    let second: ReturnType<CallStore['start']> | undefined
    store.client.on('call-start-failed', () => {
      expect(store.get().state).toBe('idle')
      second = store.start(INPUT)
    })
    await expect(store.start(INPUT)).resolves.toBeNull()
    expect(store.get()).toMatchObject({ state: 'connecting', error: undefined })
    await expect(second).resolves.toMatchObject({ id: 'call-2' })
    calls.room.hear('listening')
    expect(store.get()).toMatchObject({ state: 'in-call', error: undefined })
  })

  it('keeps the reason of a failure for a listener that stops all', async () => {
    open({ answer: () => Response.json({ message: 'No credits are left.' }, { status: 402 }) })
    store.client.on('call-start-failed', () => void store.stop())
    await store.start(INPUT)
    expect(store.get()).toMatchObject({ state: 'idle', error: { type: 'start-method-error' } })
  })

  it('reports what a subscriber throws, and goes on', async () => {
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const broken = new Error('A view that cannot be drawn.')
    const after = vi.fn()
    store.subscribe(() => {
      throw broken
    })
    store.subscribe(after)
    await converse()
    vi.unstubAllGlobals()
    expect(store.get().state).toBe('in-call')
    expect(reported).toHaveBeenCalledWith(broken)
    expect(after).toHaveBeenCalledTimes(reported.mock.calls.length)
  })

  it('rejects, idle, when nothing is given to call', async () => {
    await expect(store.start({})).rejects.toThrow('Assistant or Squad or Workflow must be provided.')
    expect(store.get()).toMatchObject({ state: 'idle', error: { type: 'validation-error' } })
  })

  it('knows who speaks, how loud, and how the line is, until the call ends', async () => {
    await converse()
    calls.room.level(0.15)
    expect(store.volume.get()).toBe(1)
    calls.room.emit('network-connection', { type: 'signaling', event: 'interrupted' })
    expect(store.get()).toMatchObject({
      isSpeaking: true,
      connection: { state: 'interrupted', quality: 'good' },
    })
    calls.room.end()
    expect(store.volume.get()).toBe(0)
    expect(store.get()).toMatchObject({ isSpeaking: false, connection: { state: 'connected' } })
  })

  it('keeps what was said until the next call', async () => {
    await converse()
    const say = (transcriptType: string, transcript: string, role = 'assistant') =>
      calls.room.hear({ type: 'transcript', role, transcriptType, transcript })
    say('partial', 'We are')
    say('partial', 'Wait', 'user')
    say('final', 'We are open daily.')
    await store.stop()
    expect(store.get().transcript.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'assistant: We are open daily.',
      'user: Wait',
    ])
    void store.start(INPUT)
    expect(store.get().transcript).toEqual([])
  })

  it('begins muted where it was told to, and shows what became of the microphone', async () => {
    store = new CallStore({ ...calls.options, startAudioOff: true })
    await converse()
    expect(store.get().isMuted).toBe(true)
    store.setMuted(false)
    expect(store.get().isMuted).toBe(false)
  })

  it('says when the browser refuses to play, until it plays', async () => {
    await converse()
    calls.room.emit('audio-blocked', {})
    expect(store.get().isAudioBlocked).toBe(true)
    await store.resumeAudio()
    expect(store.get().isAudioBlocked).toBe(false)
  })

  it('joins a live call again', async () => {
    const call = { id: 'call-1', webCallUrl: 'https://example.daily.co/room' }
    const joining = store.reconnect(call)
    expect(store.get().state).toBe('connecting')
    await expect(joining).resolves.toBe(call)
    expect(store.get().state).toBe('in-call')
    expect(calls.asked).toEqual([])
  })

  it('tells nothing that did not change', async () => {
    await converse()
    const changed = vi.fn<() => void>()
    const louder = vi.fn<() => void>()
    calls.room.level(0.1)
    const end = store.subscribe(changed)
    store.volume.subscribe(louder)
    calls.room.level(0.1)
    expect(louder).not.toHaveBeenCalled()
    calls.room.level(0.12)
    expect(louder).toHaveBeenCalledTimes(1)
    calls.room.hear({ type: 'speech-update', role: 'user', status: 'started' })
    expect(changed).not.toHaveBeenCalled()
    end()
    calls.room.end()
    expect(changed).not.toHaveBeenCalled()
  })
})
