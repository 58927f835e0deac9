/** Whether a key (ISO time) opens nothing any more at the time `now` (ms). */
export const isExpired = (expiresAt: string, now: number): boolean => Date.parse(expiresAt) <= now
