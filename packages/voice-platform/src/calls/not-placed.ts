import { isOutage } from '@heyline/database'
import type { CarrierRefusal } from '../carriers/carrier.js'
import { ApiError } from '../resources/api-error.js'

/** When what may pass may be tried again, in seconds. */
const RETRY_AFTER_SECONDS = 2

/** By this code a campaign knows that the refusal is not about its customer, who is called once the lines work again. */
const LINES_FAILED = 'lines_failed'

/** By this code the call desk knows that the call may wait until the database is back. */
const OUTAGE = 'outage'

export const isOfCampaignsLines = (cause: CarrierRefusal, campaignId: string | undefined): boolean =>
  campaignId !== undefined && cause.isOfLines

/** What a client is told of a call that surely was not placed. */
export const refused = (cause: CarrierRefusal, campaignId: string | undefined): ApiError =>
  cause.mayPass
    ? new ApiError(429, cause.message, {
        cause,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        ...(isOutage(cause) && { code: OUTAGE }),
      })
    : new ApiError(400, cause.message, {
        cause,
        ...(isOfCampaignsLines(cause, campaignId) && { code: LINES_FAILED }),
      })

/** Nothing was asked of the carrier. */
export const notBegun = (cause: unknown): ApiError =>
  new ApiError(429, 'The database cannot be used now; no call was placed.', {
    cause,
    code: OUTAGE,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/** Somebody has ended or deleted the call, so it is not to be tried again. */
export const overBefore = (cause: CarrierRefusal): ApiError =>
  new ApiError(409, 'The call was ended before it was dialled; no call was placed.', { cause })
