/** What the stand-ins take, in ms (the hosted platform's and Daily's times on a usual line). */
export const API_MS = 300
export const ROOM_CODE_MS = 600
export const JOIN_MS = 400
