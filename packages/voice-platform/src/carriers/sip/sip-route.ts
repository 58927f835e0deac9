import { CarrierRefusal } from '../carrier.js'
import { newToken, type OwnSide } from './dialog.js'
import { openOwnAddress } from './own-address.js'
import { fillAddress, inBrackets } from './sip-address.js'
import type { SipAgent } from './sip-agent.js'
import type { SipAccount } from './sip-exchange.js'
import { type Peer, resolvePeer } from './sip-socket.js'
import { parseUri, userPart } from './sip-uri.js'

/** How phones are reached, and as whom. */
export interface SipWay {
  /** Who is rung: a `sip:` address, in which `{number}` stands for the number with its `+`, and `{digits}` for it without. */
  to: string
  /** As whom: `sip:…` or `"Name" <sip:…>`, with the same words for our own number. Default: the account's user, or `heyline`, at the host of `to`. */
  from?: string
  /** Where everything is sent. Default: the host of `to`. */
  proxy?: { host: string; port?: number }
  /** Who we are where a server asks. */
  account?: SipAccount
}

/** Where one request goes, and as whom we send it. */
export interface SipRoute {
  /** The address that is rung. */
  uri: string
  /** Where its messages are sent. */
  peer: Peer
  own: OwnSide
  account: SipAccount | undefined
}

/** Finds the way to a number, E.164 both. Rejects with a `CarrierRefusal` where there is none. */
export async function findRoute(
  agent: SipAgent,
  way: SipWay,
  { to, from }: { to: string; from: string },
): Promise<SipRoute> {
  const target = parseUri(fillAddress(way.to, to))
  if (!target) throw new CarrierRefusal('sip-address', 'SIP_TO makes no sip: address of this number.')
  const { peer, own } = await findServer(agent, way.proxy ?? target)
  const caller = way.from ?? `sip:${userPart(way.account?.user ?? 'heyline')}@${target.hostText}`
  return {
    uri: target.text,
    peer,
    own: { ...own, from: `${inBrackets(fillAddress(caller, from))};tag=${newToken()}` },
    account: way.account,
  }
}

/** Finds a server, and the address of ours that it answers to. Rejects with a `CarrierRefusal` where there is no way to it. */
export async function findServer(
  agent: SipAgent,
  { host, port }: { host: string; port?: number },
): Promise<{ peer: Peer; own: Omit<OwnSide, 'from'> }> {
  const peer = await resolvePeer(host, port, agent.host).catch((cause: unknown) => {
    throw new CarrierRefusal('sip-unknown-host', `No address of the SIP server ${host} was found.`, {
      cause,
      isOfLines: true,
    })
  })
  await openOwnAddress(agent)
  const own = await agent.ownAddress(peer).catch((cause: unknown) => {
    throw new CarrierRefusal('sip-no-way', `This machine has no way to the SIP server ${host}.`, {
      cause,
      isOfLines: true,
    })
  })
  return { peer, own }
}
