import type { OfficeClient } from '@heyline/back-office/client'

/** What is asked of the server about whoever uses this browser. Its cookie says who that is: no token is here. */
export type SessionWire = OfficeClient['session']

type Answer<Verb extends keyof SessionWire> = Awaited<ReturnType<SessionWire[Verb]>>

/** Who is signed in, and what they do next. */
export type SessionState = Answer<'show'>
type SignedIn = Extract<SessionState, { signedIn: true }>

/** Who is signed in, as the table of operators has it. */
export type Operator = NonNullable<SignedIn['operator']>
/** A verified second factor of one's own. */
export type Factor = SignedIn['factors'][number]
/** A factor that a first code is to verify. */
export type Enrolment = Answer<'addFactor'>
/** A session of one's own. */
export type OwnSession = NonNullable<Answer<'list'>['sessions']>[number]
/** What confirms that it is still the same person. */
export type Proof = NonNullable<Parameters<SessionWire['stepUp']>[0]>
