import type { z } from 'zod'

type Issue = z.core.$ZodIssue

const TYPE_NAMES: Record<string, string> = {
  object: 'an object',
  record: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean value',
}

/** What is wrong with a body, in the platform's own words where they are known (as its support threads show them). */
export const issueTexts = (issues: readonly Issue[]): string[] => issues.flatMap(textsOf)

function textsOf(issue: Issue): string[] {
  const path = issue.path.join('.')
  const subject = path === '' ? 'body' : path
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => `${path === '' ? '' : `${path}.`}property ${key} should not exist`)
    case 'invalid_type':
      return [`${subject} must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`]
    case 'too_big':
      return [
        `${subject} must ${isText(issue) ? 'be shorter than or equal to' : 'not be greater than'} ${limit(issue.maximum, issue)}`,
      ]
    case 'too_small':
      return [
        `${subject} must ${isText(issue) ? 'be longer than or equal to' : 'not be less than'} ${limit(issue.minimum, issue)}`,
      ]
    case 'invalid_value':
      return [`${subject} must be one of the following values: ${issue.values.map(String).join(', ')}`]
    case 'invalid_format':
      if (issue.format === 'regex') return [`${subject} ${issue.message}`]
      return [`${subject} must be ${issue.format === 'uuid' ? 'a UUID' : `a valid ${issue.format}`}`]
    default:
      return [`${subject} ${issue.message}`]
  }
}

const isText = ({ origin }: { origin: string }): boolean => origin === 'string'

const limit = (bound: number | bigint, issue: { origin: string }): string =>
  isText(issue) ? `${bound} characters` : String(bound)
