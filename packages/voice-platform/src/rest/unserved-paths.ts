/** First segments of the hosted platform's paths (https://docs.vapi.ai/api-reference). Such a path exists there, if not here. */
const FAMILIES = new Set([
  '11labs',
  'analytics',
  'assistant',
  'call',
  'campaign',
  'chat',
  'credential',
  'eval',
  'file',
  'knowledge-base',
  'log',
  'logs',
  'observability',
  'org',
  'phone-number',
  'provider',
  'reporting',
  'session',
  'squad',
  'structured-output',
  'support',
  'template',
  'test-suite',
  'token',
  'tool',
  'v2',
  'voice-library',
  'workflow',
])

/** Second segments of the platform's paths that begin with a provider: `/{provider}/voices/search`. */
const PROVIDER_RESOURCES = new Set(['locations', 'voice', 'voices', 'workflows'])

/** Whether the hosted platform has such a path. */
export function isPlatformPath(path: string): boolean {
  const [family = '', resource = ''] = path.split('/').slice(1)
  return FAMILIES.has(family) || PROVIDER_RESOURCES.has(resource)
}

/** The platform's one path without a key (spec 6). */
export const isOpenPath = (path: string): boolean => path === '/credential/webhook'
