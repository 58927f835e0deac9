import { storable } from '@heyline/kit/storable'

/** How a rubric is asked for, and what of the answer counts; undefined where the answer is not on the scale. */
export interface Rubric {
  asks: string
  read(answer: string): string | undefined
}

/** Longest evaluation that is kept. */
const LONGEST = 2_000

const asText = (answer: string): string | undefined => storable(answer.slice(0, LONGEST)) || undefined
const oneOf =
  (words: readonly string[]) =>
  (answer: string): string | undefined =>
    words.find((word) => answer.toLowerCase().startsWith(word.toLowerCase())) ??
    words.find((word) => answer.toLowerCase().includes(word.toLowerCase()))

function passed(answer: string): string | undefined {
  const [word] = /\b(?:true|false|pass|fail|passed|failed|yes|no)\b/i.exec(answer) ?? []
  return word === undefined ? undefined : String(/^(?:true|pass|passed|yes)$/i.test(word))
}

function percentage(answer: string): string | undefined {
  const percent = Number(/\d{1,3}/.exec(answer)?.[0] ?? Number.NaN)
  return percent <= 100 ? `${percent}%` : undefined
}

const LIKERT = ['Strongly Agree', 'Strongly Disagree', 'Neutral', 'Disagree', 'Agree'] as const

/** The platform's rubrics. `PassFail` is the default. */
export const RUBRICS: Readonly<Record<string, Rubric>> = {
  NumericScale: {
    asks: 'Answer with one whole number from 1 (it failed) to 10 (it could not be better), and nothing else.',
    read: (answer) => /\b(?:10|[1-9])\b/.exec(answer)?.[0],
  },
  DescriptiveScale: {
    asks: 'Answer with one of these words, and nothing else: Excellent, Good, Fair, Poor.',
    read: oneOf(['Excellent', 'Good', 'Fair', 'Poor']),
  },
  Checklist: {
    asks: 'List the criteria for success, one in a line, and say after each whether it was met.',
    read: asText,
  },
  Matrix: {
    asks: 'List the criteria for success, one in a line, and give each a level: Excellent, Good, Fair or Poor.',
    read: asText,
  },
  PercentageScale: {
    asks: 'Answer with one number from 0 to 100, the percentage of success, and nothing else.',
    read: percentage,
  },
  LikertScale: {
    asks: 'Say how far you agree that the call was a success: Strongly Agree, Agree, Neutral, Disagree or Strongly Disagree. Answer with nothing else.',
    read: oneOf(LIKERT),
  },
  AutomaticRubric: {
    asks: 'Find the criteria for success in the system prompt, and rate the call by each of them in a line.',
    read: asText,
  },
  PassFail: { asks: 'Answer true if the call was a success, false if not, and nothing else.', read: passed },
}
