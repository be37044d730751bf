import { tryGit } from '../git/git.ts'
import type { Environment } from './find-sides.ts'

/** Addresses of files as a pipeline of GitHub or GitLab checked them out; undefined anywhere else. */
export const createFileLinks = (cwd: string, env: Environment): ((file: string) => string) | undefined => {
  const folder = folderAddress(env)
  if (folder === undefined) return undefined
  const prefix = tryGit({ cwd, args: ['rev-parse', '--show-prefix'] })
    ?.toString()
    .replace(/\n$/, '')
  return prefix === undefined ? undefined : (file) => `${folder}/${encodePath(prefix + file)}`
}

const folderAddress = (env: Environment): string | undefined => {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_SHA, CI_PROJECT_URL, CI_COMMIT_SHA } = env
  if (GITHUB_SERVER_URL && GITHUB_REPOSITORY && GITHUB_SHA) {
    return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/blob/${GITHUB_SHA}`
  }
  return CI_PROJECT_URL && CI_COMMIT_SHA ? `${CI_PROJECT_URL}/-/blob/${CI_COMMIT_SHA}` : undefined
}

/** Without anything that would end an address in Markdown. */
const encodePath = (path: string): string =>
  path
    .toWellFormed()
    .split('/')
    .map((name) => encodeURIComponent(name).replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29')))
    .join('/')
