/** How far the room lets in who joins. */
export type Access = 'full' | 'lobby' | 'none'

/**
 * Stands in for the code of a Daily room, which Daily's servers give out: lets everybody in, beside an assistant that
 * listens at once. It opens the microphone, and speaks with the call object as that code does, by messages on the window.
 */
export const scriptedRoomCode = (access: Access) => `(() => {
  const track = () => ({ state: 'off', subscribed: true })
  const participant = (session_id, user_name, local) => ({ session_id, user_name, local, tracks: { audio: track(), video: track() } })
  const participants = { local: participant('me', '', true), them: participant('them', 'Vapi Speaker', false) }
  let stream
  const getState = () => ({ local: { streams: { cam: { stream } }, public: {} }, streams: {}, participants: {} })
  addEventListener('message', async ({ data }) => {
    if (data.what !== 'iframe-call-message' || data.from !== 'module') return
    const { callClientId, callbackStamp } = data
    const tell = (action, fields) =>
      postMessage({ what: data.what, from: 'embedded', callClientId, action, ...fields }, location.origin)
    if (data.action === 'join-meeting') {
      window._daily.instances[callClientId].callMachine = { store: { getState }, reset() {} }
      tell('call-machine-initialized')
      stream = await navigator.mediaDevices?.getUserMedia({ audio: true })
      tell('access-state-updated', { access: { level: '${access}' } })
      tell('joined-meeting', { participants: ${access === 'full' ? 'participants' : '{ local: participants.local }'} })
      if ('${access}' === 'full') tell('app-message', { data: 'listening', fromId: 'them' })
    } else if (data.action === 'leave-meeting') tell('left-meeting')
    else if (callbackStamp) tell('answer', { callbackStamp })
  })
})()`

/** Lets everybody in. */
export const SCRIPTED_ROOM_CODE = scriptedRoomCode('full')
