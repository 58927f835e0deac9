import { Select } from '../ui/select.js'
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
      <Select
        label={VISITORS_TEXTS.filterPrompt}
        isBare
        options={PROMPTS}
        value={prompt ?? 'any'}
        choose={(value) => choose({ prompt: answerOf(value) })}
      />
      <Select
        label={VISITORS_TEXTS.filterListed}
        isBare
        options={LISTED}
        value={listed ?? 'any'}
        choose={(value) => choose({ listed: answerOf(value) })}
      />
    </>
  )
}
