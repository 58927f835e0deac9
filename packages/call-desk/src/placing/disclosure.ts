/** The words that every call begins with where nothing else is set: who calls, that it is a machine, and how to be left alone. */
export function defaultDisclosure(companyName: string): string {
  return disclosureOf(
    'Hello, this is an AI assistant, calling automatically on behalf of {company}. If you do not want to be called again, just say: stop calling me.',
    companyName,
  )
}

/** A disclosure with the company's name in the place of each `{company}`. */
export function disclosureOf(text: string, companyName: string): string {
  return text.trim().replaceAll('{company}', () => companyName)
}
