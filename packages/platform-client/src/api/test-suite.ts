import type { AssistantOverrides, CreateAssistant } from './assistant.js'
import type { PageQuery } from './page.js'

/** Who plays the customer in the tests. */
export interface TesterPlan {
  /** Its system prompt reads the script as `{{test.script}}`. */
  assistant?: CreateAssistant
  /** A stored assistant, whose system prompt reads the script as `{{test.script}}`. */
  assistantId?: string
  /** `variableValues` given here can be used in scripts and rubrics as `{{name}}`. */
  assistantOverrides?: AssistantOverrides
}

/** What is tested: one of a stored number, any number, or an assistant. */
export interface TargetPlan {
  /** A stored number; it is called, and what is attached to it answers. */
  phoneNumberId?: string
  /** Any number, also one outside the platform; it is called. */
  phoneNumber?: TestSuitePhoneNumber
  /** An assistant, tested without a call over the telephone. */
  assistantId?: string
  /** Overrides of `assistantId`. */
  assistantOverrides?: AssistantOverrides
}

export interface TestSuitePhoneNumber {
  provider: 'test-suite'
  /** At most 50 characters. */
  number: string
}

/** Body of `testSuites.create`. */
export interface CreateTestSuite {
  /** At most 80 characters. */
  name?: string
  /** @deprecated `targetPlan.phoneNumberId` */
  phoneNumberId?: string
  /** Default: the platform's own tester. */
  testerPlan?: TesterPlan
  targetPlan?: TargetPlan
}

/** Body of `testSuites.update`. */
export type UpdateTestSuite = CreateTestSuite

/** A stored test suite. */
export interface TestSuite extends CreateTestSuite {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Query of `testSuites.list` and `testSuites.pages`. */
export type ListTestSuites = PageQuery
