/** The fetch of a module that was loaded before retake. */
export const capturedFetch = globalThis.fetch
