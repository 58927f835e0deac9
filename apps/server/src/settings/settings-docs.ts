import { SETTING_GROUPS } from './environment.js'
import { SETTING_TEXTS, type SettingGroup, type SettingText } from './setting.js'

const INTRO =
  'Heyline reads its settings from the environment and from a file `.env`, once, at the start. None is needed. If a value cannot be used, one line names the setting, and the process exits with 1.'

const STATIC =
  '`npm run static` makes the page for a static host from the same names. It needs `SUPABASE_URL`, `SUPABASE_PUBLISHABLE_KEY`, `CALL_WEBHOOK_URL`, `PLATFORM_URL`, `PLATFORM_ASSISTANT_ID`, and `PLATFORM_PUBLIC_KEY` unless browser calls are `minted`. It also reads `WEB_CALLS` (there it must say what this server says), `WEBSITE_URL`, `PRIVACY_URL`, `VISITOR_HEADER`, `LOG_VISITORS`, `IN_CALL_STRIP` and `OPENS`, and for a webhook of ours `HUMAN_CHECK` (there it must name the check that this server uses), `TURNSTILE_SITE_KEY` and `LIVE_STATUS`. Keep these settings in a file of their own if the server uses its built-in ends.'

const SECTIONS = [{ title: 'The page on a static host', text: STATIC }]

/** The file `.env.example`: every setting with its default, each after what it means. */
export function envExample(): string {
  return [
    ...comment(
      `${INTRO} Each line below shows a default; it is empty where something is generated, built in, or off without a value. Copy this file to .env and remove the # from the lines that you need: npm start and the command heyline read it where they run.`,
    ),
    ...SETTING_GROUPS.flatMap(exampleGroup),
    ...SECTIONS.flatMap(({ title, text }) => ['', heading(title), '', ...comment(text)]),
    '',
  ].join('\n')
}

/** The page `docs/settings.md`: a table of each group. */
export function settingsPage(): string {
  return [
    '# Settings',
    '',
    '<!-- Made by `npm run docs:settings` from apps/server/src/settings/. -->',
    '',
    `${INTRO} [.env.example](../.env.example) is the same list as a file to copy. [The command](commands.md#settings-in-a-file) says how it is read.`,
    ...SETTING_GROUPS.flatMap(tableOf),
    ...SECTIONS.flatMap(({ title, text }) => ['', `## ${title}`, '', text]),
    '',
  ].join('\n')
}

function exampleGroup({ title, note, settings }: SettingGroup): string[] {
  return [
    '',
    heading(title),
    ...(note ? comment(note) : []),
    '',
    ...textsOf(settings).flatMap(([name, { meaning, examples = [], default: value = '' }]) => [
      ...comment(meaning),
      ...examples.map((example) => `#   ${plain(example)}`),
      `#${name}=${value}`,
    ]),
  ]
}

function tableOf({ title, note, settings }: SettingGroup): string[] {
  const rows = textsOf(settings).map(
    ([name, { meaning, examples = [], default: value }]) =>
      `| \`${name}\` | ${value ? `\`${value}\`` : ''} | ${[meaning, ...examples.map((example) => `For example ${example}.`)].join(' ')} |`,
  )
  return [
    '',
    `## ${title}`,
    '',
    ...(note ? [note, ''] : []),
    '| Name | Default | Meaning |',
    '| --- | --- | --- |',
    ...rows,
  ]
}

const textsOf = (settings: SettingGroup['settings']): [name: string, text: SettingText][] =>
  Object.entries(settings).map(([name, schema]) => {
    const text = SETTING_TEXTS.get(schema)
    if (!text) throw new TypeError(`${name} has no text: make it with setting()`)
    return [name, text]
  })

/** Widest line of `.env.example`, in characters. */
const WIDTH = 110

const heading = (title: string) => `# --- ${title} `.padEnd(WIDTH, '-')

/** Lines of a comment, as long as they may be. */
function comment(text: string): string[] {
  const lines = ['#']
  for (const word of plain(text).split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line.length + 1 + word.length > WIDTH) lines.push(`# ${word}`)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}

/** Without the marks of Markdown. */
const plain = (text: string) => text.replaceAll('`', '')
