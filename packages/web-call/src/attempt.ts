/** So that what is thrown at once is a rejection too. */
export const attempt = async (work: () => unknown): Promise<unknown> => work()
