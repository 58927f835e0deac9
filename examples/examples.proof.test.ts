import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { RunningHeyline } from '../e2e/running-heyline.js'

const fileOf = (example: string) => fileURLToPath(new URL(example, import.meta.url))
const { PATH } = process.env
/** For a server's start and a whole phone call. */
const LONG_MS = 60_000
/** For a small program's start on a busy machine. */
const START_MS = 10_000

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function heylineWith(settings: Record<string, string> = {}): Promise<RunningHeyline> {
  const heyline = await RunningHeyline.start(settings)
  closers.push(() => heyline.stop())
  return heyline
}

describe('the platform script', () => {
  const script = (env: Record<string, string>, ...words: string[]) =>
    promisify(execFile)(process.execPath, [fileOf('platform-script/phone.js'), ...words], {
      env: { PATH, ...env },
    })

  it(
    'makes an assistant, has it phone a number, prints what was said, and deletes it',
    async () => {
      const heyline = await heylineWith()
      const keys = JSON.parse((await heyline.command('keys', '--json')).out)
      const platform = `${heyline.url}/-/platform`
      const assistants = async () => {
        const answer = await fetch(`${platform}/assistant`, {
          headers: { authorization: `Bearer ${keys.platformPrivate}` },
        })
        return ((await answer.json()) as { name: string }[]).map(({ name }) => name)
      }
      const before = await assistants()
      const env = { PLATFORM_URL: platform, PLATFORM_PRIVATE_KEY: keys.platformPrivate }
      const { stdout } = await script(env, '+14155552671')
      expect(stdout.trim().split('\n')).toEqual([
        'Made the assistant Reminder',
        'Calling +14155552671',
        'The call ended: customer-ended-call',
        'AI: Hello! Your appointment is tomorrow at ten.',
        'Deleted the assistant',
      ])
      expect(await assistants()).toEqual(before)
    },
    LONG_MS,
  )

  it('says what it lacks', async () => {
    await expect(script({})).rejects.toMatchObject({
      code: 1,
      stderr: 'Set PLATFORM_PRIVATE_KEY, and name the number to call: phone.js +14155552671\n',
    })
  })
})

describe('the webhook', () => {
  let output = ''
  async function webhookFor(pageOrigin: string): Promise<string> {
    const child: ChildProcess = spawn(process.execPath, [fileOf('webhook/webhook.js')], {
      env: { PATH, PORT: '0', PAGE_ORIGIN: pageOrigin },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    closers.push(async () => {
      child.kill()
      await once(child, 'exit')
    })
    output = ''
    child.stdout?.on('data', (piece) => {
      output += piece
    })
    await expect.poll(() => output, { timeout: START_MS }).toMatch(/^Waiting at \S+\n/)
    return /Waiting at (\S+)/.exec(output)?.[1] ?? ''
  }
  const post = (url: string, body: string) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

  it(
    'is where the pages of a Heyline post to, and takes what they post',
    async () => {
      const url = await webhookFor('http://localhost:3000')
      const heyline = await heylineWith({ CALL_WEBHOOK_URL: url })
      expect(heyline.output).toContain(url)
      expect(await (await fetch(`${heyline.url}/default`)).text()).toContain(url)
      const answer = await post(url, JSON.stringify({ phone: '+14155552671', slug: 'default' }))
      expect(answer.status).toBe(202)
      await expect.poll(() => output).toContain('default: call +14155552671\n')
    },
    LONG_MS,
  )

  it('lets the pages of one origin post JSON', async () => {
    const url = await webhookFor('https://demo.example')
    const { status, headers } = await fetch(url, { method: 'OPTIONS' })
    expect([
      status,
      headers.get('access-control-allow-origin'),
      headers.get('access-control-allow-headers'),
    ]).toEqual([204, 'https://demo.example', 'content-type'])
  })

  it.each([
    ['no JSON', 'phone=1'],
    ['no object', 'null'],
    ['no international number', '{"phone":"4155552671","slug":"default"}'],
    ['no slug', '{"phone":"+14155552671"}'],
    ['a body that is too long', JSON.stringify({ phone: '+14155552671', slug: 'x'.repeat(20_000) })],
  ])('refuses %s', async (_, body) => {
    const url = await webhookFor('http://localhost:3000')
    expect((await post(url, body)).status).toBe(400)
    expect(output).not.toContain('call +')
  })
})
