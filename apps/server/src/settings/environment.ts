import { VISITOR_ACCESS } from '@heyline/backend/settings'
import { z } from 'zod'
import { backupEnvironment } from './backup-environment.js'
import { CALL_NOTE, callEnvironment } from './call-environment.js'
import { costEnvironment } from './cost-environment.js'
import { drainEnvironment } from './drain-environment.js'
import { engineEnvironment } from './engine-environment.js'
import { heylineSecret } from './heyline-secret.js'
import { oneLimit } from './limit-value.js'
import { sender, smtpUrl } from './mail-values.js'
import { connectionEnvironment, keepAliveEnvironment, logEnvironment } from './process-environment.js'
import { recordingEnvironment } from './recording-environment.js'
import { type SettingGroup, setting } from './setting.js'
import { sipEnvironment } from './sip-environment.js'
import {
  baseUrl,
  hostAndPort,
  httpUrl,
  onOff,
  origin,
  origins,
  phoneNumber,
  port,
  postgresUrl,
  proxies,
  secret,
  secretAndFormer,
  wholeNumber,
} from './value.js'

const text = z.string()

/** Read before all others: `env-file.ts`. */
const sources = {
  ENV_FILE: setting(text, {
    meaning:
      'A file of settings, one `NAME=value` a line, which is read besides the environment; what the environment has wins. Without a value: `.env` where the command runs, if there is one. `off`: none. Only the environment can say it. `npm run dev` and the tests read no file that is not named.',
    examples: ['`/etc/heyline.env`'],
  }),
}

const listening = {
  PORT: setting(port, {
    default: '3000',
    meaning: '`0` takes a free port. `PUBLIC_URL` follows it where that is not set.',
  }),
  HOST: setting(text, {
    default: '127.0.0.1',
    meaning:
      'An address that others can reach needs `PUBLIC_URL`, and `PHONE_KEY` while the carrier is simulated.',
  }),
  PUBLIC_URL: setting(origin, {
    meaning:
      'The origin that browsers and providers use. Without a value: `http://localhost:PORT`. While `HOST` is a loopback address, requests by other names than its host and those of this machine are refused (421).',
  }),
  ALLOWED_ORIGINS: setting(origins, {
    default: '',
    meaning:
      'Other origins whose pages may use the platform and its rooms, and ask for calls, separated by commas. Needed where the page is on a static host, or the server has a second name.',
  }),
  TRUST_PROXY: setting(proxies, {
    meaning:
      "How many proxies stand in front of the server: 0 (or `off`) to 10. The client's address is then that many from the right of `X-Forwarded-For`, where each proxy adds the address that asked it. If the number is too high, clients can make up their address. Behind a proxy, requests are counted by address, but connections are not, because all of them are the proxy's. Without a value, all clients behind a proxy share the limits of the proxy's address.",
  }),
  ...keepAliveEnvironment,
}

/** How several servers of one installation reach each other. */
const relay = {
  RELAY_HOST: setting(text, {
    meaning:
      'With `DATABASE_URL` and the built-in platform: the address of this machine at which the other servers of the installation reach this one, to pass on callers whose calls it holds (`docs/instances.md`). Only they are answered there. Without a value: `HOST`, or if that is `0.0.0.0` or `::`, the address from which this server reaches the database.',
  }),
  RELAY_PORT: setting(port, {
    default: '0',
    meaning: 'Its port. `0` takes a free one. Set it where a firewall stands between the servers.',
  }),
  RELAY_ADDRESS: setting(hostAndPort, {
    meaning:
      'Where the others reach it, if that is another address, as with a published port of a container. The servers tell each other through the database.',
    examples: ['`10.0.0.5:3999`'],
  }),
}

const data = {
  DATA_DIR: setting(text, {
    default: './data',
    meaning:
      "PGlite's directory, `keys.json`, and a file of each server that runs (`server.json`). Only this user can read them. Relative to where the command runs.",
  }),
  HEYLINE_SECRET: setting(heylineSecret, {
    meaning:
      'One secret for all servers of an installation. Every key that you do not set derives from it, and `keys.json` is neither needed nor read. Backups are sealed with it, too (`docs/backup.md`). At least 32 random characters: `heyline secret` makes one. Without a value, keys are made once and kept in `keys.json`. Before you set it on an installation that has been used: `docs/instances.md`.',
  }),
  DATABASE_URL: setting(postgresUrl, {
    meaning:
      'A Postgres (15 or newer) instead of PGlite. Its role needs CREATEROLE for the first start; otherwise the roles `anon`, `authenticated`, `service_role` and `authenticator` must exist and be granted to it. Behind a pooler in transaction mode set `DATABASE_DIRECT_URL`, too.',
    examples: ['`postgres://USER:PASSWORD@HOST/DATABASE`'],
  }),
  ...connectionEnvironment,
}

const supabase = {
  SUPABASE_URL: setting(baseUrl, {
    meaning:
      'Visitors are read from this Supabase project, from a table `visitors` with `slug`, `name`, `system` and `first_message`.',
    examples: ['`https://PROJECT.supabase.co`'],
  }),
  SUPABASE_PUBLISHABLE_KEY: setting(secret(1), {
    meaning: "Needed with `SUPABASE_URL`. Otherwise it is the built-in end's own key (`heyline keys`).",
  }),
  SUPABASE_SECRET_KEY: setting(secret(1), {
    meaning:
      'Lets `heyline visitors` write to the project, and makes operators of its accounts. Without `SUPABASE_URL` it is the secret key of the built-in end.',
  }),
  SUPABASE_JWT_SECRET: setting(secret(32), {
    meaning:
      'Checks legacy keys of the built-in end, which are JWTs (HS256). At least 32 characters. Without a value it derives or is made. It has no effect with `SUPABASE_URL`.',
  }),
  VISITOR_ACCESS: setting(z.enum(VISITOR_ACCESS, { error: 'is neither slug nor open' }), {
    default: 'slug',
    meaning:
      'Whom the public key finds in the built-in backend; every page carries that key. `slug`: the visitor that the request names in the header `x-visitor-slug`, and the listed visitors. `open`: all visitors, their prompts included. For hosted visitors, the policies of their project decide.',
  }),
  VISITOR_MISS_LIMIT: setting(oneLimit, {
    default: '30/5m',
    meaning:
      'How often one address may ask for visitors that do not exist, by pages and reads together. A network (/24, or /48 of IPv6) may do so ten times as often. After that its requests wait, longer each time, up to some seconds, so that slugs cannot be guessed. `off`: nobody waits.',
  }),
  VISITOR_HEADER: setting(onOff, {
    default: 'on',
    meaning:
      '`off`: the page does not name its slug in the header `x-visitor-slug`. For a hosted backend whose CORS refuses the header.',
  }),
  CALL_WEBHOOK_URL: setting(httpUrl, {
    meaning:
      'Where the page posts `{phone, slug}`. With a foreign webhook our own call desk takes no phone calls, and its limits for them, human check and live status are off. Browser calls of the built-in platform keep their limits.',
  }),
}

const platform = {
  PLATFORM_URL: setting(baseUrl, {
    meaning:
      'The hosted platform. Another Heyline works too, at its `/-/platform`, if its `ALLOWED_ORIGINS` names this server.',
    examples: ['`https://api.vapi.ai`'],
  }),
  WEB_CALLS: setting(z.enum(['minted', 'direct'], { error: 'is neither minted nor direct' }), {
    meaning:
      "Who starts a browser call. `minted`: the page asks our server for one, which starts it with the private key. The public key then starts nothing on the built-in platform, and visitors' prompts and opening lines stay on the server. With `SUPABASE_URL` it needs `SUPABASE_SECRET_KEY`, and that project must hide these two columns. `direct`: the page starts it with the public key, prompt included. Without a value: `minted` where `PUBLIC_URL` is not a loopback address, unless `SUPABASE_URL` is set, or both `CALL_WEBHOOK_URL` and `PLATFORM_URL` are: then no call reaches this server. Otherwise `direct`.",
  }),
  PLATFORM_PUBLIC_KEY: setting(secret(1), {
    meaning:
      'Needed with `PLATFORM_URL`, unless browser calls are `minted`. The page carries it otherwise, so it should start web calls only.',
  }),
  PLATFORM_PRIVATE_KEY: setting(secret(1), { meaning: 'Needed with `PLATFORM_URL`.' }),
  PLATFORM_ASSISTANT_ID: setting(text, {
    meaning:
      'Needed with `PLATFORM_URL`. The built-in platform makes an assistant at the first start, which prints its id.',
  }),
  PLATFORM_PHONE_NUMBER_ID: setting(text, {
    meaning: "Which of the platform's phone numbers calls. The hosted platform needs one for Call Me.",
  }),
  PLATFORM_HOOK_SECRET: setting(secretAndFormer(24), {
    meaning:
      'Verifies messages at `/-/hooks/platform`. At least 24 characters, and no comma. To replace a secret, give both, separated by a comma, the new one first: the new one signs, and both are accepted. Without a value it derives or is made.',
  }),
}

const phoneCalls = {
  CARRIER: setting(
    z.enum(['simulated', 'twilio', 'sip'], { error: 'is none of simulated, twilio and sip' }),
    {
      default: 'simulated',
      meaning:
        '`simulated` rings the pocket phone at `/-/phone`. `twilio` places real calls. `sip` rings a desk phone, or calls through a SIP trunk (`docs/sip.md`).',
    },
  ),
  PHONE_KEY: setting(secret(16), {
    meaning:
      'Opens the pocket phone for other machines, at `/-/phone?key=…`: `heyline phone` prints the link, and a start shows it on a terminal only. At least 16 characters.',
  }),
  TWILIO_ACCOUNT_SID: setting(text, { meaning: 'Needed with `CARRIER=twilio`.' }),
  TWILIO_AUTH_TOKEN: setting(secret(1), { meaning: 'Needed with `CARRIER=twilio`.' }),
  TWILIO_CALLER_ID: setting(phoneNumber, {
    meaning:
      'The number that phone calls are made from with `CARRIER=twilio`, which needs one: a number of the account, or a verified caller id. It is stored at the start, and is the default while it is set here. Without a value: the default of `heyline numbers`.',
    examples: ['`+14155552671`'],
  }),
  TWILIO_API_URL: setting(baseUrl, {
    default: 'https://api.twilio.com',
    meaning: "Where Twilio's API is.",
  }),
  TWILIO_MACHINE_DETECTION: setting(onOff, {
    default: 'on',
    meaning:
      'Twilio listens whether a person or a voicemail box has answered, and charges for each call. `off`: a box counts as a person.',
  }),
  CALLS_BACK: setting(z.enum(['attested', 'any', 'off'], { error: 'is none of attested, any and off' }), {
    default: 'attested',
    meaning:
      "Who reaches the assistant of an earlier call by calling back. `attested`: whose number the telephone network vouches for (STIR/SHAKEN attestation A, which carriers in the United States and Canada send; by SIP the `P-Asserted-Identity` of the trunk). `any`: whoever names a number that was called, though a caller's number is easily made up. `off`: nobody. All others reach the number's own assistant.",
  }),
  ...sipEnvironment,
}

const engines = {
  ...engineEnvironment,
  BROWSER_TRANSCRIBER: setting(onOff, {
    meaning:
      "Where `TRANSCRIBER_URL` is not set, words come from the speech recognition of the caller's browser, if it has one: Chrome, Edge and Safari do, but not on phones. The browser then sends the caller's voice to its maker (Chrome to Google, Edge to Microsoft, Safari to Apple), or keeps it on the device. Only the words come to us. `off`: the assistant hears that somebody speaks, but not what. Without a value: `on` while `HOST` and `PUBLIC_URL` are loopback addresses, otherwise `off`.",
  }),
  TOOLS_ALLOW_PRIVATE: setting(onOff, {
    default: 'off',
    meaning:
      '`on`: the tools of assistants may ask servers on this machine and on private networks, and over http. So may what asks a Nango of your own. Metadata services of clouds stay refused.',
  }),
  PLATFORM_OPERATORS: setting(onOff, {
    default: 'off',
    meaning:
      "`on`: the operators are the members of the organisation in the built-in voice platform's API. The private key then lists, invites, changes and removes them, and their own API keys and access tokens open that API as far as their role goes. Whoever has the private key can then become an owner.",
  }),
  KNOWLEDGE_MOST_MB: setting(wholeNumber(1, 100_000), {
    default: '500',
    meaning:
      'Most megabytes of all files that assistants look things up in and of the texts in them, of all visitors together. They are in the database, and in its backups.',
  }),
  ...costEnvironment,
  CONVERSATIONS_MOST: setting(wholeNumber(1, 10_000), {
    meaning:
      'How many calls this server holds at once. A full server leaves a browser call to another one on the same Postgres that has room. If none has, the call is refused at once, so that the other callers need not wait for their first word. A server takes no phone call from the queue while phone calls alone reach the number. Without a value: 25 for each core, up to four cores. If all of them are greeted at the same moment, the offline voice makes the last caller wait some seconds. Set half of it if you expect that.',
  }),
}

const observing = {
  ...logEnvironment,
  ACCESS_LOG: setting(onOff, {
    default: 'off',
    meaning:
      '`on`: one line in the log for each answer, with a request id that the client gets in `x-request-id`. It has no slug, no query and no address. Behind `TRUST_PROXY` the id of the proxy is kept.',
  }),
  METRICS_PORT: setting(port, {
    meaning:
      'A port for metrics in the format of Prometheus at `/metrics`, on the address `HOST`. Whoever reaches it needs no key, so keep it from strangers. Without a value they are at `/-/metrics` only, with the secret key (`docs/metrics.md`).',
    examples: ['`9464`'],
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(baseUrl, {
    meaning:
      'A collector of OpenTelemetry traces that speaks OTLP over HTTP, without `/v1/traces`. It gets one trace for each request, from the page to the carrier, and one for each turn of a call: no slugs, no numbers, no words. Other variables of OpenTelemetry, such as `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_TRACES_SAMPLER`, hold too. Without a value nothing is traced.',
    examples: ['`http://localhost:4318`'],
  }),
}

const timeline = {
  TIMELINE_DAYS: setting(wholeNumber(32, 3_650), {
    default: '400',
    meaning:
      'How many days the events of the timeline are kept, 32 to 3650. What is counted of a visitor stays.',
  }),
}

const operators = {
  OPERATORS_MFA: setting(z.enum(['required', 'optional'], { error: 'is neither required nor optional' }), {
    meaning:
      '`required`: operators are let in after a second factor only. `optional`: each decides whether to have one; whoever has one needs it. Without a value: `required` where `PUBLIC_URL` is not a loopback address, otherwise `optional`.',
  }),
  SMTP_URL: setting(smtpUrl, {
    meaning:
      'The mail server that sends invitations and resets to operators. Without a value their links are printed only. A name and a password are percent-encoded. They are sent over an encrypted connection only, except to this machine.',
    examples: ['`smtps://NAME:PASSWORD@mail.example.com`'],
  }),
  MAIL_FROM: setting(sender, {
    meaning: 'Needed with `SMTP_URL`. Who the mail comes from.',
    examples: ['`Heyline <heyline@example.com>`'],
  }),
}

const events = {
  EVENTS_URL: setting(httpUrl, {
    meaning:
      'Where signed messages about everything that happens go: opens, calls, visitors. It makes one endpoint, which is removed when this is unset. Operators can add others. An https address, without a name or a password.',
    examples: ['`https://hooks.example.com/heyline`'],
  }),
  EVENTS_SECRET: setting(secretAndFormer(1), {
    meaning:
      'Needed with `EVENTS_URL`. Signs the messages after Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. To replace a secret, give both, separated by a comma, the new one first: both sign.',
  }),
  EVENTS_ALLOW_PRIVATE: setting(onOff, {
    default: 'off',
    meaning:
      '`on`: messages may go to this machine and to private networks, and over http. For a tool on the same network. Metadata services of clouds stay refused.',
  }),
}

const page = {
  WEBSITE_URL: setting(httpUrl, {
    default: 'https://example.com',
    meaning: 'Where the links of the footer and of the not-found screen lead.',
  }),
  PRIVACY_URL: setting(httpUrl, {
    meaning:
      'The address of your privacy policy. A link below the phone form leads there. Without a value there is no link.',
  }),
  LOG_VISITORS: setting(onOff, {
    default: 'on',
    meaning: '`off`: the page does not write the list of slugs and names to the console.',
  }),
  IN_CALL_STRIP: setting(onOff, {
    default: 'on',
    meaning:
      '`off`: during a browser call there is no level meter, mute button, timer and transcript below the buttons.',
  }),
  OPENS: setting(onOff, {
    default: 'on',
    meaning:
      'A page tells this server once that a person has opened it: after 3 s in view with input, or 15 s without. It sets no cookie and stores nothing in the browser. `off`: pages carry no such code, and opens are not counted (`docs/events.md`).',
  }),
}

/** All settings that are served, in the order in which people read them. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  { title: 'Where settings come from', settings: sources },
  { title: 'Where to listen', settings: listening },
  { title: 'Several servers', note: 'Of one installation: `docs/instances.md`.', settings: relay },
  { title: 'Stopping', settings: drainEnvironment },
  { title: 'Data', settings: data },
  { title: 'Backups', note: '`docs/backup.md`.', settings: backupEnvironment },
  { title: 'The Supabase wire', settings: supabase },
  { title: 'The voice platform', settings: platform },
  { title: 'Phone calls of the built-in platform', settings: phoneCalls },
  {
    title: 'Recordings of the built-in platform',
    note: 'Off by default: `docs/recording.md`.',
    settings: recordingEnvironment,
  },
  { title: 'The call desk: which calls are placed', note: CALL_NOTE, settings: callEnvironment },
  {
    title: 'Engines of the built-in platform',
    note: 'Without a URL an engine is offline, and downloads nothing. A URL names any OpenAI-compatible server, or one of another kind; each engine can have its own. A server on this machine usually needs no key. What the callers say is sent to that server.',
    settings: engines,
  },
  { title: 'The timeline', settings: timeline },
  {
    title: 'Operators',
    note: 'The people who look after the installation: `docs/operators.md`.',
    settings: operators,
  },
  {
    title: 'Events',
    note: 'What happened, sent to your own tools: `docs/events.md`.',
    settings: events,
  },
  { title: 'Seen from outside', note: 'How the server does: `docs/metrics.md`.', settings: observing },
  { title: 'The page', settings: page },
]

/** Every variable that is read, with its default. */
export const environment = z.object({
  ...sources,
  ...listening,
  ...relay,
  ...drainEnvironment,
  ...data,
  ...backupEnvironment,
  ...supabase,
  ...platform,
  ...phoneCalls,
  ...recordingEnvironment,
  ...engines,
  ...observing,
  ...timeline,
  ...operators,
  ...events,
  ...page,
  ...callEnvironment,
})

export type Environment = z.output<typeof environment>
