import type { ChoiceProps } from '../ui/choice-props.js'
import { VISITORS_TEXTS } from './texts.js'

type Answer = 'yes' | 'no' | undefined

const PROMPTS = [
  { value: 'any', label: VISITORS_TEXTS.anyPrompt },
  { value: 'yes', label: VISITORS_TEXTS.withPrompt },
  { value: 'no', label: VISITORS_TEXTS.withoutPrompt },
] as const
const LISTED = [
  { value: 'any', label: VISITORS_TEXTS.anyListed },
  { value: 'yes', label: VISITORS_TEXTS.onlyListed },
  { value: 'no', label: VISITORS_TEXTS.notListed },
] as const

const answerOf = (value: 'any' | 'yes' | 'no'): Answer => (value === 'any' ? undefined : value)

/** Which of the visitors are shown. */
export function Filters({
  listed,
  prompt,
  choose,
}: {
  listed: Answer
  prompt: Answer
  choose(filter: { listed?: Answer; prompt?: Answer }): void
}) {
  return (
    <>
      <Filter
        label={VISITORS_TEXTS.filterPrompt}
        options={PROMPTS}
        value={prompt ?? 'any'}
        choose={(value) => choose({ prompt: answerOf(value) })}
      />
      <Filter
        label={VISITORS_TEXTS.filterListed}
        options={LISTED}
        value={listed ?? 'any'}
        choose={(value) => choose({ listed: answerOf(value) })}
      />
    </>
  )
}

/** The browser's own list: a first screen has no room for the code of another. */
function Filter({ label, options, value, choose }: ChoiceProps<'any' | 'yes' | 'no'>) {
  return (
    <select
      className="input filter"
      aria-label={label}
      value={value}
      onChange={({ target }) => choose(options[target.selectedIndex]?.value ?? 'any')}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
