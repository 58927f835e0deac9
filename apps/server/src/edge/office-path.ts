import type { IncomingMessage } from 'node:http'
import { pathOf } from './request-path.js'

/** What of the operator API is not for strangers. */
const OFFICE = /^\/-\/office\/(?!openapi\.json|session)/

/** Whether a request is one that only operators and keys may make. Such a client may send and read slowly, like a person who pages through an export. */
export const isOfficeRequest = (request: IncomingMessage): boolean => OFFICE.test(pathOf(request))
