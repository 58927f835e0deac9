import type { Artifact } from './artifact.js'
import type { AssistantOverrides, CreateAssistant } from './assistant.js'
import type { OpenString } from './open-string.js'
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

/** A model's judgement of an attempt. */
export interface TestScorer {
  type: 'ai'
  /** What has to be true of a passed attempt; at most 10,000 characters. */
  rubric: string
}

/** Body of `testSuites.tests.create`. */
export interface CreateTestSuiteTest {
  /** `voice`: spoken in a call. `chat`: written. */
  type: 'voice' | 'chat'
  /** What the tester does and says; at most 10,000 characters. */
  script: string
  scorers: TestScorer[]
  /** Attempts of each run, 1–10. */
  numAttempts?: number
  /** At most 80 characters. */
  name?: string
}

/** Body of `testSuites.tests.update`. `type` says which kind it is, and cannot change. */
export type UpdateTestSuiteTest = Pick<CreateTestSuiteTest, 'type'> & Partial<CreateTestSuiteTest>

/** A stored test. */
export interface TestSuiteTest extends CreateTestSuiteTest {
  id: string
  testSuiteId: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Query of `testSuites.tests.list` and `testSuites.tests.pages`. */
export type ListTestSuiteTests = PageQuery

/** Body of `testSuites.runs.create`. */
export interface CreateTestSuiteRun {
  /** At most 80 characters. */
  name?: string
}

/** Body of `testSuites.runs.update`. */
export type UpdateTestSuiteRun = CreateTestSuiteRun

/** A scorer's verdict on one attempt. */
export interface TestScore {
  type: 'ai'
  result: 'pass' | 'fail'
  /** Why; at most 10,000 characters. */
  reasoning: string
  /** The rubric that was applied; at most 10,000 characters. */
  rubric: string
}

/** One attempt of a test. */
export interface TestAttempt {
  scorerResults: TestScore[]
  /** What was kept of the attempt's call. */
  call?: { artifact: Artifact }
  callId?: string
  metadata?: { sessionId: string }
}

/** One test of a run, as it was then, with its attempts. */
export interface TestResult {
  test: TestSuiteTest
  attempts: TestAttempt[]
}

/** A run of all tests of a suite, as far as it has come. */
export interface TestSuiteRun {
  id: string
  orgId: string
  testSuiteId: string
  status: OpenString<'queued' | 'in-progress' | 'completed' | 'failed'>
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  testResults: TestResult[]
  /** At most 80 characters. */
  name?: string
}

/** Query of `testSuites.runs.list` and `testSuites.runs.pages`. */
export type ListTestSuiteRuns = PageQuery
