import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { traceparent } from '@heyline/kit/trace'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { answeredRoom, speakIn } from '../testing/answering-phone.js'
import { type CollectedSpan, type Collector, openCollector } from '../testing/collector.js'
import { openSpeechEngines, type SpeechEngines } from '../testing/speech-engines.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-traces-'))
let engines: SpeechEngines
let collector: Collector
let heyline: Heyline
beforeAll(async () => {
  engines = await openSpeechEngines(() => 'Hello?')
  collector = await openCollector()
  heyline = await startHeyline({
    settings: readSettings({
      PORT: '0',
      DATA_DIR: directory,
      TRANSCRIBER_URL: engines.url,
      VOICE_URL: engines.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    }),
    logger: pino({ level: 'silent' }),
  })
})
afterAll(() => {
  collector.close()
  engines.close()
  rmSync(directory, { recursive: true })
})

/** The names from a span up to the first of its trace. */
function upFrom(span: CollectedSpan | undefined): string[] {
  if (!span) return []
  return [span.name, ...upFrom(collector.spans.find(({ spanId }) => spanId === span.parentSpanId))]
}
const named = (name: string) => collector.spans.filter((span) => span.name === name)

it('traces a call from the page to the carrier, and each turn, and names nobody', async () => {
  const roomUrl = answeredRoom(heyline.url)
  const asked = await fetch(`${heyline.url}/-/backend/functions/v1/call-me`, {
    method: 'POST',
    // A stranger's trace is not taken for ours.
    headers: {
      'content-type': 'application/json',
      traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01',
    },
    body: JSON.stringify({ phone: '+14155552671', slug: 'riverside-dental' }),
  })
  expect(asked.status).toBe(202)
  const room = new WebSocket(await roomUrl)
  let hasSpoken = false
  let said = 0
  const replied = new Promise<void>((resolve) =>
    room.on('message', (data: Buffer, isBinary) => {
      if (isBinary && !hasSpoken) {
        hasSpoken = true
        speakIn(room)
      }
      if (isBinary) return
      const { type, role, transcriptType } = JSON.parse(data.toString())
      if (type !== 'transcript' || transcriptType !== 'final' || role !== 'assistant') return
      // The greeting, and the reply.
      said += 1
      if (said === 2) resolve()
    }),
  )
  await replied
  const closed = once(room, 'close')
  room.close()
  await closed
  // What was not sent yet is sent at the stop.
  await heyline.close()

  const [dialled] = named('carrier dial simulated')
  expect(upFrom(dialled)).toEqual([
    'carrier dial simulated',
    'platform POST',
    'desk place call',
    'desk reserve',
    'POST /-/backend/functions/v1/call-me',
  ])
  expect(dialled?.traceId).not.toBe('0123456789abcdef0123456789abcdef')

  const [turn] = named('turn')
  expect(turn?.parentSpanId ?? '').toBe('')
  const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId === turn?.spanId)
  expect(parts.map(({ name }) => name).sort()).toEqual(['turn model', 'turn transcriber', 'turn voice'])
  expect(new Set([...parts.map(({ traceId }) => traceId), turn?.traceId]).size).toBe(1)

  for (const told of ['riverside', '4155552671', 'Hello?'])
    expect(collector.bodies.join('')).not.toContain(told)
  expect(traceparent()).toBeNull()
})
