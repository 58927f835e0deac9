/** Words for the two colours that the library writes as `#…`: auth-js puts the raw SVG into a `data:` address, which ends at a `#`. */
const COLOURS = { '#ffffff': 'white', '#000000': 'black' }

/** The text as a QR code: raw SVG on one line, without `#` or `%`. */
export async function qrCodeOf(text: string): Promise<string> {
  // Loaded for the first code: most servers draw none.
  const { toString: draw } = await import('qrcode')
  let svg = await draw(text, { type: 'svg', errorCorrectionLevel: 'M', width: 256 })
  for (const [code, word] of Object.entries(COLOURS)) svg = svg.replaceAll(code, word)
  return svg.trim()
}
