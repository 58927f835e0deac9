import type { Json } from '../options/json-option.js'
import { withAssistant } from '../place/assistant-place.js'
import type { CommandContext } from '../terminal/terminal.js'
import { harmless, table, timeText } from '../terminal/terminal-text.js'

/** `heyline assistant versions`. */
export const listVersions = (context: CommandContext, { json }: Json): Promise<void> =>
  withAssistant(context, async (assistant) => {
    const { versions } = await assistant.versions()
    const { terminal } = context
    if (json) return terminal.log(JSON.stringify(versions, null, 2))
    if (versions.length === 0) return terminal.error('heyline: the assistant has no version yet')
    terminal.log(
      table(
        versions.map(({ version, createdAt, isNow, changed }) => [
          version,
          timeText(createdAt),
          isNow ? 'now' : '',
          changed === null ? '' : harmless(changed.join(', ')),
        ]),
      ),
    )
  })

/** `heyline assistant versions VERSION`: what it changed, and what a restore would. */
export const showVersion = (context: CommandContext, version: string, { json }: Json): Promise<void> =>
  withAssistant(context, async (assistant) => {
    const shown = await assistant.version({ version })
    if (json) return context.terminal.log(JSON.stringify(shown, null, 2))
    const { createdAt, changes, restores } = shown
    context.terminal.log(
      [
        `version ${version}, ${timeText(createdAt)}`,
        ...(changes === null ? [] : ['', 'what changed with it', ...changes.flatMap(linesOf)]),
        ...['', 'what is different from now', ...restores.flatMap(linesOf)],
      ].join('\n'),
    )
  })

/** `heyline assistant restore VERSION`. */
export const restoreVersion = (context: CommandContext, version: string, { json }: Json): Promise<void> =>
  withAssistant(context, async (assistant) => {
    const restored = await assistant.restore({ version })
    const { terminal } = context
    if (json) return terminal.log(JSON.stringify(restored, null, 2))
    const { changed, before } = restored
    terminal.log(
      changed.length === 0
        ? `The assistant is already what it was in version ${version}`
        : `The assistant is what it was in version ${version}: changed ${changed.join(', ')}. Back with heyline assistant restore ${before}`,
    )
  })

interface Change {
  field: string
  before: string | null
  after: string | null
}

const linesOf = ({ field, before, after }: Change): string[] => [
  `  ${harmless(field)}`,
  ...(before === null && after === null ? [] : [marked('-', before), marked('+', after)]),
]

const marked = (mark: string, text: string | null) =>
  `    ${mark} ${text ? harmless(text).replaceAll('\n', `\n    ${mark} `) : '(empty)'}`
