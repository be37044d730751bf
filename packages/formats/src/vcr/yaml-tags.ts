import type { ScalarTag } from 'yaml'

/**
 * What a plain scalar is to the writers of recordings, PyYAML and Psych, which quote every text that they would read as
 * something else. The rules of the YAML library differ in numbers: `1e5` and `08` are texts to PyYAML.
 */
export const recordingTags: readonly ScalarTag[] = [
  plain('null', /^(?:~|null|Null|NULL|)$/, () => null),
  plain('bool', /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/, () => true),
  plain('bool', /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/, () => false),
  plain('int', /^[-+]?(?:0|[1-9][\d_]*)$/, (text) => Number(text.replaceAll('_', ''))),
  plain('float', /^[-+]?(?:\d[\d_]*\.[\d_]*|\.\d[\d_]*)(?:[eE][-+]\d+)?$/, (text) => Number(text.replaceAll('_', ''))),
  binary('tag:yaml.org,2002:binary'),
  // Psych's.
  binary('!binary'),
]

function plain(name: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve }
}

function binary(tag: string): ScalarTag {
  return { tag, resolve: (text) => new Uint8Array(Buffer.from(text, 'base64')) }
}
