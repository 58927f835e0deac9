/** What a video avatar's provider is told of a conversation. */
export interface TavusConversation {
  /** Seconds. Default 3600. */
  maxCallDuration?: number
  /** Seconds after the last participant has left. */
  participantLeftTimeout?: number
  /** Seconds to wait for the first participant. Default 300. */
  participantAbsentTimeout?: number
  enableRecording?: boolean
  enableTranscription?: boolean
  /** The background is one green (0, 255, 155), to be made transparent. */
  applyGreenscreen?: boolean
  /** The language's full English name. */
  language?: string
  recordingS3BucketName?: string
  recordingS3BucketRegion?: string
  /** The role that may write to the bucket. */
  awsAssumeRoleArn?: string
}
