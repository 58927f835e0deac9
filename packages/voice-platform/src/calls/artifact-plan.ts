import type { ArtifactPlan, CreateAssistant } from '@heyline/platform-client'
import { z } from 'zod'

/** How a transcript is written, with the platform's defaults. */
const TRANSCRIPT = { enabled: true, assistantName: 'AI', userName: 'User' }

/** A plan is stored as it comes: what has not its documented form is read as if it were not there. */
const transcriptPlan = z
  .object({
    enabled: z.boolean().catch(TRANSCRIPT.enabled),
    assistantName: z.string().max(100).catch(TRANSCRIPT.assistantName),
    userName: z.string().max(100).catch(TRANSCRIPT.userName),
  })
  .catch(TRANSCRIPT)

/** What this platform never keeps, whatever a plan asks for: a client must not set up what would not be there. */
const NOT_KEPT: ArtifactPlan = {
  recordingEnabled: false,
  videoRecordingEnabled: false,
  pcapEnabled: false,
  loggingEnabled: false,
}

/** What is kept of an assistant's calls: its own plan, the platform's defaults for the rest, and nothing that is not served. */
export function resolvedArtifactPlan({ artifactPlan }: CreateAssistant): ArtifactPlan {
  return {
    ...NOT_KEPT,
    fullMessageHistoryEnabled: false,
    transcriptPlan: transcriptPlan.parse(artifactPlan?.transcriptPlan),
  }
}
