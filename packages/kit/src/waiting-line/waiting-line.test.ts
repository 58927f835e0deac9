import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { enterBoth, enterEither, NoTurnError, WaitingLine, WaitingLines } from './waiting-line.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Tasks by their names: which have begun, and how one is ended. */
function tasksOf(line: WaitingLine) {
  const begun: string[] = []
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  const take = (name: string): Promise<string> => {
    const ended = line
      .run(async () => {
        begun.push(name)
        await new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }))
        return name
      })
      .catch((error: { code?: string; message: string }) => error.code ?? error.message)
    return ended
  }
  return { begun, take, end: (name: string) => ends.get(name), settle: () => vi.advanceTimersByTimeAsync(0) }
}

describe('a waiting line', () => {
  it('runs so many at a time, and the others in the order in which they came', async () => {
    const { begun, take, end, settle } = tasksOf(new WaitingLine({ atOnce: 2, waiting: 10, longestMs: 1000 }))
    const all = ['a', 'b', 'c', 'd'].map(take)
    await settle()
    expect(begun).toEqual(['a', 'b'])
    end('b')?.resolve()
    await settle()
    expect(begun).toEqual(['a', 'b', 'c'])
    for (const name of ['a', 'c']) end(name)?.resolve()
    await settle()
    end('d')?.resolve()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
    take('e')
    take('f')
    take('g')
    await settle()
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('goes on after a task that failed', async () => {
    const { begun, take, end, settle } = tasksOf(new WaitingLine({ atOnce: 1, waiting: 10, longestMs: 1000 }))
    const first = take('a')
    take('b')
    await settle()
    end('a')?.reject(new Error('broken'))
    expect(await first).toBe('broken')
    await settle()
    expect(begun).toEqual(['a', 'b'])
  })

  it('refuses at once those beyond the ones that may wait', async () => {
    const { begun, take, end, settle } = tasksOf(new WaitingLine({ atOnce: 1, waiting: 2, longestMs: 1000 }))
    for (const name of ['a', 'b', 'c']) take(name)
    expect(await take('d')).toBe('too_many')
    end('a')?.resolve()
    await settle()
    take('e')
    expect(await take('f')).toBe('too_many')
    expect(begun).toEqual(['a', 'b'])
  })

  it('gives work up after the longest wait, and then never begins it', async () => {
    const { begun, take, end, settle } = tasksOf(new WaitingLine({ atOnce: 1, waiting: 2, longestMs: 1000 }))
    const first = take('a')
    const late = take('b')
    await vi.advanceTimersByTimeAsync(999)
    take('c')
    await vi.advanceTimersByTimeAsync(1)
    expect(await late).toBe('too_long')
    end('a')?.resolve()
    expect(await first).toBe('a')
    await settle()
    // Its own time is not over, and none runs on while it is busy.
    await vi.advanceTimersByTimeAsync(1000)
    expect(begun).toEqual(['a', 'c'])
  })

  it('gives a turn at once only where one is free, and takes it back once', async () => {
    const line = new WaitingLine({ atOnce: 1 })
    const leave = line.tryEnter()
    expect(leave).toBeDefined()
    expect(line.tryEnter()).toBeUndefined()
    const next = line.enter()
    leave?.()
    leave?.()
    const leaveNext = await next
    // The second call of `leave` freed nothing.
    expect(line.tryEnter()).toBeUndefined()
    leaveNext()
    expect(line.tryEnter()).toBeDefined()
  })

  it('forgets at once who goes away while they wait, and lets others wait in their place', async () => {
    const line = new WaitingLine({ atOnce: 1, waiting: 1, longestMs: 1000 })
    const leave = line.tryEnter()
    const leaving = new AbortController()
    const given = line.enter(leaving.signal)
    await expect(line.enter()).rejects.toMatchObject({ code: 'too_many' })
    leaving.abort(new Error('gone'))
    await expect(given).rejects.toThrow('gone')
    const next = line.enter()
    await expect(line.enter(leaving.signal)).rejects.toThrow('gone')
    leave?.()
    await expect(next).resolves.toBeTypeOf('function')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('has no bound on those who wait, or for how long, where none is given', async () => {
    const line = new WaitingLine({ atOnce: 1 })
    const leave = line.tryEnter()
    const all = Promise.all(Array.from({ length: 1000 }, () => line.run(async () => undefined)))
    await vi.advanceTimersByTimeAsync(86_400_000)
    leave?.()
    expect(await all).toHaveLength(1000)
  })
})

describe('the lines of clients', () => {
  it('are each as long as one, and nobody waits in the line of another', async () => {
    const lines = new WaitingLines({ atOnce: 2, waiting: 1 })
    const begun: string[] = []
    let ends: (() => void)[] = []
    const take = (client: string) =>
      lines
        .run(client, async () => {
          begun.push(client)
          await new Promise<void>((resolve) => ends.push(resolve))
        })
        .catch(({ code }) => code)
    const all = ['a', 'a', 'a', 'a', 'b'].map(take)
    expect(await all[3]).toBe('too_many')
    expect(begun).toEqual(['a', 'a', 'b'])
    while (begun.length < 4 || ends.length > 0) {
      const now = ends
      ends = []
      for (const end of now) end()
      await vi.advanceTimersByTimeAsync(0)
    }
    await Promise.all(all)
    expect(begun).toEqual(['a', 'a', 'b', 'a'])
  })
})

describe('WaitingLines.enter', () => {
  it('lets each client in by its own line, and a turn ends once', async () => {
    const lines = new WaitingLines({ atOnce: 1, waiting: 0 })
    const first = await lines.enter('ann')
    const other = await lines.enter('ben')
    await expect(lines.enter('ann')).rejects.toThrow(NoTurnError)
    first()
    first()
    const second = await lines.enter('ann')
    await expect(lines.enter('ann')).rejects.toThrow(NoTurnError)
    second()
    other()
  })
})

describe('enterBoth', () => {
  it('ends both turns together', async () => {
    const [outer, inner] = [new WaitingLine({ atOnce: 1 }), new WaitingLine({ atOnce: 1 })]
    const leave = await enterBoth(
      () => outer.enter(),
      () => inner.enter(),
    )
    expect([outer.tryEnter(), inner.tryEnter()]).toEqual([undefined, undefined])
    leave()
    expect([outer.tryEnter(), inner.tryEnter()]).toEqual([expect.any(Function), expect.any(Function)])
  })

  it('keeps no outer turn where there is no inner one', async () => {
    const [outer, inner] = [new WaitingLine({ atOnce: 1 }), new WaitingLine({ atOnce: 1, waiting: 0 })]
    inner.tryEnter()
    const entering = enterBoth(
      () => outer.enter(),
      () => inner.enter(),
    )
    await expect(entering).rejects.toThrow(NoTurnError)
    expect(outer.tryEnter()).toBeDefined()
  })
})

describe('the turn of either line', () => {
  const opened = async () => {
    const line = () => new WaitingLine({ atOnce: 1, waiting: 1, longestMs: 1_000 })
    const lines: [WaitingLine, WaitingLine] = [line(), line()]
    return { lines, leaves: [await enterEither(...lines), await enterEither(...lines)] }
  }

  it('is that of whichever comes first, and nobody waits in the other any more', async () => {
    for (const place of [0, 1]) {
      const { lines, leaves } = await opened()
      expect(lines.map((line) => line.isWanted)).toEqual([false, false])
      const entering = enterEither(...lines)
      expect(lines.map((line) => line.isWanted)).toEqual([true, true])
      leaves[place]?.leave()
      expect((await entering).line).toBe(lines[place])
      expect(lines.map((line) => line.isWanted)).toEqual([false, false])
    }
    expect(vi.getTimerCount()).toBe(0)
  })

  it('takes one place where both come at once', async () => {
    const { lines, leaves } = await opened()
    const entering = enterEither(...lines)
    for (const { leave } of leaves) leave()
    await entering
    await vi.advanceTimersByTimeAsync(0)
    expect(lines.map((line) => line.tryEnter() !== undefined).sort()).toEqual([false, true])
  })

  it('is refused where none comes', async () => {
    const { lines } = await opened()
    const late = expect(enterEither(...lines)).rejects.toMatchObject({ code: 'too_long' })
    await vi.advanceTimersByTimeAsync(1_000)
    await late
  })
})
