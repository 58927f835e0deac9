import type { ArtifactPlan, CreateAssistant } from '@heyline/platform-client'
import { z } from 'zod'

/** How a transcript is written, with the platform's defaults. */
const TRANSCRIPT = { enabled: true, assistantName: 'AI', userName: 'User' }

/** A plan is stored as it comes. A field that does not have its documented form counts as missing. */
const transcriptPlan = z
  .object({
    enabled: z.boolean().catch(TRANSCRIPT.enabled),
    assistantName: z.string().max(100).catch(TRANSCRIPT.assistantName),
    userName: z.string().max(100).catch(TRANSCRIPT.userName),
  })
  .catch(TRANSCRIPT)

/** What this platform never keeps, whatever a plan asks for. Calls show it as off, so that no client waits for it. */
const NOT_KEPT: ArtifactPlan = {
  recordingEnabled: false,
  videoRecordingEnabled: false,
  pcapEnabled: false,
  loggingEnabled: false,
}

/** What is kept of an assistant's calls: what its plan says, and the platform's defaults for the rest. What is not served is off. */
export function resolvedArtifactPlan({ artifactPlan }: CreateAssistant): ArtifactPlan {
  return {
    ...NOT_KEPT,
    fullMessageHistoryEnabled: false,
    transcriptPlan: artifactPlan?.transcriptPlan
      ? transcriptPlan.parse(artifactPlan.transcriptPlan)
      : { ...TRANSCRIPT },
  }
}
