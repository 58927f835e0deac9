import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOfficeClient, type OfficeClient } from '@heyline/back-office/client'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { readServerKeys } from '../testing/server-keys.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-installation-'))
const settings = readSettings({
  PORT: '0',
  DATA_DIR: directory,
  SMTP_URL: 'smtp://mailer:hush@127.0.0.1:9',
  MAIL_FROM: 'heyline@example.com',
})
let heyline: Heyline
let office: OfficeClient
beforeAll(async () => {
  heyline = await startHeyline({ settings, logger: pino({ level: 'silent' }) })
  const { secret } = readServerKeys(directory)
  office = createOfficeClient({ url: heyline.url, headers: { authorization: `Bearer ${secret}` } })
})
afterAll(async () => {
  await heyline.close()
  rmSync(directory, { recursive: true })
})

/** The stored assistant as the platform has it. */
async function stored(init: RequestInit = {}) {
  const { id } = await office.assistant.show()
  const { platformPrivate } = readServerKeys(directory)
  const answer = await fetch(`${heyline.url}/-/platform/assistant/${id}`, {
    ...init,
    headers: { authorization: `Bearer ${platformPrivate}`, 'content-type': 'application/json' },
  })
  return answer.json()
}

describe('the assistant', () => {
  it('is shown with the defaults of the platform', async () => {
    expect(await office.assistant.show()).toMatchObject({
      name: 'Demo assistant',
      firstMessage: 'Hello! I am the demo assistant. How can I help you today?',
      prompt: expect.stringContaining('You are the demo assistant'),
      voice: null,
      model: { provider: 'openai', model: 'gpt-4o-mini', temperature: null, maxTokens: 250 },
      limits: { maxDurationSeconds: 600, silenceTimeoutSeconds: 30 },
    })
  })

  it('changes where it is told to, and has what was there to undo it', async () => {
    const old = await stored({
      method: 'PATCH',
      body: JSON.stringify({
        model: {
          provider: 'openai',
          model: 'gpt-4o-mini',
          emotionRecognitionEnabled: true,
          messages: [
            { role: 'system', content: 'You help.' },
            { role: 'system', content: 'You are brief.' },
          ],
        },
        metadata: { desk: 'front' },
      }),
    })
    const changes = { name: 'Ada', prompt: 'You help with teeth.', firstMessage: old.firstMessage }
    const changed = await office.assistant.update(changes)
    expect(changed).toMatchObject({
      assistant: { name: 'Ada', prompt: 'You help with teeth.' },
      changed: ['name', 'prompt'],
      before: { name: 'Demo assistant', prompt: 'You help.' },
    })
    expect(await stored()).toMatchObject({
      ...old,
      name: 'Ada',
      model: {
        ...old.model,
        messages: [
          { role: 'system', content: 'You help with teeth.' },
          { role: 'system', content: 'You are brief.' },
        ],
      },
      updatedAt: expect.any(String),
    })
    await office.assistant.update(changed.before)
    expect(await stored()).toEqual({ ...old, updatedAt: expect.any(String) })
    const { lines } = await office.installation.audit({ action: 'assistant_changed' })
    expect(lines.map(({ detail }) => detail)).toEqual([
      { changed: ['name', 'prompt'] },
      { changed: ['name', 'prompt'] },
    ])
  })

  it('takes another voice and another model, and keeps the prompt', async () => {
    const { prompt } = await office.assistant.show()
    const voice = { provider: 'azure', voiceId: 'emma' }
    const model = { provider: 'openai', model: 'gpt-4.1', temperature: 0.5, maxTokens: 400 }
    const { assistant, before } = await office.assistant.update({ voice, model })
    expect(assistant).toMatchObject({ voice, model, prompt })
    expect(before).toMatchObject({ model: { model: 'gpt-4o-mini', temperature: null } })
    await office.assistant.update(before)
    expect((await stored()).model).not.toHaveProperty('temperature')
  })

  it('says which field is wrong', async () => {
    await expect(office.assistant.update({ name: ' ' })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_assistant',
      message: 'The assistant needs a name',
      field: 'name',
    })
  })

  it('ends its calls when it is told to', async () => {
    const before = { maxDurationSeconds: 600, silenceTimeoutSeconds: 30 }
    const limits = { maxDurationSeconds: 120, silenceTimeoutSeconds: 30 }
    expect(await office.assistant.setLimits({ maxDurationSeconds: 120 })).toEqual({ limits, before })
    expect(await stored()).toMatchObject(limits)
    expect(await office.assistant.setLimits(before)).toEqual({ limits: before, before: limits })
    await expect(office.assistant.setLimits({ maxDurationSeconds: 5 })).rejects.toMatchObject({
      message: 'A call lasts 10 seconds at least',
    })
  })

  it('can be called to try it, and the record says that it was a test', async () => {
    const call = await office.assistant.testCall()
    expect(call).toMatchObject({ id: expect.any(String), webCallUrl: expect.stringMatching(/^ws:/) })
    expect(JSON.stringify(call)).not.toContain('You help')
    const { calls } = await office.calls.list({})
    expect(calls[0]).toMatchObject({ slug: '(test)', kind: 'web' })
    const { lines } = await office.installation.audit({ limit: 1 })
    expect(lines[0]).toMatchObject({ action: 'assistant_tested', detail: { id: call.id } })
  })

  it('says what its engines can do', async () => {
    const { platform, engines } = await office.assistant.engines()
    expect(platform).toBe('built-in')
    expect(engines.map(({ part, end }) => [part, end])).toEqual([
      ['Transcriber', 'offline, on this machine'],
      ['Model', 'offline, on this machine'],
      ['Voice', 'offline, on this machine'],
    ])
  })
})

describe('the installation', () => {
  it('says which end each wire uses, and tells no secret', async () => {
    const shown = await office.installation.settings()
    expect(shown).toMatchObject({ publicUrl: heyline.url, node: process.versions.node })
    expect(shown.wires).toContainEqual({ wire: 'Mail', end: '127.0.0.1:9, from heyline@example.com' })
    expect(shown.modes).toContainEqual(expect.objectContaining({ setting: 'WEB_CALLS', value: 'direct' }))
    const text = JSON.stringify(shown)
    for (const secret of ['hush', ...Object.values(readServerKeys(directory))])
      expect(text).not.toContain(secret)
  })

  it('says what the doctor says', async () => {
    const findings = await office.installation.health()
    expect(findings).toContainEqual({
      check: 'database',
      status: 'ok',
      message: 'the running server uses it',
    })
    expect(findings).toContainEqual(expect.objectContaining({ check: 'SMTP_URL', status: 'fail' }))
  })

  it('shows the keys as heyline keys does', async () => {
    const shown = await office.installation.keys()
    expect(Object.fromEntries(shown.map(({ name, key }) => [name, key]))).toEqual(readServerKeys(directory))
  })

  it('pages through the audit and loses no line of one moment', async () => {
    const numbers = ['+12025550101', '+12025550102', '+12025550103']
    for (const number of numbers) await office.doNotCall.add({ numbers: [number] })
    const all = await office.installation.audit()
    const paged: string[] = []
    let before: string | undefined
    do {
      const { lines, next } = await office.installation.audit({ limit: 2, ...(before && { before }) })
      paged.push(...lines.map(({ id }) => id))
      before = next ?? undefined
    } while (before)
    expect(paged).toEqual(all.lines.map(({ id }) => id))
    expect(all.next).toBeNull()
  })

  it('finds lines of the audit by actor, action and text', async () => {
    const found = async (sought: object) =>
      (await office.installation.audit(sought)).lines.map(({ action }) => action)
    expect(await found({ actor: 'Secret Key', action: 'assistant_limits' })).toHaveLength(2)
    expect(await found({ text: 'MAXDURATION' })).toHaveLength(2)
    expect(await found({ text: '100%' })).toEqual([])
    expect(await found({ actor: 'nobody@example.com' })).toEqual([])
  })
})
