import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { AUTH, PUBLIC_KEY, type Target } from '../target.js'

type Parts = Record<string, unknown>

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const read = (text = ''): Parts => JSON.parse(Buffer.from(text, 'base64url').toString())

const hs256 = (header: Parts, claims: Parts, key: string | Buffer): string => {
  const signed = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

const es256 = (header: Parts, claims: Parts, key: KeyObject): string => {
  const signed = `${part({ ...header, alg: 'ES256' })}.${part(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

/** Is a token that we did not write for somebody taken as that somebody's? */
export async function confuse(at: Target): Promise<string[]> {
  const findings: string[] = []
  const owner = await at.operator('owner')
  const viewer = await at.operator('viewer')
  const { access } = await at.signIn(viewer)
  const jwks = await at.ask('GET', `${AUTH}/.well-known/jwks.json`)
  const [jwk = {}] = jwks.json.keys as Parts[]
  const neighbour = (await at.signIn(owner, { base: '/neighbour' })).access
  for (const [name, token] of Object.entries({
    ...forged({ access, jwk, owner: owner.id }),
    'that of another installation': neighbour,
  }))
    for (const path of [
      `${AUTH}/user`,
      '/-/backend/rest/v1/visitors',
      '/-/office/operators/me',
      '/-/office/operators',
    ]) {
      const { status } = await at.ask('GET', path, { token })
      if (status < 300) findings.push(`GET ${path} takes a token: ${name}`)
      if (status >= 500) findings.push(`GET ${path} fails with ${status} at a token: ${name}`)
    }
  const genuine = await at.ask('GET', `${AUTH}/user`, { token: access })
  return genuine.status === 200 ? findings : ['a true token is refused']
}

/** Tokens for the owner, made of a viewer's and of the public key. */
function forged({
  access,
  jwk,
  owner,
}: {
  access: string
  jwk: Parts
  owner: string
}): Record<string, string> {
  const [head = '', body = '', signature = ''] = access.split('.')
  const header = read(head)
  const own = read(body)
  const claims = { ...own, sub: owner }
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const foreignJwk = foreign.publicKey.export({ format: 'jwk' })
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  const point = Buffer.concat([
    Buffer.from(String(jwk.x), 'base64url'),
    Buffer.from(String(jwk.y), 'base64url'),
  ])
  const none = ['none', 'None', 'NONE', 'nOnE'].flatMap((alg) =>
    ['', signature].map((tail, place) => [
      `alg ${alg}${place === 0 ? '' : ', with a signature'}`,
      `${part({ ...header, alg })}.${part(claims)}.${tail}`,
    ]),
  )
  const publicKeys: Record<string, string | Buffer> = {
    'the public key as PEM': pem,
    'the public key as JSON': JSON.stringify(jwk),
    'the point of the public key': point,
    'the key id': String(header.kid),
    'the key of browsers': PUBLIC_KEY,
    nothing: '',
  }
  const macs = Object.entries(publicKeys).map(([name, key]) => [
    `HS256 with ${name}`,
    hs256(header, { ...claims, role: 'service_role' }, key),
  ])
  const { privateKey } = foreign
  return {
    ...Object.fromEntries([...none, ...macs]),
    'a foreign key under our key id': es256(header, claims, privateKey),
    'a foreign key under its own id': es256({ ...header, kid: 'mine' }, claims, privateKey),
    'a foreign key without an id': es256({ typ: 'JWT' }, claims, privateKey),
    'a foreign key in the header': es256({ ...header, jwk: foreignJwk }, claims, privateKey),
    'a foreign key at an address': es256({ ...header, jku: 'http://127.0.0.1:9/jwks' }, claims, privateKey),
    'a key id that is a path': es256({ ...header, kid: '../../../dev/null' }, claims, privateKey),
    'a key id that is SQL': es256({ ...header, kid: "' or 1=1 --" }, claims, privateKey),
    'another subject': `${head}.${part(claims)}.${signature}`,
    'another issuer': `${head}.${part({ ...own, iss: 'https://evil.example' })}.${signature}`,
    'another audience': `${head}.${part({ ...own, aud: 'anybody' })}.${signature}`,
    'another level': `${head}.${part({ ...own, aal: 'aal2' })}.${signature}`,
    'another role': `${head}.${part({ ...own, role: 'service_role' })}.${signature}`,
    'another end': `${head}.${part({ ...own, exp: 9_999_999_999 })}.${signature}`,
    'no signature': `${head}.${part(claims)}.`,
    'a signature of zeros': `${head}.${part(claims)}.${Buffer.alloc(64).toString('base64url')}`,
    'the header of ES256 in small letters': `${part({ ...header, alg: 'es256' })}.${body}.${signature}`,
    'four parts': `${access}.${signature}`,
  }
}
