import { act, createElement, type ReactNode, StrictMode } from 'react'
import type { Root } from 'react-dom/client'
import { vi } from 'vitest'

/**
 * React and React DOM as they are, in an element that holds nothing: components that draw nothing need no more of a
 * browser than this.
 */
export class ViewHarness {
  readonly #root: Root

  private constructor(root: Root) {
    this.#root = root
  }

  static async create(): Promise<ViewHarness> {
    const window = { HTMLIFrameElement: class {} }
    vi.stubGlobal('window', window)
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    const listens = { addEventListener() {}, removeEventListener() {} }
    const ownerDocument = { ...listens, nodeType: 9, nodeName: '#document', defaultView: window }
    const element = { ...listens, nodeType: 1, nodeName: 'DIV', tagName: 'DIV', ownerDocument }
    const { createRoot } = await import('react-dom/client')
    return new ViewHarness(createRoot(Object.assign(Object.create(null), element)))
  }

  /** Draws in StrictMode: twice each time, and the effects of a new component too. */
  async draw(view: ReactNode): Promise<void> {
    await this.do(() => this.#root.render(createElement(StrictMode, null, view)))
  }

  /** Does something and lets React finish what follows from it. */
  async do(work: () => unknown): Promise<void> {
    await act(async () => {
      await work()
    })
  }

  async close(): Promise<void> {
    await this.do(() => this.#root.unmount())
    vi.unstubAllGlobals()
  }
}
