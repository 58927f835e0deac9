import { bytesOf, SAMPLE_RATE } from '@heyline/room-protocol'
import type { Serve } from './streaming-script.js'

/** How long a character is spoken. */
const CHARACTER_SECONDS = 0.065

/** A tone as long as the text, in pieces that end inside a sample. */
export function toneFor(text: string): Buffer[] {
  const samples = Int16Array.from(
    { length: Math.round(text.trim().length * CHARACTER_SECONDS * SAMPLE_RATE) },
    (_, n) => 8000 * Math.sin((2 * Math.PI * 220 * n) / SAMPLE_RATE),
  )
  const bytes = Buffer.from(bytesOf(samples))
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 4801) pieces.push(bytes.subarray(at, at + 4801))
  return pieces
}

/** Deepgram's `/v1/speak`: texts and flushes in, binary audio and `Flushed` out. */
export const deepgramSpeaks: Serve = (socket, script) => {
  let text = ''
  let count = 0
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString())
    if (script.fault === 'error') socket.send(JSON.stringify({ type: 'Error', description: 'no' }))
    else if (message.type === 'Speak') text += message.text
    else if (message.type === 'Close') socket.close(1000)
    else if (message.type === 'Flush') {
      const pieces = toneFor(text)
      text = ''
      setTimeout(() => {
        if (socket.readyState !== socket.OPEN) return
        for (const piece of pieces) socket.send(piece)
        socket.send(JSON.stringify({ type: 'Flushed', sequence_id: count }))
        count += 1
      }, script.voiceMs)
    }
  })
}

/** ElevenLabs' `multi-stream-input`: one context for each sentence, base64 audio and `isFinal` out. */
export const elevenLabsSpeaks: Serve = (socket, script) => {
  const send = (message: object) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(message))
  const texts = new Map<string, string>()
  socket.on('message', (data: Buffer) => {
    const { context_id: id = '', text, flush, close_context, close_socket } = JSON.parse(data.toString())
    if (script.fault === 'error') {
      send({ error: 'voice_id_does_not_exist', code: 1008 })
      socket.close(1008)
      return
    }
    if (close_socket) socket.close(1000)
    if (text) texts.set(id, (texts.get(id) ?? '') + text)
    if (!flush && !close_context) return
    const said = texts.get(id) ?? ''
    texts.delete(id)
    setTimeout(() => {
      for (const piece of said.trim() === '' ? [] : toneFor(said))
        send({ audio: piece.toString('base64'), contextId: id, isFinal: null, alignment: null })
      // What comes of another context is not for this sentence.
      if (script.fault === 'out-of-order') send({ audio: 'AAAA', contextId: 'another', isFinal: true })
      if (close_context) send({ isFinal: true, contextId: id })
    }, script.voiceMs)
  })
}
