// The command is part of the one package that is published, whatever workspace it lives in.
import manifest from '../../retake/package.json' with { type: 'json' }

export const version: string = manifest.version
