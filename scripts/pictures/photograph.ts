import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const defaultWidth = 900

/** A page as a browser shows it, from its top to its end. */
export const photograph = async (
  page: string,
  picture: string,
  { width = defaultWidth, scale = 1.5 }: { width?: number; scale?: number } = {},
): Promise<void> => {
  const browser = process.env.CHROME ?? browsers.find((path) => existsSync(path))
  if (!browser) throw new Error('no Chromium was found; CHROME names another')
  const run = (...args: string[]): string =>
    execFileSync(
      browser,
      ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', ...args, pathToFileURL(page).href],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
  // The page writes its height into its title.
  const height = Number(/<title>(\d+)<\/title>/.exec(run(`--window-size=${Math.ceil(width)},400`, '--dump-dom'))?.[1])
  run(`--window-size=${Math.ceil(width)},${height}`, `--force-device-scale-factor=${scale}`, `--screenshot=${picture}`)
}
