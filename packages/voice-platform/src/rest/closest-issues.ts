import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** How well a branch of a union fits, the best first: its value is wrong inside, it says that it is another kind, or it is another type. */
const FITS = { inside: 0, otherKind: 1, otherType: 2 } as const

/** What is wrong by the branch of a union that fits best; undefined where the input has the type of none. Paths begin at the union. */
export function closestIssues(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const ranked = branches
    .map((issues) => ({
      issues,
      fit: fitOf(issues),
      depth: depthOf(issues),
    }))
    .filter(({ fit }) => fit !== FITS.otherType)
    .toSorted(
      (one, other) =>
        one.fit - other.fit || other.depth - one.depth || one.issues.length - other.issues.length,
    )
  return ranked[0]?.issues
}

const depthOf = (issues: readonly Issue[]): number =>
  issues.reduce((deepest, { path }) => Math.max(deepest, path.length), 0)

function fitOf(issues: readonly Issue[]): number {
  if (issues.some(isOfWhole)) return FITS.otherType
  return issues.some(isOfKind) ? FITS.otherKind : FITS.inside
}

/** The whole value is of another type, or another value. */
const isOfWhole = (issue: Issue): boolean =>
  issue.path.length === 0 &&
  (issue.code === 'invalid_type' ||
    issue.code === 'invalid_value' ||
    (issue.code === 'invalid_union' && closestIssues(issue.errors) === undefined))

/** A field that has one value alone says which branch it is. */
const isOfKind = (issue: Issue): boolean =>
  issue.code === 'invalid_value' && issue.path.length === 1 && issue.values.length === 1

/** What the whole value may be, where it has the type of no branch. */
export interface Alternatives {
  types: readonly string[]
  values: readonly string[]
}

export function alternativesOf(branches: readonly (readonly Issue[])[]): Alternatives {
  const types = new Set<string>()
  const values = new Set<string>()
  for (const issue of branches.flat()) {
    if (issue.path.length > 0) continue
    if (issue.code === 'invalid_type') types.add(issue.expected)
    else if (issue.code === 'invalid_value') for (const value of issue.values) values.add(String(value))
    else if (issue.code === 'invalid_union') {
      const within = alternativesOf(issue.errors)
      for (const type of within.types) types.add(type)
      for (const value of within.values) values.add(value)
    }
  }
  return { types: [...types], values: [...values] }
}
