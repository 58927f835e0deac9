import { levelOf, SAMPLE_RATE, samplesOf } from '@heyline/room-protocol'
import type { Serve } from './streaming-script.js'

/** Quieter is silence. */
const LOUD = 0.01

/** Deepgram's `/v1/listen`: binary audio in, `Results` out. */
export const deepgramListens: Serve = (socket, script) => {
  const send = (message: object) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(message))
  let heard = 0
  let start = 0
  let isLoud = false
  let timer: NodeJS.Timeout | undefined
  const results = (words: string, flags: object) =>
    send({
      type: 'Results',
      channel_index: [0, 1],
      ...{ start: start / SAMPLE_RATE, duration: (heard - start) / SAMPLE_RATE },
      ...{ is_final: false, speech_final: false, from_finalize: false, ...flags },
      channel: { alternatives: [{ transcript: words, confidence: 0.9, words: [] }] },
    })
  const final = (flags: object) => {
    clearTimeout(timer)
    timer = undefined
    results(isLoud ? script.transcript : '', { is_final: true, ...flags })
    start = heard
    isLoud = false
  }
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      const samples = samplesOf(Uint8Array.from(data))
      heard += samples.length
      if (levelOf(samples) < LOUD) return
      isLoud = true
      results(script.transcript.split(' ').slice(0, 2).join(' '), {})
      clearTimeout(timer)
      timer = setTimeout(() => final({ speech_final: true }), script.finalMs)
      return
    }
    const { type } = JSON.parse(data.toString())
    if (script.fault === 'error') send({ type: 'Error', description: 'something broke' })
    else if (type === 'Finalize') setTimeout(() => final({ from_finalize: true }), script.finalMs)
    else if (type === 'CloseStream') socket.close(1000)
  })
  socket.on('close', () => clearTimeout(timer))
}

/** OpenAI's realtime transcription sessions: appended audio is committed, and becomes an item. */
export const openAiListens: Serve = (socket, script) => {
  const send = (message: object) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(message))
  const prefix = 'conversation.item.input_audio_transcription'
  let bytes = 0
  let items = 0
  send({ type: 'session.created', session: { type: 'transcription' } })
  const complete = (item_id: string) => {
    const words = script.transcript.split(' ')
    words.forEach((word, place) => {
      send({ type: `${prefix}.delta`, item_id, content_index: 0, delta: place === 0 ? word : ` ${word}` })
    })
    send({ type: `${prefix}.completed`, item_id, content_index: 0, transcript: script.transcript })
  }
  const late: string[] = []
  socket.on('message', (data: Buffer) => {
    const { type, audio } = JSON.parse(data.toString())
    if (script.fault === 'error') send({ type: 'error', error: { code: 'invalid_api_key', message: 'no' } })
    else if (type === 'session.update') send({ type: 'session.updated' })
    else if (type === 'input_audio_buffer.append') bytes += Buffer.from(audio, 'base64').length
    else if (type === 'input_audio_buffer.commit') {
      if (bytes < 4800) {
        send({ type: 'error', error: { code: 'input_audio_buffer_commit_empty' } })
        return
      }
      bytes = 0
      items += 1
      const item_id = `item-${items}`
      send({ type: 'input_audio_buffer.committed', item_id, previous_item_id: null })
      if (script.fault === 'out-of-order') {
        late.unshift(item_id)
        if (late.length === 2) for (const id of late) completeAs(id)
      } else setTimeout(() => complete(item_id), script.finalMs)
    }
  })
  /** Each with a word of its own. */
  const completeAs = (item_id: string) =>
    send({ type: `${prefix}.completed`, item_id, content_index: 0, transcript: `Words of ${item_id}.` })
}

/** ElevenLabs' `/v1/speech-to-text/realtime`, with commits by the client. */
export const elevenLabsListens: Serve = (socket, script) => {
  const send = (message: object) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(message))
  let bytes = 0
  send({ message_type: 'session_started', session_id: 'one', config: {} })
  socket.on('message', (data: Buffer) => {
    const { audio_base_64, commit } = JSON.parse(data.toString())
    if (script.fault === 'error') {
      send({ message_type: 'quota_exceeded', error: 'no more' })
      return
    }
    bytes += Buffer.from(audio_base_64, 'base64').length
    if (!commit) {
      send({ message_type: 'partial_transcript', text: script.transcript.split(' ')[0] })
      return
    }
    if (bytes < 0.3 * SAMPLE_RATE * 2) send({ message_type: 'commit_throttled', error: 'too little' })
    else
      setTimeout(
        () => send({ message_type: 'committed_transcript', text: script.transcript }),
        script.finalMs,
      )
    bytes = 0
  })
}
