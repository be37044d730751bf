/** A path as it is typed on a command line. */
export const quoteArgument = (path: string): string => (/^[\w./@+-]+$/.test(path) ? path : JSON.stringify(path))
