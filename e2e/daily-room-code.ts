/** How far the room lets in who joins. */
type Access = 'full' | 'lobby' | 'none'

/**
 * Stands in for the code of a Daily room, which Daily's servers give out: lets everybody in, beside an assistant that
 * listens at once. It opens the microphone, and speaks with the call object as that code does, by messages on the window. Its noise
 * cancellation needs of a page's policy what Daily's does: it compiles WebAssembly, and has an audio worklet and a worker of `blob:`.
 */
export const scriptedRoomCode = (access: Access) => `(() => {
  const track = () => ({ state: 'off', subscribed: true })
  const participant = (session_id, user_name, local) => ({ session_id, user_name, local, tracks: { audio: track(), video: track() } })
  const participants = { local: participant('me', '', true), them: participant('them', 'Vapi Speaker', false) }
  let stream
  const getState = () => ({ local: { streams: { cam: { stream } }, public: {} }, streams: {}, participants: {} })
  const blob = (code) => URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
  const processAudio = async () => {
    await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
    await new AudioContext().audioWorklet.addModule(blob('registerProcessor("noise", class extends AudioWorkletProcessor {})'))
    await new Promise((resolve, reject) => Object.assign(new Worker(blob('postMessage(1)')), { onmessage: resolve, onerror: reject }))
    window.processesAudio = true
  }
  addEventListener('message', async ({ data }) => {
    if (data.what !== 'iframe-call-message' || data.from !== 'module') return
    const { callClientId, callbackStamp } = data
    const tell = (action, fields) =>
      postMessage({ what: data.what, from: 'embedded', callClientId, action, ...fields }, location.origin)
    const answer = (fields) => tell('answer', { callbackStamp, ...fields })
    if (data.action === 'join-meeting') {
      window._daily.instances[callClientId].callMachine = { store: { getState }, reset() {} }
      tell('call-machine-initialized')
      stream = await navigator.mediaDevices?.getUserMedia({ audio: true })
      tell('access-state-updated', { access: { level: '${access}' } })
      tell('joined-meeting', { participants: ${access === 'full' ? 'participants' : '{ local: participants.local }'} })
      if ('${access}' === 'full') tell('app-message', { data: 'listening', fromId: 'them' })
    } else if (data.action === 'leave-meeting') tell('left-meeting')
    else if (data.action === 'update-input-settings')
      processAudio().then(() => answer({ inputSettings: data.inputSettings }), (error) => answer({ error: String(error) }))
    else if (callbackStamp) answer()
  })
})()`

/** Lets everybody in. */
export const SCRIPTED_ROOM_CODE = scriptedRoomCode('full')
