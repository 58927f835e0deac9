import { createOfficeClient } from '@heyline/back-office/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Office, useOffice } from '../office/office.js'
import { codeOf, textOf } from '../office/refusal.js'
import { sayFailure } from '../office/say-failure.js'
import { toast } from '../ui/toast.js'
import { base64Of, refusalOf, type Takes } from './chosen-file.js'
import { KNOWLEDGE_TEXTS as TEXTS } from './texts.js'
import { watchedFetch } from './watched-fetch.js'

export type KnowledgeFile = Awaited<ReturnType<Office['knowledge']['list']>>['files'][number]

/** A file on its way: `share` of it is gone, from 0 to 1. */
export interface Sending {
  name: string
  place: number
  count: number
  share: number
}

/** The files that one visitor's calls look things up in, and what an editor does with them. */
export function useKnowledge(slug: string) {
  const office = useOffice()
  const queries = useQueryClient()
  const key = ['visitors', 'knowledge', slug]
  const [sending, setSending] = useState<Sending>()
  const [failures, setFailures] = useState<string[]>([])
  const [removing, setRemoving] = useState<string>()
  const stopper = useRef<AbortController>(undefined)
  // What is on its way ends with the screen that shows it.
  useEffect(() => () => stopper.current?.abort(), [])
  const list = useQuery({
    queryKey: key,
    queryFn: () => office.knowledge.list({ slug }),
    retry: (tried, error) => codeOf(error) !== 'not_supported' && tried < 3,
  })
  const freshen = () => queries.invalidateQueries({ queryKey: key })

  async function send(file: File, signal: AbortSignal, sent: (share: number) => void): Promise<void> {
    const content = await base64Of(file).catch((cause) => {
      throw new Error(TEXTS.notRead(file.name), { cause })
    })
    const watched = createOfficeClient({ url: location.origin, fetch: watchedFetch(sent) })
    await watched.knowledge.add({ slug, name: file.name, content }, signal).catch((error: unknown) => {
      const said = textOf(error, '')
      const isNamed = said.startsWith(file.name)
      throw new Error(said === '' ? TEXTS.unanswered(file.name) : isNamed ? said : `${file.name}: ${said}`, {
        cause: error,
      })
    })
  }

  /** One after the other: a server reads one at a time. What is refused is said, and the next one goes. */
  async function add(files: readonly File[], takes: Takes): Promise<void> {
    if (files.length === 0 || stopper.current) return
    const stopping = new AbortController()
    stopper.current = stopping
    const { signal } = stopping
    const refused: string[] = []
    const added: string[] = []
    setFailures([])
    for (const [at, file] of files.entries()) {
      const { name } = file
      const sent = (share: number) => setSending({ name, place: at + 1, count: files.length, share })
      try {
        const refusal = refusalOf(file, takes)
        if (refusal !== undefined) throw new Error(refusal)
        sent(0)
        await send(file, signal, sent)
        added.push(name)
      } catch (error) {
        if (signal.aborted) break
        refused.push(error instanceof Error ? error.message : TEXTS.unanswered(name))
      }
    }
    stopper.current = undefined
    setSending(undefined)
    setFailures(refused)
    if (signal.aborted) toast({ text: TEXTS.stopped })
    else if (added.length > 0) toast({ text: TEXTS.added(added) })
    await freshen()
  }

  /** Resolves in any case. */
  async function remove({ id, name }: KnowledgeFile): Promise<void> {
    setRemoving(id)
    try {
      await office.knowledge.remove({ slug, id })
      toast({ text: TEXTS.removed(name) })
    } catch (error) {
      sayFailure(error)
    } finally {
      await freshen()
      setRemoving(undefined)
    }
  }

  return {
    list,
    /** The file that is on its way. */
    sending,
    /** What was not added, and why. */
    failures,
    add,
    stop: () => stopper.current?.abort(),
    remove,
    /** The id of the file that is being removed. */
    removing,
  }
}
