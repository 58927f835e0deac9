/** What one kind of scanner, unfurler or driven browser asks of a page that was sent to somebody. */
export interface ScannerVisit {
  kind: string
  /** Its requests for the page, in their order. */
  methods: readonly ('GET' | 'HEAD')[]
  headers: Readonly<Record<string, string>>
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const visit = (
  kind: string,
  userAgent: string,
  { methods = ['GET'], ...headers }: { methods?: ScannerVisit['methods'] } & Record<string, unknown> = {},
): ScannerVisit => ({
  kind,
  methods,
  headers: { accept: HTML, ...(headers as Record<string, string>), 'user-agent': userAgent },
})

/** As they introduce themselves in their makers' documents, and in servers' logs. */
export const SCANNER_VISITS: readonly ScannerVisit[] = [
  visit('Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', { range: 'bytes=0-32768' }),
  visit('Twitter', 'Twitterbot/1.0'),
  visit('Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', {
    range: 'bytes=0-524287',
  }),
  visit('WhatsApp', 'WhatsApp/2.23.20.0 A'),
  visit('LinkedIn', 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)'),
  visit('Discord', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'),
  visit('Telegram', 'TelegramBot (like TwitterBot)'),
  visit('iMessage', `${CHROME} facebookexternalhit/1.1 Facebot Twitterbot/1.0`),
  visit('Outlook and Safe Links, a headless browser', CHROME.replace('Chrome', 'HeadlessChrome'), {
    'sec-ch-ua': '"Chromium";v="142", "HeadlessChrome";v="142"',
  }),
  visit('Microsoft link preview', `${CHROME} BingPreview/1.0b`),
  visit(
    'Google link preview',
    `${CHROME} (compatible; Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/))`,
  ),
  visit(
    'Applebot',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  ),
  visit('Proofpoint, with a look ahead', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Proofpoint URL Defense', {
    methods: ['HEAD', 'GET'],
  }),
  visit('Barracuda', 'Mozilla/5.0 (compatible; BarracudaCentral; +http://www.barracudacentral.org/)', {
    methods: ['HEAD', 'GET'],
  }),
  visit('curl', 'curl/8.14.1', { methods: ['HEAD', 'GET'] }),
  visit('a script in Python', 'python-requests/2.32.3'),
  visit('Chrome, ahead of a click', CHROME, { 'sec-purpose': 'prefetch', purpose: 'prefetch' }),
  visit('Chrome, drawing ahead', CHROME, { 'sec-purpose': 'prefetch;prerender', purpose: 'prefetch' }),
]
