/** Where the links of operators lead. What they carry follows behind `#`. */
export const consoleUrl = (publicUrl: string): string => `${publicUrl}/-/console/`
