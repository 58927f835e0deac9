const ROOM_CODE = /^https:\/\/c\.daily\.co\/.*\.js$/

/** Whether this is where Daily's library gets the code of a room. */
export const isRoomCode = (url: string): boolean => ROOM_CODE.test(url)

/** The code of a room as a script: lets in whoever asks, after `joinMs`. */
export const roomCode = (joinMs: number): string => `(${scriptedRoom})(${joinMs})`

interface Message {
  what: string
  from: string
  action: string
  callClientId: string
  callbackStamp?: string
}

/** Runs in the page, in place of what Daily's servers send. Speaks with the library in messages, as that does. */
function scriptedRoom(joinMs: number) {
  const marks = { what: 'iframe-call-message', from: 'embedded' }
  const serve = ({ action, callClientId, callbackStamp }: Message) => {
    const tell = (told: string, more: object = {}) =>
      window.postMessage({ ...marks, callClientId, action: told, ...more }, '*')
    if (action === 'join-meeting')
      setTimeout(() => {
        tell('call-machine-initialized')
        tell('joined-meeting')
      }, joinMs)
    else if (action === 'leave-meeting') tell('left-meeting')
    else if (callbackStamp) tell(`${action}-done`, { callbackStamp })
  }
  addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.what === marks.what && data.from === 'module') serve(data)
  })
}
