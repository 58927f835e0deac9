/** Most calls to us whose answers are remembered until they are given. Of a further one each request is answered by itself. */
const MOST = 256

/** Answers to calls to us, as TwiML, that are being found. Twilio may ask for one again meanwhile, and gets the same. */
export class IncomingAnswers {
  readonly #running = new Map<string, Promise<string>>()

  /** `sid` is Twilio's id of the call. Rejects where `find` does; then all who have asked meanwhile fail. */
  of(sid: string, find: () => Promise<string>): Promise<string> {
    const running = this.#running.get(sid)
    if (running) return running
    const answer = find()
    if (this.#running.size >= MOST) return answer
    this.#running.set(sid, answer)
    const over = () => void this.#running.delete(sid)
    answer.then(over, over)
    return answer
  }
}
