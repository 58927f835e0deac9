import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { parseMessage } from '../../packages/voice-platform/src/carriers/sip/sip-message.js'
import { parseUri } from '../../packages/voice-platform/src/carriers/sip/sip-uri.js'
import { SipPhone } from '../../packages/voice-platform/src/testing/sip-phone.js'
import { InspectedHeyline } from '../conversation/inspected-heyline.js'
import { FarEnd, type PhoneHeyline } from './far-end.js'
import { placeCall } from './place-call.js'
import { SipFarCall } from './sip-far-call.js'

const HOST = '127.0.0.1'

/** A server that places its calls by SIP, and the switchboard behind which each number has a phone with ports of its own. */
export class SipHeyline implements PhoneHeyline {
  readonly #heyline: InspectedHeyline
  readonly #switchboard: Socket
  readonly #phones = new Map<string, SipPhone>()

  private constructor(heyline: InspectedHeyline, switchboard: Socket) {
    this.#heyline = heyline
    this.#switchboard = switchboard
    switchboard.on('message', (datagram, from) => {
      const message = parseMessage(datagram)
      if (typeof message === 'string' || message.kind === 'response') return
      this.#phones.get(parseUri(message.uri)?.user ?? '')?.take(message, from)
    })
  }

  static async start(): Promise<SipHeyline> {
    const switchboard = createSocket('udp4')
    switchboard.bind(0, HOST)
    await once(switchboard, 'listening')
    const heyline = await InspectedHeyline.start({
      CARRIER: 'sip',
      SIP_TO: `sip:{number}@${HOST}:${switchboard.address().port}`,
      SIP_BIND: HOST,
      COMPANY_NAME: 'Example',
    })
    return new SipHeyline(heyline, switchboard)
  }

  cpuMs(): Promise<number> {
    return this.#heyline.cpuMs()
  }

  async ring(assistant: object): Promise<FarEnd> {
    const number = `+1202555${String(1_001 + this.#phones.size)}`
    const phone = new SipPhone()
    this.#phones.set(number, phone)
    await phone.listen(HOST)
    // The server answers once the phone rings.
    await placeCall(this.#heyline, assistant, number)
    return new FarEnd(new SipFarCall(phone))
  }

  async stop(): Promise<void> {
    await this.#heyline.stop()
    for (const phone of this.#phones.values()) phone.close()
    this.#switchboard.close()
  }
}
