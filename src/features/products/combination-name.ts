/** Between the options of a combination, where it is named in one text. */
export const BETWEEN_OPTIONS = ' · '
/** The text that names a combination. */
export const combinationName = (options: string[]): string => options.join(BETWEEN_OPTIONS)
/** The options of a combination, from that text. */
export const optionsIn = (name: string): string[] => name.split(BETWEEN_OPTIONS)
