import { newRequest, newToken } from './dialog.js'
import type { SipAgent } from './sip-agent.js'
import { SipExchange } from './sip-exchange.js'
import type { SipRoute } from './sip-route.js'

/** Sends a text (RFC 3428). Resolves with the status of its final answer; rejects when none comes. */
export const sendMessage = (agent: SipAgent, route: SipRoute, text: string): Promise<number> =>
  question(agent, route, {
    method: 'MESSAGE',
    type: ['content-type', 'text/plain;charset=UTF-8'],
    body: text,
  })

/** Asks what the other side can do, which rings nobody. Resolves with the status of the answer; rejects when none comes. */
export const sendOptions = (agent: SipAgent, route: SipRoute): Promise<number> =>
  question(agent, route, { method: 'OPTIONS', type: ['accept', 'application/sdp'], body: '' })

interface Question {
  method: string
  type: [string, string]
  body: string
}

/** A request outside of any call. */
function question(
  agent: SipAgent,
  { uri, peer, own, account }: SipRoute,
  { method, type, body }: Question,
): Promise<number> {
  const callId = newToken()
  let cseq = 0
  return new Promise((resolve, reject) => {
    new SipExchange({
      agent,
      peer,
      account,
      make(proofs) {
        cseq += 1
        return newRequest(own, {
          method,
          uri,
          to: `<${uri}>`,
          callId,
          cseq,
          headers: [...proofs, type],
          body,
        })
      },
      onResponse({ status }) {
        if (status >= 200) resolve(status)
      },
      onTimeout: () => reject(new Error('The SIP server did not answer.')),
    })
  })
}
