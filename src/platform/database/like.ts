/** The pattern of LIKE for texts that begin so: `%`, `_` and `\` stand for themselves. */
export const prefixPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`
