import { create } from 'qrcode'
import { expect, it } from 'vitest'
import { qrCodeOf } from './qr-code.js'

const uri = 'otpauth://totp/Heyline:ada%40example.com?issuer=Heyline&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

it('is one SVG that may stand raw in a data address', async () => {
  const svg = await qrCodeOf(uri)
  expect(svg).toMatch(/^<svg [^>]*width="256"[\s\S]*<\/svg>$/)
  expect(svg).not.toMatch(/[#%\n]/)
  expect(svg).toContain('fill="white"')
  expect(svg).toContain('stroke="black"')
})

it('has a margin of four modules, which readers need', async () => {
  const { size } = create(uri, { errorCorrectionLevel: 'M' }).modules
  expect(await qrCodeOf(uri)).toContain(`viewBox="0 0 ${size + 8} ${size + 8}"`)
})
