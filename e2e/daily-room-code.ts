/**
 * Stands in for the code of a Daily room, which Daily's servers give out: lets everybody in, beside an assistant that
 * listens at once. It speaks with the call object as that code does, by messages on the window.
 */
export const SCRIPTED_ROOM_CODE = `(() => {
  const track = { state: 'off', subscribed: true }
  const participant = (session_id, user_name, local) => ({ session_id, user_name, local, tracks: { audio: track, video: track } })
  const participants = { local: participant('me', '', true), them: participant('them', 'Vapi Speaker', false) }
  const getState = () => ({ local: { streams: {}, public: {} }, streams: {}, participants: {} })
  addEventListener('message', ({ data }) => {
    if (data.what !== 'iframe-call-message' || data.from !== 'module') return
    const { callClientId, callbackStamp } = data
    const tell = (action, fields) =>
      postMessage({ what: data.what, from: 'embedded', callClientId, action, ...fields }, location.origin)
    if (data.action === 'join-meeting') {
      window._daily.instances[callClientId].callMachine = { store: { getState }, reset() {} }
      tell('call-machine-initialized')
      tell('access-state-updated', { access: { level: 'full' } })
      tell('joined-meeting', { participants })
      tell('app-message', { data: 'listening', fromId: 'them' })
    } else if (data.action === 'leave-meeting') tell('left-meeting')
    else if (callbackStamp) tell('answer', { callbackStamp })
  })
})()`
