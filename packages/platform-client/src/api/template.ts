import type { OpenString } from './open-string.js'
import type { ListQuery } from './page.js'
import type { CreateTool } from './tool.js'

export type TemplateProvider = OpenString<'make' | 'gohighlevel' | 'function'>

/** One step of setting a template's tool up. */
export interface TemplateSetupStep {
  title: string
  description?: string
  videoUrl?: string
  docsUrl?: string
}

/** What every provider's details have. */
interface TemplateDetails {
  /** Address of the template or snapshot at the provider. */
  templateUrl?: string
  setupInstructions?: TemplateSetupStep[]
}

export interface MakeTemplateDetails extends TemplateDetails {
  type: 'make'
  scenarioId?: number
  scenarioName?: string
  triggerHookId?: number
  triggerHookName?: string
}

export interface GhlTemplateDetails extends TemplateDetails {
  type: 'ghl'
  workflowId?: string
  workflowName?: string
  webhookHookId?: string
  webhookHookName?: string
  locationId?: string
}

/** Details of a tool whose provider needs nothing more. */
export interface PlainTemplateDetails extends TemplateDetails {
  type:
    | 'function'
    | 'google.calendar.event.create'
    | 'google.sheets.row.append'
    | 'gohighlevel.calendar.availability.check'
    | 'gohighlevel.calendar.event.create'
    | 'gohighlevel.contact.create'
    | 'gohighlevel.contact.get'
}

/** A template of a tool. `templates.create` takes a list of them. */
export interface CreateTemplate {
  type: 'tool'
  /** At most 40 characters. */
  name?: string
  provider?: TemplateProvider
  /** Default `private`. */
  visibility?: 'public' | 'private'
  /** The tool that comes of it. */
  details?: CreateTool
  providerDetails?: MakeTemplateDetails | GhlTemplateDetails | PlainTemplateDetails
  metadata?: { collectionType?: string; collectionId?: string; collectionName?: string }
}

/** Body of `templates.update`. */
export type UpdateTemplate = CreateTemplate

/** A stored template. */
export interface Template extends CreateTemplate {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Query of `templates.list`. */
export interface ListTemplates extends ListQuery {
  collectionId?: string
  visibility?: 'public' | 'private'
  provider?: TemplateProvider
}
