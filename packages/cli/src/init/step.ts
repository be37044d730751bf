/** One thing that `retake init` does, or says why it does not. Files by their path from the folder of the project. */
export type Step =
  | { kind: 'change'; title: string; file: string; before: string | undefined; after: string }
  | { kind: 'done'; title: string; file: string }
  | { kind: 'by hand'; title: string; file: string; reason: string; lines: readonly string[] }
