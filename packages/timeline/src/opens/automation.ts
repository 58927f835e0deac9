/** What people's browsers call themselves, all of them: https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5 and history. */
const BROWSER = /^Mozilla\/5\.0 \(/
/** A longer one is no browser's, in characters. */
const LONGEST = 1_000

/**
 * What crawlers, unfurlers, scanners and driven browsers say of themselves beside that. In-app browsers of people say neither.
 * Sources: https://developers.google.com/search/docs/crawling-indexing/overview-google-crawlers,
 * https://developers.facebook.com/docs/sharing/webmasters/web-crawlers, https://support.apple.com/119829,
 * https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0, https://api.slack.com/robots,
 * https://developer.chrome.com/docs/chromium/headless.
 */
const WORDS = [
  // Robots by the field's own words, with phones of Cubot left out; and who names a page about itself.
  ...[
    '(?<!cu)bot',
    'crawl',
    'spider',
    'slurp',
    'scan',
    'preview',
    'fetcher',
    'monitor',
    'archiver',
    'https?://',
  ],
  // Unfurlers without such a word.
  ...[
    'facebookexternalhit',
    'facebookcatalog',
    'meta-external',
    'whatsapp',
    'embedly',
    'iframely',
    'vkshare',
  ],
  ...[
    'mediapartners-google',
    'google-',
    'googleother',
    'feedly',
    'ms-office',
    'microsoft office',
    'outlook-',
  ],
  // Scanners of mail.
  ...[
    'barracuda',
    'proofpoint',
    'mimecast',
    'safelinks',
    'trendmicro',
    'urldefense',
    'virustotal',
    'zscaler',
  ],
  // Browsers that a program drives, and programs.
  ...['headless', 'phantomjs', 'puppeteer', 'playwright', 'selenium', 'webdriver', 'cypress', 'lighthouse'],
  ...['jsdom', 'pagespeed', 'pingdom', 'gtmetrix', 'uptime', 'curl', 'wget', 'python', 'node-fetch'],
]
const SAYS_SO = new RegExp(WORDS.join('|'), 'i')

/** By these a browser says that it loads a page ahead, before anybody asked for it. */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/**
 * Whether a request says of itself that no person is behind it: its agent is no browser's or names a robot, or it is made
 * ahead of a visit. It is no lock: whoever wants to be taken for a person says nothing of the kind.
 */
export function isAutomation(headers: Headers): boolean {
  const agent = headers.get('user-agent') ?? ''
  if (agent.length > LONGEST || !BROWSER.test(agent) || SAYS_SO.test(agent)) return true
  return AHEAD.some((name) => /prefetch|prerender|preview/i.test(headers.get(name) ?? ''))
}
