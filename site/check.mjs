// Fails if a page of the site requests something from elsewhere, or has a link to a page or a heading that does not exist.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = join(dirname(fileURLToPath(import.meta.url)), '.vitepress/dist')
const base = process.env.SITE_BASE ?? '/'

const files = (folder) => readdirSync(join(dist, folder), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? files(posix.join(folder, entry.name)) : [posix.join(folder, entry.name)])

const pages = new Map(files('').filter((file) => file.endsWith('.html')).map((file) => [file, readFileSync(join(dist, file), 'utf8')]))
const faults = []
let links = 0

for (const [page, html] of pages) {
  for (const [, target] of html.matchAll(/<(?:script|img|source|iframe|link(?=[^>]* rel="(?:stylesheet|preload|modulepreload|icon)"))[^>]* (?:src|srcset|href)="([^"]+)"/g)) {
    if (/^(https?:)?\/\//.test(target)) {
      faults.push(`${page} requests ${target}`)
    }
  }
  for (const [, href] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
    if (/^[a-z]+:/.test(href)) {
      continue
    }
    links++
    const [path, anchor] = decodeURIComponent(href).split('#')
    const file = path === '' ? page : path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(page), path)
    const found = [file, `${file}.html`, posix.join(file, 'index.html')].find((name) => pages.has(name)) ?? (existsSync(join(dist, file)) ? file : undefined)
    if (found === undefined) {
      faults.push(`${page} links to ${href}, which does not exist`)
    }
    else if (anchor && pages.has(found) && !pages.get(found).includes(`id="${anchor}"`)) {
      faults.push(`${page} links to ${href}, whose heading does not exist`)
    }
  }
}

if (faults.length > 0) {
  console.error([...new Set(faults)].join('\n'))
  process.exit(1)
}
console.log(`${pages.size} pages, ${links} links, nothing from elsewhere`)
