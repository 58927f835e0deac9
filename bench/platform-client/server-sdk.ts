/** The newest that is as old as the pinned `@vapi-ai/web`. It declares no licence: it is fetched for a run, and is no dependency. */
export const SERVER_SDK = '@vapi-ai/server-sdk@0.11.0'
