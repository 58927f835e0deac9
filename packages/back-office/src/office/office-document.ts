import { createRoute, type OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import type { Operation } from '../operations/operation.js'
import { eachOperation } from '../operations/operations.js'
import { mediaTypeOf, statusOf } from './output.js'

const refusal = z
  .object({
    code: z.string(),
    /** For people: what happened, and what to do. */
    message: z.string(),
    field: z.string().optional(),
  })
  .meta({ id: 'Refusal' })

const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const

const WHO: Record<Operation['role'], string> = {
  anyone: 'For anybody.',
  'secret-key': 'For the secret key alone.',
  viewer: 'For all operators.',
  editor: 'For editors and owners.',
  owner: 'For owners.',
}

/** Serves the OpenAPI 3.1 document of all operations at `/openapi.json`, to anybody: it holds no secret. */
export function officeDocument(app: OpenAPIHono, version: string): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'The secret key, a personal API key, or the access token of an operator',
  })
  for (const { noun, name, operation } of eachOperation())
    app.openAPIRegistry.registerPath(routeOf(noun, name, operation))
  const document = {
    openapi: '3.1.0',
    info: { title: 'Heyline operator API', version },
    servers: [{ url: '/-/office' }],
  }
  // Made once: it is large, and anybody may ask for it.
  let text: string | undefined
  app.get('/openapi.json', () => {
    text ??= JSON.stringify(app.getOpenAPI31Document(document))
    return new Response(text, {
      headers: { 'content-type': 'application/json', 'cache-control': 'max-age=300' },
    })
  })
}

function routeOf(noun: string, name: string, operation: Operation): RouteConfig {
  const { answer, body, bodyLines, query, role, stepUp, summary } = operation
  const content = { [mediaTypeOf(answer)]: { schema: 'schema' in answer ? answer.schema : z.string() } }
  return createRoute({
    method: METHODS[operation.method],
    path: operation.path,
    operationId: name,
    tags: [noun],
    summary,
    description: `${WHO[role]}${stepUp ? ' Needs a second factor that was entered within ten minutes.' : ''}`,
    security: role === 'anyone' ? [] : [{ bearer: [] }],
    request: {
      ...(query && { query }),
      ...(body && { body: { required: true, content: { 'application/json': { schema: body } } } }),
      ...(bodyLines && {
        body: { required: true, content: { 'application/x-ndjson': { schema: bodyLines } } },
      }),
    },
    responses: {
      [statusOf(answer)]: { description: 'Done', content },
      default: { description: 'Refused', content: { 'application/json': { schema: refusal } } },
    },
  })
}
