import { useRouteContext } from '@tanstack/react-router'

/** Who is signed in, and how far their role goes. */
export function useOperator() {
  const { operator } = useRouteContext({ from: '__root__' })
  return {
    /** Visitors, calls and the assistant. */
    mayChange: operator.role !== 'viewer',
    isOwner: operator.role === 'owner',
  }
}
